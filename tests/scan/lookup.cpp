// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <Kokkos_StdAlgorithms.hpp>
#include <cstddef>
#include <string>

// The functions of KokkosScan and those of Kokkos have names in common. Whoever calls one of them without its
// namespace, as Kokkos itself does, must get the one in scope, whatever namespaces the arguments live in.
namespace KokkosScan {

/// A value and a functor of this namespace.
struct Mass {
  double grams;
  KOKKOS_FUNCTION friend Mass operator+(Mass const& left, Mass const& right) { return {left.grams + right.grams}; }
  KOKKOS_FUNCTION Mass& operator+=(Mass const& right) { return *this = *this + right; }
};

struct PrefixSums {
  using value_type = double;
  Kokkos::View<double*> sums;
  KOKKOS_FUNCTION void operator()(int i, double& running, bool final) const {
    running += i;
    if (final) sums(i) = running;
  }
};

}  // namespace KokkosScan

namespace Kokkos::Experimental {

/// An operator of the namespace that has functions of the same names.
struct Latest {
  template <class T>
  KOKKOS_FUNCTION T operator()(T const&, T const& right) const {
    return right;
  }
};

}  // namespace Kokkos::Experimental

/// Of names that the library has, too, for functions of its own.
namespace theirs {

template <class... Arguments>
void functor_arguments(std::string const&, Arguments&&...) = delete;
template <class... Arguments>
void functor_arguments_on(std::string const&, Arguments&&...) = delete;
template <class... Arguments>
void scan_by_functor(std::string const&, Arguments&&...) = delete;
template <class, class Functor>
void functor_for_exec(Functor&) = delete;
template <class, class Count>
void indices_of(std::string const&, Count&) = delete;

struct Functor : KokkosScan::PrefixSums {};
struct Count {
  operator std::size_t() const { return 100; }
};

}  // namespace theirs

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

TEST(Lookup, of_kokkos_finds_kokkos_own_functions) {
  using namespace Kokkos;  // as within Kokkos: its functions are called by their names alone
  View<double*> const sums("sums", 100);
  parallel_scan(RangePolicy<Exec>(0, 100), KokkosScan::PrefixSums{sums});
  double total = 0;
  parallel_scan("label", 100, KokkosScan::PrefixSums{sums}, total);
  EXPECT_EQ(total, 4950);

  using namespace Kokkos::Experimental;
  View<KokkosScan::Mass*> const masses("masses", 100), results("results", 100);
  deep_copy(masses, KokkosScan::Mass{2});
  auto const end = inclusive_scan(Exec(), masses, results, KokkosScan::Sum{}, KokkosScan::Mass{1});
  EXPECT_EQ(end - begin(results), 100);
  auto const last = create_mirror_view_and_copy(HostSpace(), results);
  EXPECT_EQ(last(99).grams, 201);
}

TEST(Lookup, of_kokkosscan_finds_its_own_functions) {
  using namespace KokkosScan;
  Kokkos::View<double*> const values("values", 100), results("results", 100);
  Kokkos::deep_copy(values, 2);
  double total = 0;
  inclusive_scan(Exec(), values, results, Kokkos::Experimental::Latest{}, Total{total});
  EXPECT_EQ(total, 2);
  exclusive_scan("label", Handle(Exec()), values, results, 5, Kokkos::Experimental::Latest{}, Total{total});
  EXPECT_EQ(total, 2);
}

TEST(Lookup, of_the_librarys_own_functions_finds_none_of_the_arguments_namespace) {
  Kokkos::View<double*> const sums("sums", 100);
  double total = 0;
  KokkosScan::parallel_scan(theirs::Count(), theirs::Functor{{sums}}, total);
  EXPECT_EQ(total, 4950);
}

/// Not even with an argument of this namespace and no other: the names are those of objects.
template <class... Arguments>
concept FoundByArguments = requires(Arguments const&... arguments) { inclusive_scan(arguments...); };

TEST(Lookup, by_arguments_finds_nothing) {
  using View = Kokkos::View<double*>;
  EXPECT_FALSE((FoundByArguments<KokkosScan::Handle<Exec>, View, View, KokkosScan::Sum>));
}

}  // namespace
