// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/distribute.hpp>
#include <KokkosScan/scan.hpp>
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

// Sums of 2^28 elements on each of several instances, by distribute, beside one instance that sums its own alone; each
// result checked. On CUDA there is an instance for each device, else two of the default space, which take turns:
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

/// Small integers, of which sums stay so small that a float holds them.
KOKKOS_FUNCTION int value_at(std::size_t i) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdU;
  return static_cast<int>((x >> 40) % 5) - 2;
}

/// With the elements from that one on.
template <class T>
void fill(Exec const& exec, View<T> const& own, std::size_t first) {
  Kokkos::parallel_for(
      "fill", Indices(exec, 0, own.extent(0)),
      KOKKOS_LAMBDA(std::size_t i) { own(i) = static_cast<T>(value_at(first + i)); });
}

template <class T>
class Arrays {
 public:
  Arrays(std::vector<std::unique_ptr<Place>> const& places, std::size_t n) : n_(n) {
    for (std::size_t p = 0; p < places.size(); ++p) {
      execs.push_back(places[p]->exec());
      from.push_back(places[p]->template view<T>(n));
      dest.push_back(places[p]->template view<T>(n));
      fill(execs[p], from[p], p * n);
    }
    fence();
  }
  void fence() const {
    for (Exec const& exec : execs) exec.fence();
  }

  /// What is wrong of the first so many instances' results: differences that are not the elements, and beginnings that
  /// are not the sum of all before.
  void check(std::string const& what, bool exclusive, std::size_t count) const {
    long before = 0, wrong = 0;
    for (std::size_t p = 0; p < count; ++p) {
      auto const own = from[p], sums = dest[p];
      std::size_t const first = p * n_, n = n_;
      long sum = 0, others = 0;
      Kokkos::parallel_reduce(
          "sum", Indices(execs[p], 0, n), KOKKOS_LAMBDA(std::size_t i, long& all) { all += value_at(first + i); }, sum);
      execs[p].fence();
      Kokkos::parallel_reduce(
          "check", Indices(execs[p], 0, n),
          KOKKOS_LAMBDA(std::size_t i, long& all) {
            T const step = own(exclusive && i > 0 ? i - 1 : i);
            T const left = i > 0 ? sums(i - 1) : static_cast<T>(before);
            all += sums(i) != (exclusive && i == 0 ? left : left + step);
          },
          others);
      execs[p].fence();
      wrong += others;
      before += sum;
    }
    if (wrong == 0) return;
    std::printf("%s: %ld WRONG\n", what.c_str(), wrong);
    all_right = false;
  }

  std::vector<Exec> execs;
  std::vector<View<T>> from, dest;

 private:
  std::size_t n_;
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

template <class T>
void measure(char const* type, std::vector<std::unique_ptr<Place>> const& places, std::size_t n) {
  Arrays<T> const arrays(places, n);
  auto const report = [&](char const* scan, bool exclusive, auto const& alone, auto const& all) {
    std::string const what = std::string(scan) + " " + type;
    double const one       = time_of(arrays, alone);
    arrays.check(what + " by one", exclusive, 1);
    double const together = time_of(arrays, all);
    arrays.check(what + " by all", exclusive, places.size());
    double const work = on_host ? one * static_cast<double>(places.size()) : one;  // hosts' instances take turns
    std::printf("%-14s n = %zu on each: one alone %9.3f ms (%.0f GB/s), all %zu %9.3f ms: %.3f of its speed each\n",
                what.c_str(), n, one, 2e-6 * static_cast<double>(n * sizeof(T)) / one, places.size(), together,
                work / together);
  };
  report(
      "inclusive", false, [&] { KokkosScan::inclusive_scan(arrays.execs[0], arrays.from[0], arrays.dest[0]); },
      [&] { KokkosScan::distribute(arrays.execs, arrays.from, arrays.dest); });
  report(
      "exclusive", true, [&] { KokkosScan::exclusive_scan(arrays.execs[0], arrays.from[0], arrays.dest[0], T(0)); },
      [&] { KokkosScan::distribute_exclusive(arrays.execs, arrays.from, arrays.dest, T(0)); });
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
