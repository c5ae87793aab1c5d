// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>

#include "products.hpp"
#include "support/backend_choices.hpp"
#include "support/record_bits.hpp"

// With one choice of algorithms the bits of a result depend on nothing but the input.
namespace {

using namespace device;
using KokkosScan::Sum;

template <class T>
void record(View<T> const& results) {
  auto const copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), results);
  test::record_bits(copy.data(), copy.size() * sizeof(T));
}

template <class T>
void expect_bits() {
  Exec const exec;
  using Total        = Kokkos::View<T, Kokkos::CudaSpace>;
  auto const choices = test::all_choices<KokkosScan::cuda::Backend>();
  for (KokkosScan::GridScan const grid : single_pass_grids())
    ASSERT_TRUE(std::any_of(choices.begin(), choices.end(), [=](auto const& options) { return options.grid == grid; }))
        << to_string(grid) << " is served, but not among all choices";
  for (KokkosScan::Options const& options : choices) {
    KokkosScan::Handle const handle(exec, options);
    std::size_t const tile = KokkosScan::cuda::Backend::tile_length<T>(options);
    for (std::size_t const n : {tile, 3 * tile + 7, 70 * tile + 11}) {
      SCOPED_TRACE(to_string(options.grid) + " with " + to_string(options.block) + ", n = " + std::to_string(n));
      View<T> const from("from", n), expected("expected", n), room("room", n + 3), strided_room("strided", 3 * n);
      Total const total("total"), exclusive_total("exclusive total");
      fill(exec, from, 11);
      KokkosScan::inclusive_scan(handle, from, expected, Sum{}, T(0.1), KokkosScan::Total{total});
      record(expected);
      View<T> const odd = part(room, 3, n);
      Kokkos::deep_copy(exec, odd, from);
      KokkosScan::inclusive_scan(handle, odd, odd, Sum{}, T(0.1));
      ASSERT_EQ(differences(exec, odd, expected), 0U) << "in place, at an odd offset";

      Kokkos::View<T*, Kokkos::LayoutStride, Kokkos::CudaSpace> const strided(strided_room.data(),
                                                                              Kokkos::LayoutStride(n, 3));
      KokkosScan::inclusive_scan(handle, from, strided, Sum{}, T(0.1));
      Kokkos::deep_copy(exec, odd, strided);
      ASSERT_EQ(differences(exec, odd, expected), 0U) << "to a strided View";

      KokkosScan::exclusive_scan(handle, from, odd, T(0.1), Sum{}, KokkosScan::Total{exclusive_total});
      T const sum = on_host(exec, total);
      ASSERT_EQ(sum, on_host(exec, Kokkos::subview(expected, n - 1))) << "the total is the last element";
      ASSERT_EQ(on_host(exec, exclusive_total), sum);
    }
  }
}

/// Wherever the arrays lie: in one block, in one wave, in look-back and in the pipeline.
template <class T, class Op>
void expect_bits_at_any_address() {
  Exec const exec;
  using Range = std::pair<std::size_t, std::size_t>;
  for (std::size_t const n : {1000, 65'537, 500'003, 1'500'001, 3'000'001, 5'000'001}) {
    View<T> const from("from", n), expected("expected", n), from_room("from", n + 3), dest_room("dest", n + 3);
    fill(exec, from, 11);
    KokkosScan::inclusive_scan(exec, from, expected, Op{});
    record(expected);
    for (Range const& first : {Range(0, 1), Range(1, 0), Range(1, 1), Range(3, 2)}) {
      View<T> const input  = part(from_room, first.first, n);
      View<T> const result = part(dest_room, first.second, n);
      Kokkos::deep_copy(exec, input, from);
      poison(exec, result);
      KokkosScan::inclusive_scan(exec, input, result, Op{});
      ASSERT_EQ(differences(exec, result, expected), 0U) << n << " from " << first.first << " to " << first.second;
      KokkosScan::inclusive_scan(exec, input, input, Op{});
      ASSERT_EQ(differences(exec, input, expected), 0U) << n << " in place at " << first.first;
    }
  }
}

TEST(Bits, of_floats) { expect_bits<float>(); }
TEST(Bits, of_doubles) { expect_bits<double>(); }
TEST(Bits, of_sums_at_any_address) { expect_bits_at_any_address<float, Sum>(); }
TEST(Bits, of_products_of_complex_floats_at_any_address) {
  expect_bits_at_any_address<Kokkos::complex<float>, KokkosScan::Product>();
}
TEST(Bits, of_products_of_complex_doubles_at_any_address) {
  expect_bits_at_any_address<Kokkos::complex<double>, KokkosScan::Product>();
}
TEST(Bits, of_products_of_matrices_at_any_address) { expect_bits_at_any_address<Matrix, MatrixProduct>(); }
TEST(Bits, of_affine_maps_at_any_address) { expect_bits_at_any_address<Affine, Then>(); }
TEST(Bits, of_log_sum_exp_at_any_address) { expect_bits_at_any_address<double, LogSumExp>(); }

}  // namespace
