// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/compaction.hpp>
#include <KokkosScan/distribute.hpp>
#include <KokkosScan/scan.hpp>
#include <KokkosScan/scan_by_key.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

// Sums, sums by key and compaction of 2^28 elements on each of several instances, by distribute, beside one instance
// that has its own alone; each result checked. Runs of equal keys have 1000 elements, and copy_if chooses half. On CUDA
// there is an instance for each device, else two of the default space, which take turns:
//
//   experiment_distribute [divisor of the sizes; 1 on a device, 64 on a host if there is none] [instances]
namespace {

using Exec    = Kokkos::DefaultExecutionSpace;
using Indices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
template <class T>
using View = Kokkos::View<T*, Exec>;

constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
bool all_right         = true;

#ifdef KOKKOS_ENABLE_CUDA
void ok(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(2);
}

int available() {
  int count = 0;
  ok(cudaGetDeviceCount(&count));
  return count;
}

/// An instance on the device of that number, and memory there: Kokkos' Views take that of the default instance's.
class Place {
 public:
  explicit Place(int number) : device_(number % available()) {
    ok(cudaSetDevice(device_));
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    exec_ = std::make_unique<Exec>(stream_);
  }
  Place(Place const&)            = delete;
  Place& operator=(Place const&) = delete;
  ~Place() {
    exec_.reset();
    for (void* const data : memory_) cudaFree(data);
    cudaStreamDestroy(stream_);
  }
  Exec const& exec() const { return *exec_; }
  template <class T>
  View<T> view(std::size_t n) {
    ok(cudaSetDevice(device_));
    memory_.push_back(nullptr);
    ok(cudaMalloc(&memory_.back(), n * sizeof(T)));
    return View<T>(static_cast<T*>(memory_.back()), n);
  }

 private:
  int device_;
  cudaStream_t stream_{};
  std::unique_ptr<Exec> exec_;
  std::vector<void*> memory_;
};
#else
int available() { return 2; }

class Place {
 public:
  explicit Place(int) {}
  Exec const& exec() const { return exec_; }
  template <class T>
  View<T> view(std::size_t n) {
    return View<T>("array", n);
  }

 private:
  Exec exec_;
};
#endif

/// Small integers, of which sums stay so small that a float holds them; half of them are above 0.
KOKKOS_FUNCTION int value_at(std::size_t i) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdU;
  int const one_of_four = static_cast<int>((x >> 40) % 4);
  return one_of_four < 2 ? one_of_four - 2 : one_of_four - 1;
}

constexpr std::size_t run_length = 1000;

struct IsAboveZero {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& value) const {
    return value > T(0);
  }
};

/// With the elements from that one on.
template <class T>
void fill(Exec const& exec, View<T> const& own, View<int> const& keys, std::size_t first) {
  Kokkos::parallel_for(
      "fill", Indices(exec, 0, own.extent(0)), KOKKOS_LAMBDA(std::size_t i) {
        own(i)  = static_cast<T>(value_at(first + i));
        keys(i) = static_cast<int>((first + i) / run_length);
      });
}

/// What one instance has, from element `first` of all on.
template <class T>
struct Part {
  Exec exec;
  View<T> from, dest;
  View<int> keys;
  std::size_t first;

  /// How many results are wrong if `before` is what the first of an inclusive sum adds to, or an exclusive one is.
  long wrong_sums(bool exclusive, long before) const {
    auto const own = from, sums = dest;
    long wrong = 0;
    Kokkos::parallel_reduce(
        "check sums", Indices(exec, 0, own.extent(0)),
        KOKKOS_LAMBDA(std::size_t i, long& all) {
          T const step = own(exclusive && i > 0 ? i - 1 : i);
          T const left = i > 0 ? sums(i - 1) : static_cast<T>(before);
          all += sums(i) != (exclusive && i == 0 ? left : left + step);
        },
        wrong);
    exec.fence();
    return wrong;
  }
  long wrong_sums_by_key() const {
    auto const own = from, sums = dest;
    std::size_t const at = first;
    long wrong           = 0;
    Kokkos::parallel_reduce(
        "check sums by key", Indices(exec, 0, own.extent(0)),
        KOKKOS_LAMBDA(std::size_t i, long& all) {
          std::size_t const e = at + i, run = e / run_length * run_length;
          T left = T(0);
          if (i > 0 && e > run) left = sums(i - 1);
          if (i == 0)
            for (std::size_t k = run; k < e; ++k) left += static_cast<T>(value_at(k));
          all += sums(i) != left + own(i);
        },
        wrong);
    exec.fence();
    return wrong;
  }
  /// How many are above 0.
  std::size_t count_chosen() const {
    auto const own    = from;
    std::size_t count = 0;
    Kokkos::parallel_reduce(
        "count", Indices(exec, 0, own.extent(0)),
        KOKKOS_LAMBDA(std::size_t i, std::size_t& all) { all += own(i) > T(0) ? 1U : 0U; }, count);
    exec.fence();
    return count;
  }
  /// How many of those are not where they must be.
  long wrong_choices() const {
    auto const own = from, chosen = dest;
    Kokkos::View<long, Kokkos::SharedHostPinnedSpace> const wrong("wrong choices");  // whatever device exec is on
    Kokkos::parallel_scan(
        "check choices", Indices(exec, 0, own.extent(0)), KOKKOS_LAMBDA(std::size_t i, std::size_t& count, bool last) {
          if (!(own(i) > T(0))) return;
          if (last && chosen(count) != own(i)) Kokkos::atomic_inc(&wrong());
          ++count;
        });
    exec.fence();
    return wrong();
  }
  long sum() const {
    std::size_t const at = first;
    long total           = 0;
    Kokkos::parallel_reduce(
        "sum", Indices(exec, 0, from.extent(0)), KOKKOS_LAMBDA(std::size_t i, long& all) { all += value_at(at + i); },
        total);
    exec.fence();
    return total;
  }
};

template <class T>
class Arrays {
 public:
  Arrays(std::vector<std::unique_ptr<Place>> const& places, std::size_t n) {
    for (std::size_t p = 0; p < places.size(); ++p) {
      execs.push_back(places[p]->exec());
      from.push_back(places[p]->template view<T>(n));
      dest.push_back(places[p]->template view<T>(n));
      keys.push_back(places[p]->template view<int>(n));
      fill(execs[p], from[p], keys[p], p * n);
      parts.push_back({execs[p], from[p], dest[p], keys[p], p * n});
    }
    fence();
  }
  void fence() const {
    for (Exec const& exec : execs) exec.fence();
  }

  /// Of the first so many instances' results: differences that are not the elements, and beginnings that are not the
  /// sum of all before.
  long wrong_sums(bool exclusive, std::size_t count) const {
    long before = 0, wrong = 0;
    for (std::size_t p = 0; p < count; ++p) {
      wrong += parts[p].wrong_sums(exclusive, before);
      before += parts[p].sum();
    }
    return wrong;
  }
  long wrong_sums_by_key(std::size_t count) const {
    long wrong = 0;
    for (std::size_t p = 0; p < count; ++p) wrong += parts[p].wrong_sums_by_key();
    return wrong;
  }
  long wrong_choices(std::vector<KokkosScan::Share> const& shares) const {
    std::size_t before = 0;
    long wrong         = 0;
    for (std::size_t p = 0; p < shares.size(); ++p) {
      std::size_t const count = parts[p].count_chosen();
      wrong += parts[p].wrong_choices() + (shares[p].count != count) + (shares[p].before != before);
      before += count;
    }
    for (auto const& share : shares) wrong += share.total != before;
    return wrong;
  }

  std::vector<Exec> execs;
  std::vector<View<T>> from, dest;
  std::vector<View<int>> keys;
  std::vector<Part<T>> parts;
};

/// The median of so many times, in milliseconds, behind two that do not count.
template <class T, class Call>
double time_of(Arrays<T> const& arrays, Call const& call) {
  std::array<double, 9> times{};
  for (int k = -2; k < static_cast<int>(times.size()); ++k) {
    arrays.fence();
    Kokkos::Timer const timer;
    call();
    arrays.fence();
    if (k >= 0) times[static_cast<std::size_t>(k)] = timer.seconds() * 1e3;
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Of one instance alone and of all, each followed by check(number of instances), which says how many are wrong.
template <class T, class Alone, class All, class Check>
void report(std::string const& what, Arrays<T> const& arrays, double bytes, Alone const& alone, All const& all,
            Check const& check) {
  std::size_t const n = arrays.from[0].extent(0), instances = arrays.execs.size();
  double const one      = time_of(arrays, alone);
  long const wrong      = check(std::size_t{1});
  double const together = time_of(arrays, all), work = on_host ? one * static_cast<double>(instances) : one;
  long const wrong_of_all = check(instances);
  std::printf("%-14s n = %zu on each: one alone %9.3f ms (%.0f GB/s), all %zu %9.3f ms: %.3f of its speed each\n",
              what.c_str(), n, one, 1e-6 * static_cast<double>(n) * bytes / one, instances, together, work / together);
  if (wrong + wrong_of_all == 0) return;
  std::printf("%s: %ld WRONG by one, %ld by all\n", what.c_str(), wrong, wrong_of_all);
  all_right = false;
}

template <class T>
void measure(std::string const& type, std::vector<std::unique_ptr<Place>> const& places, std::size_t n) {
  Arrays<T> const arrays(places, n);
  auto const& execs = arrays.execs;
  auto const &from = arrays.from, &dest = arrays.dest;
  auto const& keys      = arrays.keys;
  constexpr double size = sizeof(T);
  report(
      "inclusive " + type, arrays, 2 * size, [&] { KokkosScan::inclusive_scan(execs[0], from[0], dest[0]); },
      [&] { KokkosScan::distribute(execs, from, dest); },
      [&](std::size_t count) { return arrays.wrong_sums(false, count); });
  report(
      "exclusive " + type, arrays, 2 * size, [&] { KokkosScan::exclusive_scan(execs[0], from[0], dest[0], T(0)); },
      [&] { KokkosScan::distribute_exclusive(execs, from, dest, T(0)); },
      [&](std::size_t count) { return arrays.wrong_sums(true, count); });
  report(
      "by key " + type, arrays, 2 * size + sizeof(int),
      [&] { KokkosScan::inclusive_scan_by_key(execs[0], keys[0], from[0], dest[0]); },
      [&] { KokkosScan::distribute_by_key(execs, keys, from, dest); },
      [&](std::size_t count) { return arrays.wrong_sums_by_key(count); });
  std::vector<KokkosScan::Share> shares(1);
  report(
      "copy_if " + type, arrays, 1.5 * size,
      [&] {
        KokkosScan::copy_if(execs[0], from[0], dest[0], IsAboveZero{}, KokkosScan::Total{shares[0].count});
        shares[0].total = shares[0].count;
      },
      [&] { shares = KokkosScan::distribute_copy_if(execs, from, dest, IsAboveZero{}); },
      [&](std::size_t) { return arrays.wrong_choices(shares); });
}

void run(int argc, char** argv) {
  long const divisor  = argc > 1 ? std::atol(argv[1]) : on_host ? 64 : 1;
  int const instances = argc > 2 ? std::atoi(argv[2]) : available();
  if (divisor < 1 || instances < 1) {
    std::fprintf(stderr, "usage: experiment_distribute [divisor >= 1] [instances >= 1]\n");
    std::exit(2);
  }
  std::size_t const n = (std::size_t{1} << 28) / static_cast<std::size_t>(divisor);
  for (int kind = 0; kind < 2; ++kind) {
    std::vector<std::unique_ptr<Place>> places;
    for (int k = 0; k < instances; ++k) places.push_back(std::make_unique<Place>(k));
    if (kind == 0)
      measure<float>("f32", places, n);
    else
      measure<double>("f64", places, n);
  }
}

}  // namespace

int main(int argc, char** argv) {
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    run(argc, argv);
  }
  return all_right ? 0 : 1;
}
