// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

#include "src/portable/backend.hpp"
#include "support/backend_choices.hpp"
#include "support/random.hpp"
#include "support/spaces.hpp"

// Where the processor has fused multiplications and additions, g++ decides in each inlined copy of an operator anew
// which product it fuses with which sum. The bits of a result may not depend on the copy that an element meets: not
// on the number of threads, nor on the grid algorithm; and the last element is the total. CMake builds this program
// twice, once for processors that have these instructions.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;

int repetitions() { return static_cast<int>(test::number_from_environment("KOKKOSSCAN_REPETITIONS", 2)); }
/// Of many elements fewer scans say as much.
int repetitions_of(std::size_t n) {
  return std::min(repetitions(), static_cast<int>(std::max<std::size_t>(1, 20'000'000 / n)));
}

std::vector<std::size_t> lengths() {
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
void make(test::Random& random, Affine& value) {
  value = {static_cast<float>(0.9 + 0.15 * random.fraction()), static_cast<float>(random.fraction() - 0.4)};
}
void make(test::Random& random, float& value) { value = static_cast<float>(0.02 * random.fraction() - 0.0101); }
void make(test::Random& random, double& value) { value = 10 * random.fraction(); }

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

  /// The results of an inclusive scan, the last of which must be the total, and of an exclusive one.
  template <class Where, class Inputs, class Results>
  Result scan(Where const& where, Inputs const& from, Results const& dest) const {
    std::size_t const n = from.extent(0);
    Value init, total;
    test::Random random(99);
    make(random, init);
    Result found;
    bool const in_place = from.data() == dest.data();
    View const kept("kept", in_place ? n : 0);
    if (in_place) Kokkos::deep_copy(kept, from);
    inclusive_scan(where, from, dest, Op{}, init, Total{total});
    for (std::size_t i = 0; i < n; ++i) found.push_back(dest(i));
    EXPECT_TRUE(same_bits(found.back(), total)) << "the last of " << n << " results and the total";
    if (in_place) Kokkos::deep_copy(from, kept);
    Value behind;
    exclusive_scan(where, from, dest, init, Op{}, Total{behind});
    EXPECT_TRUE(same_bits(behind, total)) << "the total of an exclusive scan of " << n;
    for (std::size_t i = 0; i < n; ++i) found.push_back(dest(i));
    return found;
  }

  static void expect_same(Result const& got, Result const& expected, std::string const& what) {
    std::size_t different = 0, first = 0;
    for (std::size_t i = got.size(); i-- > 0;)
      if (!same_bits(got[i], expected[i])) ++different, first = i;
    EXPECT_EQ(different, 0U) << "of " << got.size() << " elements, from " << first << " on; " << what;
  }

#ifdef KOKKOS_ENABLE_OPENMP
  /// f(instance, what it is), for scans of n elements
  template <class F>
  void for_each_instance(std::size_t n, F const& f) const {
    std::vector<int> threads{2, 3, 7};
    if (repetitions() >= 20) threads = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    for (int const count : threads)
      for (int run = 0; run < repetitions_of(n) && !this->HasFailure(); ++run)
        f(Kokkos::OpenMP(count), std::to_string(count) + " threads, run " + std::to_string(run));
  }
  Kokkos::OpenMP const one_worker{1};
#else
  template <class F>
  void for_each_instance(std::size_t n, F const& f) const {
    for (int run = 0; run < repetitions_of(n); ++run) f(Exec(), "run " + std::to_string(run));
  }
  Exec const one_worker{};
#endif
};
using Cases = testing::Types<Case<Kokkos::complex<float>, Product>, Case<Kokkos::complex<double>, Product>,
                             Case<Matrix<float>, Then>, Case<Matrix<double>, Then>, Case<Affine, Then>,
                             Case<double, LogSumExp>, Case<float, Compound>>;
TYPED_TEST_SUITE(Contraction, Cases);

TYPED_TEST(Contraction, does_not_depend_on_the_number_of_threads) {
  for (std::size_t const n : lengths()) {
    auto const from = this->values(n);
    typename TestFixture::View const dest("dest", n);
    auto const expected = this->scan(this->one_worker, from, dest);
    this->for_each_instance(n, [&](auto const& exec, std::string const& what) {
      this->expect_same(this->scan(exec, from, dest), expected, what);
    });
    this->expect_same(this->scan(Exec(), from, from), expected, "in place");
    if (this->HasFailure()) return;
  }
}

/// One type stands for all where it takes long to compile.
using ContractionOfOne = Contraction<Case<Kokkos::complex<float>, Product>>;

TEST_F(ContractionOfOne, strides_have_the_same_bits) {
  using Strided = Kokkos::View<Value*, Kokkos::LayoutStride, Kokkos::HostSpace>;
  for (std::size_t const n : lengths()) {
    auto const from = this->values(n);
    View const dest("dest", n);
    auto const expected = this->scan(this->one_worker, from, dest);
    Strided const apart("apart", Kokkos::LayoutStride(n, 3));
    Kokkos::deep_copy(apart, from);
    this->for_each_instance(n, [&](auto const& exec, std::string const& what) {
      Kokkos::deep_copy(apart, from);
      this->expect_same(this->scan(exec, apart, apart), expected, what);
    });
    if (this->HasFailure()) return;
  }
}

/// Whatever joins the tiles, those of one block algorithm have the same bits.

TEST_F(ContractionOfOne, grids_have_the_same_bits) {
  std::size_t const n = repetitions() >= 20 ? 200'000 : 40'000;
  auto const from     = this->values(n);
  View const dest("dest", n);
  for (Options const& options : test::all_choices<driver::Backend<Exec>>()) {
    GridScan const reference = driver::takes_a_block(options.grid) ? GridScan::hierarchical : options.grid;
    auto const expected =
        this->scan(Handle(this->one_worker, Options{.grid = reference, .block = options.block}), from, dest);
    this->for_each_instance(n, [&](auto const& exec, std::string const& what) {
      this->expect_same(this->scan(Handle(exec, options), from, dest), expected,
                        to_string(options.grid) + ", " + to_string(options.block) + ", " + what);
    });
    if (this->HasFailure()) return;
  }
}

/// The portable backend has teams, whose members share the steps of a network.
TEST_F(ContractionOfOne, portable_teams_have_the_same_bits) {
  std::size_t const n = repetitions() >= 20 ? 200'000 : 40'000;
  auto const from     = this->values(n);
  View const dest("dest", n);
  for (Options const& options : test::all_choices<portable::Backend>()) {
    auto const by = [&](auto const& exec) {
      return this->scan(Handle<std::decay_t<decltype(exec)>, portable::Backend, Options>(exec, options), from, dest);
    };
    auto const expected = by(this->one_worker);
    this->for_each_instance(n, [&](auto const& exec, std::string const& what) {
      this->expect_same(by(exec), expected,
                        "portable, " + to_string(options.grid) + ", " + to_string(options.block) + ", " + what);
    });
    if (this->HasFailure()) return;
  }
}

}  // namespace
