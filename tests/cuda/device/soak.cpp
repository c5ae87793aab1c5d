// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "neighbour.hpp"
#include "products.hpp"

// Many repetitions while another stream keeps the GPU busy: the same bits each time.
namespace {

using namespace device;
using KokkosScan::GridScan;
using KokkosScan::Product;
using KokkosScan::Sum;

/// From and to addresses of every alignment, with a total that must be the last element.
template <class T, class Op>
void soak(GridScan grid, int times) {
  Exec const exec   = Kokkos::Experimental::partition_space(Exec(), 1)[0];
  auto const handle = handle_for(exec, grid);
  std::vector<std::size_t> const sizes{1, 33, 1000, 4097, 65537, 300001, (1 << 20) + 1, (1 << 22) + 3};
  constexpr std::size_t places = 4;  // elements that an array may begin behind an aligned address
  std::vector<View<T>> inputs, rooms, expected;
  for (std::size_t const n : sizes) {
    expected.emplace_back("expected", n);
    rooms.emplace_back("room", n + places);
    for (std::size_t place = 0; place < places; ++place) {
      inputs.push_back(part(View<T>("input", n + place), place, n));
      fill(exec, inputs.back(), static_cast<std::uint32_t>(n));
    }
    KokkosScan::inclusive_scan(handle, inputs.back(), expected.back(), Op{});
  }
  exec.fence();

  Kokkos::View<std::size_t, Kokkos::CudaSpace> const wrong("wrong");
  Kokkos::View<T, Kokkos::CudaSpace> const total("total");
  Neighbour neighbour;
  std::mt19937 random(5);
  for (int repetition = 0; repetition < times; ++repetition) {
    neighbour.keep_busy(random);
    std::size_t const k = random() % sizes.size(), n = sizes[k], place = random() % places;
    View<T> const result = part(rooms[k], place, n);
    auto const& right    = expected[k];
    poison(exec, result);
    KokkosScan::inclusive_scan(handle, inputs[k * places + random() % places], result, Op{}, KokkosScan::Total{total});
    Kokkos::parallel_for(
        "compare", Kokkos::RangePolicy<Exec>(exec, 0, n), KOKKOS_LAMBDA(std::size_t i) {
          if (!same_bits(result(i), right(i))) Kokkos::atomic_inc(&wrong());
          if (i + 1 == right.size() && !same_bits(total(), right(i))) Kokkos::atomic_inc(&wrong());
        });
  }
  EXPECT_EQ(on_host(exec, wrong), 0U) << "values differ in " << times << " repetitions of " << to_string(grid);
}

/// The same, of scans that were put into a graph once.
template <class T, class Op>
void soak_from_a_graph(GridScan grid, int times) {
  Exec const exec   = Kokkos::Experimental::partition_space(Exec(), 1)[0];
  auto const handle = handle_for(exec, grid);
  Kokkos::View<std::size_t, Kokkos::CudaSpace> const wrong("wrong");
  std::vector<View<T>> views;
  std::vector<std::unique_ptr<Graph>> graphs;
  for (std::size_t const n : {33, 4097, 65537, 300001, (1 << 20) + 1, (1 << 22) + 3}) {
    View<T> const input("input", n), result("result", n), expected("expected", n);
    fill(exec, input, static_cast<std::uint32_t>(n));
    KokkosScan::inclusive_scan(handle, input, expected, Op{});
    exec.fence();
    graphs.push_back(std::make_unique<Graph>(exec, [&] { KokkosScan::inclusive_scan(handle, input, result, Op{}); }));
    views.insert(views.end(), {input, result, expected});
  }
  Neighbour neighbour;
  std::mt19937 random(6);
  for (int repetition = 0; repetition < times; ++repetition) {
    neighbour.keep_busy(random);
    std::size_t const k = random() % graphs.size();
    auto const result = views[3 * k + 1], right = views[3 * k + 2];
    poison(exec, result);
    graphs[k]->launch();
    Kokkos::parallel_for(
        "compare", Kokkos::RangePolicy<Exec>(exec, 0, result.size()), KOKKOS_LAMBDA(std::size_t i) {
          if (!same_bits(result(i), right(i))) Kokkos::atomic_inc(&wrong());
        });
  }
  EXPECT_EQ(on_host(exec, wrong), 0U) << "values differ in " << times << " replays of " << to_string(grid);
}

class Soak : public testing::TestWithParam<GridScan> {
 protected:
  void SetUp() override {
    if (!KokkosScan::cuda::Backend::serves(Exec(), GetParam())) GTEST_SKIP() << "needs compute capability 9.0";
  }
  /// All of them if nobody chose, and some of each of the others.
  static int times() { return GetParam() == GridScan::automatic ? repetitions() : repetitions() / 4; }
};
INSTANTIATE_TEST_SUITE_P(Grids, Soak,
                         testing::Values(GridScan::automatic, GridScan::lookback, GridScan::chained,
                                         GridScan::pipelined),
                         [](auto const& info) { return std::string(to_string(info.param)); });

TEST_P(Soak, sums_of_floats) { soak<float, Sum>(GetParam(), times()); }
TEST_P(Soak, sums_of_floats_from_a_graph) { soak_from_a_graph<float, Sum>(GetParam(), times()); }
TEST_P(Soak, sums_of_doubles) { soak<double, Sum>(GetParam(), times() / 4); }
TEST_P(Soak, products_of_complex_floats) { soak<Kokkos::complex<float>, Product>(GetParam(), times() / 4); }
TEST_P(Soak, products_of_complex_doubles) { soak<Kokkos::complex<double>, Product>(GetParam(), times() / 4); }
TEST_P(Soak, products_of_matrices) { soak<Matrix, MatrixProduct>(GetParam(), times() / 4); }
TEST_P(Soak, affine_maps) { soak<Affine, Then>(GetParam(), times() / 4); }
TEST_P(Soak, log_sum_exp) { soak<double, LogSumExp>(GetParam(), times() / 4); }

/// Of 16 bytes each, in several thousand tiles: a copy once overtook the loads of the tile before it, so rarely that
/// it takes many scans to see one (docs/decisions/cuda-pipeline.md).
TEST(LongSoak, sums_of_pairs) {
  Exec const exec = Kokkos::Experimental::partition_space(Exec(), 1)[0];
  KokkosScan::Handle const handle(exec);
  constexpr std::size_t n = 20'000'003;
  View<Pair> const input("input", n), result("result", n), expected("expected", n);
  fill(exec, input, 1);
  KokkosScan::inclusive_scan(handle, input, expected, AddPairs{});
  std::size_t wrong = 0;
  for (int repetition = 0; repetition < repetitions(); ++repetition) {
    KokkosScan::inclusive_scan(handle, input, result, AddPairs{});
    wrong += differences(exec, result, expected);
  }
  EXPECT_EQ(wrong, 0U) << "values differ in " << repetitions() << " repetitions";
}

}  // namespace
