// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/offsets.hpp>

#include "../../src/driver/function.hpp"
#include "../../src/driver/rows.hpp"

// Ragged rows: row r has the items from offsets(r) up to offsets(r + 1), offsets having an entry more than there are
// rows (or none). Offsets ascend; they may begin anywhere, and rows may be empty, in whatever number. How many items
// there are stands on exec and is read there: nothing waits, and calls can be captured into a graph. A Handle with
// Options{.check = true} throws where offsets descend, and waits for that.
namespace KokkosScan {

/// owner(j) = the row of item j.
///
///   owners(exec, offsets, owner)
///
/// What no row has stays as it is: before offsets(0), and from the last offset on. Items behind the end of owner are
/// left out, so an owner that is too short is no error unless Options::check asks for it.
inline constexpr driver::Function<driver::Owners, "KokkosScan::owners"> owners{};

/// f(row, item) exactly once for each item, with even work for every thread, however uneven rows are.
///
///   for_each_slot(exec, offsets, f)
///
/// Neighbouring threads of a GPU have neighbouring items; on a host each thread has one piece of them and walks along
/// it. The order is not defined beyond that. row and item are std::size_t.
inline constexpr driver::Function<driver::ForEachSlot, "KokkosScan::for_each_slot"> for_each_slot{};

}  // namespace KokkosScan
