// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/tridiagonal_solve.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#ifdef KOKKOS_ENABLE_CUDA
#include <cusparse.h>
#endif

// Tridiagonal systems on the default space beside a copy of the bytes that must move (five arrays), the solvers of
// cuSPARSE where there is CUDA, one thread per line, and on hosts elimination by one thread: medians of seven. Every
// result is checked by its residual, on the device; 1 is returned if one is wrong. Then residuals alone, of matrices
// that are dominant, barely so, and graded. An argument divides all sizes.
//
//   nvcc_wrapper -std=c++20 -O3 -I. -Iinclude -IPREFIX/include perf/experiments/tridiagonal.cpp -o tridiagonal
//   -LPREFIX/lib -LBUILD -lKokkosScan -lkokkoscore -ldl -lcuda -lcusparse
namespace {

using Exec    = Kokkos::DefaultExecutionSpace;
using Space   = Exec::memory_space;
using Indices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

bool is_right = true;

template <class Call>
double time_of(Call const& call) {
  call();
  Kokkos::fence();
  Kokkos::Timer first;
  call();
  Kokkos::fence();
  int const calls = std::clamp(static_cast<int>(4e-3 / (first.seconds() + 1e-9)), 1, 2000);
  std::vector<double> samples(7);
  for (double& sample : samples) {
    Kokkos::fence();
    Kokkos::Timer const timer;
    for (int k = 0; k < calls; ++k) call();
    Kokkos::fence();
    sample = timer.seconds() * 1e6 / calls;
  }
  std::sort(samples.begin(), samples.end());
  return samples[3];
}

double time_of_copy(double bytes) {
  auto const half = static_cast<std::size_t>(bytes / 2);
  Kokkos::View<char*, Space> const from("from", half), to("to", half);
  return time_of([&] { Kokkos::deep_copy(Exec(), to, from); });
}

/// Where a system along each line lies: alike in all arrays.
template <class T>
struct Batch {
  T *lower, *diagonal, *upper, *right, *x;
  std::size_t length, lines, step, next;  // elements from a row, and from a line, to the next

  KOKKOS_FUNCTION std::size_t at(std::size_t line, std::size_t i) const { return line * next + i * step; }
};

enum class Kind { dominant, barely, graded };

template <class T>
struct Fill {
  Batch<T> b;
  Kind kind;

  KOKKOS_FUNCTION static double number(std::size_t i, unsigned which) {
    std::uint64_t x = (4 * i + which + 1) * 0x9e3779b97f4a7c15U;
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdU;
    x ^= x >> 32;
    return static_cast<double>(x >> 11) / 4503599627370496.0 - 1;
  }
  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    std::size_t const line = k / b.length, i = k % b.length, at = b.at(line, i);
    double lower = number(k, 0), upper = number(k, 1), right = number(k, 2);
    if (kind == Kind::barely) lower = upper = -1;
    double diagonal = Kokkos::abs(lower) + Kokkos::abs(upper) + (kind == Kind::barely ? 0 : 0.01);
    if (i == 0) lower = 0;
    if (i + 1 == b.length) upper = 0;  // cuSPARSE asks for it
    double const scale = kind == Kind::graded ? Kokkos::exp2(660 * number(k, 3)) : 1;
    b.lower[at]        = static_cast<T>(lower * scale);
    b.diagonal[at]     = static_cast<T>(diagonal * scale);
    b.upper[at]        = static_cast<T>(upper * scale);
    b.right[at]        = static_cast<T>(right * scale);
  }
};

/// The largest of each, in turns: residual of a row beside its terms; and residual, sum of a row, unknown.
template <class T>
struct Residual {
  Batch<T> b;
  T const* x;

  KOKKOS_FUNCTION void operator()(std::size_t k, double& by_rows, double& most, double& norm, double& size) const {
    std::size_t const line = k / b.length, i = k % b.length, at = b.at(line, i);
    double sum = static_cast<double>(b.right[at]), terms = Kokkos::abs(sum), row = 0;
    auto const term = [&](T a, T value) {
      double const product = static_cast<double>(a) * static_cast<double>(value);
      sum -= product;
      terms += Kokkos::abs(product);
      row += Kokkos::abs(static_cast<double>(a));
    };
    if (i > 0) term(b.lower[at], x[at - b.step]);
    term(b.diagonal[at], x[at]);
    if (i + 1 < b.length) term(b.upper[at], x[at + b.step]);
    double const here = terms > 0 ? Kokkos::abs(sum) / terms : 0;
    grow(by_rows, here);
    grow(most, Kokkos::abs(sum));
    grow(norm, row);
    grow(size, Kokkos::abs(static_cast<double>(x[at])));
  }
  KOKKOS_FUNCTION static void grow(double& most, double value) {
    if (!(value <= most)) most = value == value ? value : Kokkos::Experimental::infinity_v<double>;
  }
};

struct Residuals {
  double by_rows, by_norms;
};
template <class T>
Residuals residual(Batch<T> const& b, T const* x) {
  double rows = 0, most = 0, norm = 0, size = 0;
  Kokkos::parallel_reduce(Indices(Exec(), 0, b.length * b.lines), Residual<T>{b, x}, Kokkos::Max<double>(rows),
                          Kokkos::Max<double>(most), Kokkos::Max<double>(norm), Kokkos::Max<double>(size));
  return {rows, most > 0 ? most / norm / size : 0};
}

/// One thread to each line; what is kept goes to an array of its own.
template <class T>
struct ByThread {
  Batch<T> b;
  T* kept;

  KOKKOS_FUNCTION void operator()(std::size_t line) const {
    T upper = 0, right = 0;
    for (std::size_t i = 0; i < b.length; ++i) {
      std::size_t const at = b.at(line, i);
      T const lower = b.lower[at], inverse = T(1) / (b.diagonal[at] - lower * upper);
      right    = (b.right[at] - lower * right) * inverse;
      upper    = b.upper[at] * inverse;
      kept[at] = upper;
      b.x[at]  = right;
    }
    for (std::size_t i = b.length - 1; i-- > 0;) {
      std::size_t const at = b.at(line, i);
      b.x[at] = right = b.x[at] - kept[at] * right;
    }
  }
};

template <class T>
class Bench {
 public:
  Bench(std::string const& name, std::size_t length, std::size_t lines, bool across, Kind kind = Kind::dominant)
      : name_(name),
        n_(length * lines),
        lower_("lower", n_),
        diagonal_("diagonal", n_),
        upper_("upper", n_),
        right_("right", n_),
        x_("x", n_),
        kept_("kept", n_) {
    b_ = {lower_.data(), diagonal_.data(),   upper_.data(),      right_.data(), x_.data(), length,
          lines,         across ? lines : 1, across ? 1 : length};
    Kokkos::parallel_for(Indices(Exec(), 0, n_), Fill<T>{b_, kind});
    Kokkos::fence();
    if (!name_.empty()) copy_ = time_of_copy(5.0 * static_cast<double>(n_ * sizeof(T)));
  }

  void ours() {
    double const time = time_of([&] { solve(); });
    ours_             = time;
    print("KokkosScan", time, x_.data());
  }
  void by_thread() {
    print("one thread per line",
          time_of([&] { Kokkos::parallel_for(Indices(Exec(), 0, b_.lines), ByThread<T>{b_, kept_.data()}); }),
          x_.data());
  }
  void serial() {
    if constexpr (std::is_same_v<Space, Kokkos::HostSpace>)
      print("one thread", time_of([&] {
              for (std::size_t line = 0; line < b_.lines; ++line) ByThread<T>{b_, kept_.data()}(line);
            }),
            x_.data());
  }

#ifdef KOKKOS_ENABLE_CUDA
  /// In place: it is timed on what it leaves, and checked on what was given.
  template <class Size, class Run>
  void cusparse(char const* what, Size const& size, Run const& run) {
    cusparseHandle_t handle;
    check(cusparseCreate(&handle));
    check(cusparseSetStream(handle, Exec().cuda_stream()));
    std::size_t bytes = 0;
    check(size(handle, &bytes));
    Kokkos::View<char*, Space> const buffer("buffer", bytes);
    Kokkos::deep_copy(x_, right_);
    check(run(handle, buffer.data()));
    Kokkos::View<T*, Space> const first("first", n_);
    Kokkos::deep_copy(first, x_);
    double const time = time_of([&] { check(run(handle, buffer.data())); });
    print(what, time, first.data());
    check(cusparseDestroy(handle));
  }
  void gtsv2_nopivot() {
    int const n = static_cast<int>(n_);
    cusparse(
        "cusparseDgtsv2_nopivot",
        [&](cusparseHandle_t handle, std::size_t* bytes) {
          return cusparseDgtsv2_nopivot_bufferSizeExt(handle, n, 1, b_.lower, b_.diagonal, b_.upper, b_.x, n, bytes);
        },
        [&](cusparseHandle_t handle, void* buffer) {
          return cusparseDgtsv2_nopivot(handle, n, 1, b_.lower, b_.diagonal, b_.upper, b_.x, n, buffer);
        });
  }
  void gtsv2_strided_batch() {
    int const m = static_cast<int>(b_.length), count = static_cast<int>(b_.lines);
    cusparse(
        "cusparseDgtsv2StridedBatch",
        [&](cusparseHandle_t handle, std::size_t* bytes) {
          return cusparseDgtsv2StridedBatch_bufferSizeExt(handle, m, b_.lower, b_.diagonal, b_.upper, b_.x, count, m,
                                                          bytes);
        },
        [&](cusparseHandle_t handle, void* buffer) {
          return cusparseDgtsv2StridedBatch(handle, m, b_.lower, b_.diagonal, b_.upper, b_.x, count, m, buffer);
        });
  }
#else
  void gtsv2_nopivot() {}
  void gtsv2_strided_batch() {}
#endif

  Residuals solved() {
    solve();
    return residual(b_, x_.data());
  }

 private:
  void solve() const {
    if (b_.lines == 1) return KokkosScan::tridiagonal_solve(Exec(), lower_, diagonal_, upper_, right_, x_);
    if (b_.step == 1) return along<Kokkos::LayoutRight>(b_.lines, b_.length, 1);
    along<Kokkos::LayoutRight>(b_.length, b_.lines, 0);
  }
  template <class Layout>
  void along(std::size_t rows, std::size_t columns, int axis) const {
    using View = Kokkos::View<T**, Layout, Space, Kokkos::MemoryUnmanaged>;
    KokkosScan::tridiagonal_solve(Exec(), View(b_.lower, rows, columns), View(b_.diagonal, rows, columns),
                                  View(b_.upper, rows, columns), View(b_.right, rows, columns),
                                  View(b_.x, rows, columns), KokkosScan::Axis{axis});
  }

  void print(char const* what, double time, T const* x) {
    Residuals const left = residual(b_, x);
    bool const good      = left.by_rows < 1e4 * static_cast<double>(std::numeric_limits<T>::epsilon());
    std::printf("%-44s %-28s %12.2f us, %.3f of a copy, speed of KokkosScan over it %.3f, residual %.1e by rows%s\n",
                name_.c_str(), what, time, copy_ / time, time / ours_, left.by_rows, good ? "" : ", WRONG");
    std::fflush(stdout);
    is_right = is_right && (good || what[0] != 'K');
  }
#ifdef KOKKOS_ENABLE_CUDA
  static void check(cusparseStatus_t status) {
    if (status == CUSPARSE_STATUS_SUCCESS) return;
    std::fprintf(stderr, "cuSPARSE: %s\n", cusparseGetErrorString(status));
    std::exit(2);
  }
#endif

  std::string name_;
  std::size_t n_;
  Kokkos::View<T*, Space> lower_, diagonal_, upper_, right_, x_, kept_;
  Batch<T> b_;
  double copy_ = 0, ours_ = 1;
};

void residuals() {
  std::printf("residuals |right - A x| / (|A| |x|), and the largest of a row beside its terms\n");
  char const* const names[] = {"dominant", "barely dominant", "graded 1e-198 to 1e198"};
  for (Kind const kind : {Kind::dominant, Kind::barely, Kind::graded})
    for (int const size : {1, 2, 3, 10, 100, 1000, 10'000, 100'000, 1'000'000}) {
      auto const n         = static_cast<std::size_t>(size);
      Residuals const left = Bench<double>("", n, 1, false, kind).solved();
      bool const good      = left.by_norms < 4e-15 && (left.by_rows < 2e-13 || kind == Kind::barely);
      std::printf("  %-24s %8zu %10.1e %10.1e%s\n", names[static_cast<int>(kind)], n, left.by_norms, left.by_rows,
                  good ? "" : ", WRONG");
      is_right = is_right && good;
    }
}

void run(std::size_t divisor) {
  for (int const log : {24, 22, 16}) {
    Bench<double> one("2^" + std::to_string(log) + " f64, one system", (std::size_t{1} << log) / divisor, 1, false);
    one.ours();
    one.gtsv2_nopivot();
    one.serial();
  }
  {
    Bench<float> one("2^24 f32, one system", (std::size_t{1} << 24) / divisor, 1, false);
    one.ours();
    one.serial();
  }
  for (bool const across : {false, true}) {
    Bench<double> lines(across ? "72 x 10^6 f64, columns" : "10^6 x 72 f64, lines", 72, 1'000'000 / divisor, across);
    lines.ours();
    lines.by_thread();
    if (!across) lines.gtsv2_strided_batch();
    lines.serial();
  }
  for (bool const across : {false, true}) {
    Bench<double> lines(across ? "1000 x 50000 f64, columns" : "50000 x 1000 f64, lines", 1000, 50'000 / divisor,
                        across);
    lines.ours();
    lines.by_thread();
    if (!across) lines.gtsv2_strided_batch();
  }
  residuals();
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  run(argc > 1 ? static_cast<std::size_t>(std::atol(argv[1])) : 1);
  return is_right ? 0 : 1;
}
