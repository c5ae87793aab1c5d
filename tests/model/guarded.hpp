// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace model {

/// Memory that what is read and written at once, and copies, must not touch: the address sanitizer sees who touches it,
/// but not bytes that share 8 with some before which they stand.
class Guarded {
 public:
  Guarded(void const* begin, std::size_t bytes)
      : begin_(static_cast<unsigned char const*>(begin)), end_(begin_ + bytes) {
    all.push_back(this);
  }
  ~Guarded() { all.erase(std::find(all.begin(), all.end(), this)); }
  Guarded(Guarded const&)            = delete;
  Guarded& operator=(Guarded const&) = delete;

  bool has_been_touched() const { return touched_; }

  static void touch(void const* address, std::size_t bytes) {
    auto const* const first = static_cast<unsigned char const*>(address);
    for (Guarded* guarded : all)
      if (first < guarded->end_ && first + bytes > guarded->begin_) guarded->touched_ = true;
  }

 private:
  static inline std::vector<Guarded*> all;

  unsigned char const* begin_;
  unsigned char const* end_;
  bool touched_ = false;
};

}  // namespace model
