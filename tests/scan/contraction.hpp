// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "support/spaces.hpp"

// Where the processor has fused multiplications and additions, g++ decides in each inlined copy of an operator anew
// which product it fuses with which sum. The bits of a result may not depend on the copy that an element meets: not
// on the number of threads, nor on the grid algorithm; and the last element is the total. CMake builds this program
// twice, once for processors that have these instructions.
namespace contraction {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;

inline int repetitions() { return static_cast<int>(test::number_from_environment("KOKKOSSCAN_REPETITIONS", 2)); }

inline std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all{1000, 70'001, 200'000};
  if (repetitions() >= 20) all.insert(all.end(), {3'000'001, 20'000'000});
  return all;
}

/// 2 x 2 matrices by rows.
template <class T>
struct Matrix {
  T a, b, c, d;
};
/// The map x -> a x + b.
struct Affine {
  float a, b;
};

struct Then {
  template <class T>
  KOKKOS_FUNCTION Matrix<T> operator()(Matrix<T> const& l, Matrix<T> const& r) const {
    return {l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d};
  }
  KOKKOS_FUNCTION Affine operator()(Affine const& left, Affine const& right) const {
    return {right.a * left.a, right.a * left.b + right.b};
  }
};
struct LogSumExp {
  KOKKOS_FUNCTION double operator()(double left, double right) const {
    double const larger = left < right ? right : left;
    return larger + std::log1p(std::exp((left < right ? left : right) - larger));
  }
};
/// Of a and b it makes (1 + a) (1 + b) - 1.
struct Compound {
  KOKKOS_FUNCTION float operator()(float left, float right) const { return left + right + left * right; }
};

// None grows or vanishes over many elements.
template <class T>
void make(test::Random& random, Kokkos::complex<T>& value) {
  double const angle = 7 * random.fraction();
  value              = Kokkos::complex<T>(static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle)));
}
template <class T>
void make(test::Random& random, Matrix<T>& value) {
  double const angle = 7 * random.fraction();
  T const cosine = static_cast<T>(std::cos(angle)), sine = static_cast<T>(std::sin(angle));
  value = {cosine, -sine, sine, cosine};
}
inline void make(test::Random& random, Affine& value) {
  value = {static_cast<float>(0.9 + 0.15 * random.fraction()), static_cast<float>(random.fraction() - 0.4)};
}
inline void make(test::Random& random, float& value) { value = static_cast<float>(0.02 * random.fraction() - 0.0101); }
inline void make(test::Random& random, double& value) { value = 10 * random.fraction(); }

template <class Value_, class Op_>
struct Case {
  using Value = Value_;
  using Op    = Op_;
};

template <class Value>
bool same_bits(Value const& a, Value const& b) {
  return std::memcmp(&a, &b, sizeof(Value)) == 0;
}

template <class T>
class Contraction : public testing::Test {
 protected:
  using Value  = typename T::Value;
  using Op     = typename T::Op;
  using View   = Kokkos::View<Value*, Kokkos::HostSpace>;
  using Result = std::vector<Value>;

  void SetUp() override {
#if defined(__FMA__) && defined(__GNUC__)
    if (!__builtin_cpu_supports("fma") || !__builtin_cpu_supports("avx2"))
      GTEST_SKIP() << "this program is for processors with fused multiplications and additions";
#endif
  }

  View values(std::size_t n) const {
    View const from("from", n);
    test::Random random(n);
    for (std::size_t i = 0; i < n; ++i) make(random, from(i));
    return from;
  }

  /// Hands look(k, dest) the results of an inclusive scan, the last of which must be the total, k being 0; and those of
  /// an exclusive one, k being 1.
  static void scan(auto const& exec, auto const& from, auto const& dest, auto const& look) {
    std::size_t const n = from.extent(0);
    Value init, total, behind;
    test::Random random(99);
    make(random, init);
    bool const in_place = from.data() == dest.data();
    View const kept("kept", in_place ? n : 0);
    if (in_place) Kokkos::deep_copy(kept, from);
    inclusive_scan(exec, from, dest, Op{}, init, Total{total});
    look(0, dest);
    EXPECT_TRUE(same_bits(dest(n - 1), total)) << "the last of " << n << " results and the total";
    if (in_place) Kokkos::deep_copy(from, kept);
    exclusive_scan(exec, from, dest, init, Op{}, Total{behind});
    EXPECT_TRUE(same_bits(behind, total)) << "the total of an exclusive scan of " << n;
    look(1, dest);
    if (in_place) Kokkos::deep_copy(from, kept);
  }
  static Result scan(auto const& exec, auto const& from, auto const& dest) {
    std::size_t const n = from.extent(0);
    Result found(2 * n);
    scan(exec, from, dest, [&](std::size_t k, auto const& results) {
      for (std::size_t i = 0; i < n; ++i) found[k * n + i] = results(i);
    });
    return found;
  }

  /// By all threads, since the results are many.
  static void expect_same(auto const& exec, auto const& from, auto const& dest, Result const& expected,
                          std::string const& what) {
    std::size_t const n = from.extent(0);
    scan(exec, from, dest, [&](std::size_t k, auto const& results) {
      Value const* const wanted = expected.data() + k * n;
      std::size_t first         = n;  // or more, if none differs
      Kokkos::parallel_reduce(
          "contraction: compare", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(0, n),
          [=](std::size_t const i, std::size_t& least) {
            if (i < least && !same_bits(static_cast<Value const&>(results(i)), wanted[i])) least = i;
          },
          Kokkos::Min<std::size_t>(first));
      EXPECT_GE(first, n) << "the first element that differs, of " << n << "; "
                          << (k == 0 ? "inclusive, " : "exclusive, ") << what;
    });
  }

#ifdef KOKKOS_ENABLE_OPENMP
  /// f(instance, what it is)
  template <class F>
  void for_each_instance(F const& f) const {
    std::vector<int> threads{2, 3, 7};
    if (repetitions() >= 20) threads = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    for (int const count : threads)
      for (int run = 0; run < repetitions() && !this->HasFailure(); ++run)
        f(Kokkos::OpenMP(count), std::to_string(count) + " threads, run " + std::to_string(run));
  }
  Kokkos::OpenMP const one_worker{1};
#else
  template <class F>
  void for_each_instance(F const& f) const {
    for (int run = 0; run < repetitions(); ++run) f(Exec(), "run " + std::to_string(run));
  }
  Exec const one_worker{};
#endif
};

}  // namespace contraction
