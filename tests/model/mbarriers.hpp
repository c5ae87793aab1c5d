// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "marks.hpp"
#include "place.hpp"

namespace model {

struct Thread;

/// A word in shared memory that counts arrivals, and bytes that copies bring.
struct Mbarrier {
  std::ptrdiff_t byte;
  Place where;  // it was initialised
  unsigned made_by;
  std::uint32_t made_at;
  bool published = false;  // to copies

  unsigned count;               // arrivals of each phase
  unsigned missing    = count;  // of the present one
  std::int64_t bytes  = 0;      // announced and not brought; copies may be earlier than the announcement
  std::uint64_t ended = 0;      // phases

  // Whoever waits for the last phase that ended comes after these; they are told who comes to the present one.
  Marks past{}, past_of_last{};
  Marks view{}, view_of_last{};

  std::vector<Thread*> waiting{};
};

}  // namespace model
