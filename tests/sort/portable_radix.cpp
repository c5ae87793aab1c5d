// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "radix_case.hpp"
#include "src/portable/backend.hpp"
#include "support/spaces.hpp"

// Radix sort of the backend that uses Kokkos alone, on every execution space.
namespace test {
namespace {

using Portable = KokkosScan::portable::Backend;

template <class Exec>
class PortableRadix : public testing::Test {};
TYPED_TEST_SUITE(PortableRadix, Spaces::Types);

constexpr std::size_t portable_lengths[] = {0, 1, 2, 17, 255, 256, 257, 4097};

TYPED_TEST(PortableRadix, SortsEveryTypeOfKeys) {
  for (Keys const kind : {Keys::random, Keys::few, Keys::of_floats}) {
    SCOPED_TRACE(testing::Message() << "keys " << static_cast<int>(kind));
    for_each_order([&](auto const& order) {
      using Bits = typename std::decay_t<decltype(order)>::Bits;
      for (std::size_t const n : portable_lengths)
        expect_sorted_by<Portable, NoValues>(TypeParam(), order, make_keys<Bits>(kind, n));
    });
  }
}

TYPED_TEST(PortableRadix, SortsValuesOfEverySize) {
  auto const order = order_of<std::uint32_t>(false, true);
  for (std::size_t const n : portable_lengths) {
    auto const keys = make_keys<std::uint32_t>(Keys::few, n);
    expect_sorted_by<Portable, std::uint8_t>(TypeParam(), order, keys);
    expect_sorted_by<Portable, std::uint16_t>(TypeParam(), order, keys);
    expect_sorted_by<Portable, std::uint32_t>(TypeParam(), order, keys);
    expect_sorted_by<Portable, std::uint64_t>(TypeParam(), order, keys);
    expect_sorted_by<Portable, TwoWords>(TypeParam(), order, keys);
  }
}

TYPED_TEST(PortableRadix, LooksAtTheseBitsAlone) {
  for_each_range(64, [](int begin, int end) {
    for (std::size_t const n : {std::size_t{2}, std::size_t{17}, std::size_t{1000}})
      expect_sorted_by<Portable, std::uint32_t>(TypeParam(), order_of<std::uint64_t>(true, false, begin, end),
                                                make_keys<std::uint64_t>(Keys::random, n));
  });
}

TYPED_TEST(PortableRadix, SortsMany) {
  expect_sorted_by<Portable, std::uint32_t>(TypeParam(), order_of<std::uint32_t>(true, false),
                                            make_keys<std::uint32_t>(Keys::random, 70'001));
  expect_sorted_by<Portable, NoValues>(TypeParam(), order_of<std::uint16_t>(false, true, 0, 15),
                                       make_keys<std::uint16_t>(Keys::random, 1'000'003));
}

}  // namespace
}  // namespace test
