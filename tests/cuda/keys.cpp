// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "model_backend.hpp"

// A pipelined scan by key looks at the key before each slice; of a slice without elements there is none to look at. And
// what ranks share may go on with its first element.
namespace test {
namespace {

using KokkosScan::GridScan;
using KokkosScan::Handle;
using KokkosScan::Options;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// Memory behind whose last byte a program must not read.
class Ending {
 public:
  explicit Ending(std::size_t bytes) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    readable_ = (bytes + page_ - 1) / page_ * page_;
    begin_    = static_cast<std::byte*>(mmap(nullptr, readable_ + forbidden, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (begin_ == MAP_FAILED || mprotect(begin_ + readable_, forbidden, PROT_NONE) != 0) throw std::bad_alloc();
  }
  Ending(Ending const&)            = delete;
  Ending& operator=(Ending const&) = delete;
  ~Ending() { munmap(begin_, readable_ + forbidden); }

  template <class T>
  T* last(std::size_t n) const {
    return reinterpret_cast<T*>(begin_ + readable_) - n;
  }

 private:
  static constexpr std::size_t forbidden = 1 << 20;  // more than a tile of keys

  std::size_t page_, readable_;
  std::byte* begin_;
};

TEST(Keys, nothing_is_read_behind_them) {
  using S    = KokkosScan::cuda::pipelined::Shape<KokkosScan::core::Keyed<int>>;
  using Keys = Kokkos::View<std::int64_t const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  using Ints = Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Handle<Exec, ModelBackend, Options> const handle(Exec(), Options{.grid = GridScan::pipelined});
  for (std::size_t const n : {1, S::slice - 1, S::slice + 1, S::tile + 1, 2 * S::tile - S::slice}) {
    Ending const keys(n * sizeof(std::int64_t)), from(n * sizeof(int)), dest(n * sizeof(int));  // zeros
    for (std::size_t i = 0; i < n; ++i) from.last<int>(n)[i] = 1;
    Ints const results(dest.last<int>(n), n);
    KokkosScan::inclusive_scan_by_key(handle, Keys(keys.last<std::int64_t>(n), n), Ints(from.last<int>(n), n), results);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(results(i), static_cast<int>(i) + 1) << n << " elements";
  }
}

template <KokkosScan::core::Kind kind, class Start>
void expect_to_go_on(GridScan grid, std::size_t n, Start const& start) {
  namespace core              = KokkosScan::core;
  namespace driver            = KokkosScan::driver;
  constexpr bool is_exclusive = kind == core::Kind::exclusive;
  std::vector<std::int64_t> keys(n);
  std::vector<int> from(n), dest(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = static_cast<std::int64_t>(i < n / 2 ? 0 : i / 7);  // a long run first
    from[i] = static_cast<int>(i % 5) + 1;
  }
  Handle<Exec, ModelBackend, Options> const handle(Exec(), Options{.grid = grid});
  auto const begun = driver::make_keyed_scan<kind, int>(
      core::Contiguous<std::int64_t const>{keys.data()}, core::Contiguous<int const>{from.data()},
      core::Contiguous<int>{dest.data()}, n, KokkosScan::Sum{}, core::EqualTo{}, start, core::FirstMayGoOn{false},
      core::Maybe<core::Keyed<int>>(core::Keyed<int>(1000, false)));
  driver::run_scan("test", handle, begun);
  int running = 1000;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0 && keys[i] != keys[i - 1]) running = is_exclusive ? 50 : 0;
    int const before = running;
    running += from[i];
    ASSERT_EQ(dest[i], is_exclusive ? before : running) << "element " << i << " of " << n << ", " << to_string(grid);
  }

  // Of what is not stored the total alone is found: the last run, and whether it begins here.
  using Keyed  = core::Keyed<int>;
  using Source = decltype(begun.source);
  if constexpr (!is_exclusive) {
    Keyed total(-1, false);
    driver::run_scan("test", handle,
                     core::Problem<Keyed, Source, core::WithinRuns<int, KokkosScan::Sum>, core::Discard<Keyed>>{
                         begun.source, {}, n, {}, {}, nullptr},
                     total);
    bool const is_one_run = keys[n - 1] == keys[0];
    // As of a long array, whose total is found by a reduction.
    namespace cuda  = KokkosScan::cuda;
    using Reduction = core::Problem<Keyed, Source, core::WithinRuns<int, KokkosScan::Sum>, core::Discard<Keyed>>;
    Keyed reduced(-1, false);
    std::size_t const bytes = cuda::States::bytes(64);
    std::vector<std::uint64_t> states(bytes / sizeof(std::uint64_t) + 32, 0);
    std::vector<Keyed> aggregates(cuda::reduction::blocks<Reduction>(n), Keyed(-1, false));
    on_a_stream([&] {
      cuda::reduction::run<cuda::ThreePhaseBlock<Keyed>>(nullptr, Reduction{begun.source, {}, n, {}, {}, &reduced},
                                                         cuda::States::in(states.data(), bytes), aggregates.data(),
                                                         nullptr);
    });
    EXPECT_EQ(reduced.value(), is_one_run ? running - 1000 : running) << n << ", by a reduction";
    EXPECT_EQ(reduced.begins_run(), !is_one_run) << n << ", by a reduction";
    EXPECT_EQ(total.value(), is_one_run ? running - 1000 : running) << n << ", " << to_string(grid);
    EXPECT_EQ(total.begins_run(), !is_one_run) << n << ", " << to_string(grid);
  }
}

TEST(Keys, the_first_run_may_go_on) {
  using KokkosScan::core::Kind;
  using S = KokkosScan::cuda::pipelined::Shape<KokkosScan::core::Keyed<int>>;
  for (GridScan const grid : {GridScan::automatic, GridScan::hillis_steele, GridScan::hierarchical, GridScan::chained,
                              GridScan::lookback, GridScan::pipelined, GridScan::one_wave})
    for (std::size_t const n : {std::size_t{1}, std::size_t{2}, std::size_t{33}, S::tile + std::size_t{5}}) {
      expect_to_go_on<Kind::inclusive>(grid, n, KokkosScan::core::NoInit{});
      expect_to_go_on<Kind::exclusive>(grid, n, KokkosScan::core::Maybe<int>(50));
    }
}

/// What several devices would find of the ends of their elements, and go on with: piece by piece, keys and all.
void expect_runs_to_cross_instances(GridScan grid) {
  SCOPED_TRACE(to_string(grid));
  using Instance = Handle<Exec, ModelBackend, Options>;
  using Numbers  = std::vector<Kokkos::View<int*, Kokkos::HostSpace>>;
  std::vector<std::size_t> const shares{10'000, 0, 13'000, 3, 4096, 500};
  std::vector<Instance> instances;
  Numbers keys, from, dest;
  std::size_t i = 0;
  for (std::size_t const n : shares) {
    instances.emplace_back(Exec(), Options{.grid = grid});
    keys.emplace_back("keys", n);
    from.emplace_back("from", n);
    dest.emplace_back("dest", n);
    for (std::size_t k = 0; k < n; ++k, ++i) {
      keys.back()(k) = i < 3000 ? static_cast<int>(i / 7) : i < 25'001 ? -1 : -2;  // two runs cross several
      from.back()(k) = static_cast<int>(i % 5) + 1;
    }
  }
  auto const expect_right = [&](bool exclusive) {
    int running = 0, key = 0;
    bool is_first = true;
    for (std::size_t s = 0; s < shares.size(); ++s)
      for (std::size_t k = 0; k < shares[s]; ++k) {
        if (is_first || keys[s](k) != key) running = exclusive ? 50 : 0;
        is_first         = false;
        key              = keys[s](k);
        int const before = running;
        running += from[s](k);
        ASSERT_EQ(dest[s](k), exclusive ? before : running) << "element " << k << " of instance " << s;
      }
  };
  KokkosScan::distribute_by_key(instances, keys, from, dest);
  expect_right(false);
  Kokkos::View<int, Kokkos::HostSpace> const init("init");
  init() = 50;
  KokkosScan::distribute_exclusive_by_key(instances, keys, from, dest, init);
  expect_right(true);
}
TEST(Keys, runs_cross_instances) {
  for (GridScan const grid : {GridScan::automatic, GridScan::one_wave, GridScan::hierarchical, GridScan::lookback,
                              GridScan::chained, GridScan::pipelined})
    expect_runs_to_cross_instances(grid);
}

}  // namespace
}  // namespace test
