// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>

#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "bench.hpp"

// segmented_sort beside CUB's sort of segments, stable or not: medians of seven, every result compared with CUB's. Keys
// are brought back before each sort, which is not timed. Returns 1 if a result differs.
//
//   nvcc_wrapper -std=c++20 -O3 --extended-lambda -I . -I include -I PREFIX/include
//   perf/experiments/segmented_sort.cu -o segmented_sort -L PREFIX/lib -L BUILD -lKokkosScan -lkokkoscore -ldl -lcuda
//   ./segmented_sort [segments]
namespace {

using Exec  = Kokkos::Cuda;
using Space = Kokkos::CudaSpace;
template <class T>
using Row = Kokkos::View<T*, Space>;

bool is_right = true;

template <class Key>
struct MakeKeys {
  Row<Key> keys;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    std::uint64_t const x = bench::mixed(i);
    if constexpr (std::is_floating_point_v<Key>)
      keys(i) = static_cast<Key>(x >> 12) - static_cast<Key>(std::uint64_t{1} << 51);
    else
      keys(i) = static_cast<Key>(x);
  }
};
template <class Key>
struct CountDifferent {
  Row<Key> a, b;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& different) const {
    if (a(i) != b(i)) ++different;
  }
};

template <class Key>
void run(Exec const& exec, char const* name, char const* kind, std::vector<std::int32_t> const& offsets) {
  std::size_t const n = static_cast<std::size_t>(offsets.back()), segments = offsets.size() - 1;
  Row<Key> const from("from", n), keys("keys", n), expected("expected", n);
  Row<std::int32_t> const rows("rows", offsets.size());
  Kokkos::deep_copy(rows, Kokkos::View<std::int32_t const*, Kokkos::HostSpace>(offsets.data(), offsets.size()));
  Kokkos::parallel_for(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, n), MakeKeys<Key>{from});
  auto const bring = [&] { Kokkos::deep_copy(exec, keys, from); };
  float const own  = bench::median(exec.cuda_stream(), 7, bring, [&] { KokkosScan::segmented_sort(exec, keys, rows); });

  std::size_t bytes = 0;
  auto const cub    = [&](bool stable, void* temporary) {
    auto const sort = [&](auto const& call) {
      bench::check(call(temporary, bytes, from.data(), expected.data(), static_cast<std::int64_t>(n),
                           static_cast<std::int64_t>(segments), rows.data(), rows.data() + 1, exec.cuda_stream()));
    };
    if (stable)
      sort([](auto&&... arguments) { return cub::DeviceSegmentedSort::StableSortKeys(arguments...); });
    else
      sort([](auto&&... arguments) { return cub::DeviceSegmentedSort::SortKeys(arguments...); });
  };
  cub(true, nullptr);
  std::size_t const of_stable = bytes;
  cub(false, nullptr);
  Row<char> const temporary("temporary", std::max(bytes, of_stable));
  bytes              = temporary.size();
  float const peer   = bench::median(exec.cuda_stream(), 7, [] {}, [&] { cub(false, temporary.data()); });
  float const stable = bench::median(exec.cuda_stream(), 7, [] {}, [&] { cub(true, temporary.data()); });
  std::size_t wrong  = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, n),
                          CountDifferent<Key>{keys, expected}, wrong);
  is_right = is_right && wrong == 0;
  std::printf(
      "%-4s %-22s %8zu segments, %10zu keys: %8.4f ms, %6.2f Gitem/s; CUB %8.4f, stable %8.4f ms; %.2f, %.2f "
      "times CUB; %zu wrong\n",
      name, kind, segments, n, own, static_cast<double>(n) / own * 1e-6, peer, stable, peer / own, stable / own, wrong);
  std::fflush(stdout);
}

/// Segments whose length is what length(u) says, u being random within (0, 1].
template <class Length>
std::vector<std::int32_t> make_offsets(std::size_t segments, Length const& length) {
  std::vector<std::int32_t> offsets{0};
  std::uint64_t state = 1;
  for (std::size_t s = 0; s < segments; ++s) {
    state          = state * 6364136223846793005U + 1442695040888963407U;
    double const u = static_cast<double>((state >> 11) + 1) / 9007199254740992.0;
    offsets.push_back(offsets.back() + static_cast<std::int32_t>(length(u)));
  }
  return offsets;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  std::size_t const segments = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  Exec const exec;
  auto const power_law = [](double least, double exponent) {
    return [=](double u) { return std::min(least * std::pow(u, -1 / exponent), 4e6); };
  };
  auto const of_all_types = [&](char const* kind, std::vector<std::int32_t> const& offsets) {
    run<std::uint32_t>(exec, "u32", kind, offsets);
    run<std::uint64_t>(exec, "u64", kind, offsets);
    run<float>(exec, "f32", kind, offsets);
  };
  of_all_types("power law from 1 on", make_offsets(segments, power_law(1, 1.1)));
  of_all_types("power law from 20 on", make_offsets(segments, power_law(20, 1.2)));
  of_all_types("below 20", make_offsets(segments, [](double u) { return u * 20; }));
  of_all_types("below 200", make_offsets(segments, [](double u) { return u * 200; }));
  of_all_types("below 20000", make_offsets(segments / 100, [](double u) { return u * 20000; }));
  of_all_types("10 of 10^7", make_offsets(10, [](double) { return 1e7; }));
  return is_right ? 0 : 1;
}
