// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>

#include "cuda_native/scan.hpp"
#include "src/driver/choice.hpp"

// Every kernel, for values of 1, 4 and 64 bytes and either kind, for one that can be made but never assigned, and once
// for a widening transform of strided elements.
namespace {

using namespace KokkosScan;
using driver::Contiguous;
using driver::Kind;
using driver::Strided;

struct Large {
  std::int64_t at[8];
};
struct Then {
  __device__ Large operator()(Large const& left, Large const& right) const {
    Large result = left;
    for (int i = 0; i < 8; ++i) result.at[i] = left.at[i] * right.at[0] + right.at[i];
    return result;
  }
};
struct Constant {
  int const value;
};
struct AddConstants {
  __device__ Constant operator()(Constant const& left, Constant const& right) const {
    return {left.value + right.value};
  }
};
struct Twice {
  __device__ std::int64_t operator()(std::int32_t x) const { return 2 * std::int64_t{x}; }
};

template <Kind kind, class Value, class Op>
void every_choice() {
  using Scan = driver::Scan<kind, Value, Contiguous<Value const>, Contiguous<Value>, Op, Unchanged>;
  cuda::run(nullptr, Options{}, Scan{}, {});
}

}  // namespace

void all_kernels() {
  every_choice<Kind::exclusive, std::int8_t, Sum>();
  every_choice<Kind::inclusive, std::int32_t, Max>();
  every_choice<Kind::exclusive, Large, Then>();
  every_choice<Kind::inclusive, Constant, AddConstants>();
  using Scan =
      driver::Scan<Kind::exclusive, std::int64_t, Strided<std::int32_t const>, Strided<std::int64_t>, Sum, Twice>;
  cuda::run(nullptr, driver::Automatic{}, Scan{}, {});
}
