// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <optional>

#include "problems.hpp"

// The contract of Kokkos::parallel_scan.
namespace test {
namespace {

/// 64 bytes, no default constructor: four matrices.
class Matrices {
 public:
  KOKKOSSCAN_FUNCTION explicit Matrices(Matrix const& all) : of_{all, all, all, all} {}
  KOKKOSSCAN_FUNCTION Matrices then(Matrices const& right) const {
    Matrices result(*this);
    for (int i = 0; i < 4; ++i) result.of_[i] = of_[i].then(right.of_[i]);
    return result;
  }
  static Matrices random(Random& random) {
    Matrices result(Matrix::random(random));
    for (Matrix& one : result.of_) one = Matrix::random(random);
    return result;
  }
  bool operator==(Matrices const&) const = default;

 private:
  Matrix of_[4];
};

/// What is combined with a value and changes nothing.
template <class Value>
KOKKOS_FUNCTION Value neutral() {
  if constexpr (std::is_same_v<Value, Affine>)
    return {1, 0, 0};
  else if constexpr (std::is_same_v<Value, Matrices>)
    return Matrices({1, 0, 0, 1});
  else
    return Value(0);
}

/// Writes what stands before each value over it, as offsets are made of counts in place, and counts the final calls.
template <class View, class Counts>
struct InPlace {
  using value_type = typename View::value_type;

  View data;
  Counts calls;
  std::int64_t begin;

  KOKKOS_FUNCTION void init(value_type& update) const { put(update, neutral<value_type>()); }
  KOKKOS_FUNCTION void join(value_type& dest, value_type const& src) const {
    put(dest, OperatorOf<value_type>{}(dest, src));
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i, value_type& update, bool final) const {
    auto const k = static_cast<std::size_t>(i - begin);
    value_type const own(data(k));
    if (final) {
      put(data(k), update);
      Kokkos::atomic_inc(&calls(k));
    }
    join(update, own);
  }
  KOKKOS_FUNCTION static void put(value_type& to, value_type const& value) {
    ::new (static_cast<void*>(&to)) value_type(value);
  }
};

/// The same, behind a work tag and with what stands behind each value. Without the tag it does nothing that is right.
struct Through {};
template <class View, class Counts>
struct Tagged {
  using value_type = typename View::value_type;

  InPlace<View, Counts> of;

  KOKKOS_FUNCTION void init(value_type&) const { Kokkos::abort("init without the tag"); }
  KOKKOS_FUNCTION void join(value_type&, value_type const&) const { Kokkos::abort("join without the tag"); }
  KOKKOS_FUNCTION void operator()(std::int64_t, value_type&, bool) const { Kokkos::abort("a call without the tag"); }

  KOKKOS_FUNCTION void init(Through const&, value_type& update) const { of.init(update); }
  KOKKOS_FUNCTION void join(Through, value_type& dest, value_type const& src) const { of.join(dest, src); }
  KOKKOS_FUNCTION void operator()(Through const&, std::int64_t i, value_type& update, bool final) const {
    of(i, update, final);
    if (final) of.put(of.data(static_cast<std::size_t>(i - of.begin)), update);
  }
};

template <class Setup>
class ParallelScan : public testing::Test {};
using ParallelScanSetups = Setups<Spaces, std::int64_t, float, Matrices>::Types;
TYPED_TEST_SUITE(ParallelScan, ParallelScanSetups);

template <class Setup>
void expect_contract() {
  using Exec   = typename Setup::Exec;
  using Value  = typename Setup::Value;
  using View   = typename Setup::View;
  using Space  = typename Exec::memory_space;
  using Counts = Kokkos::View<int*, Space>;
  using Op     = OperatorOf<Value>;
  for_each_choice<Setup>([&](auto const& where, std::size_t n, std::string const& what) {
    auto const from = make_values<Op, Value>(n, n);
    View const data = to_view<View>(from);
    Counts const calls("calls", n);
    Kokkos::View<Value, Space> const total(Kokkos::view_alloc("total", Kokkos::WithoutInitializing));
    auto const expect = [&](bool through, char const* form, Value found) {
      Value before = neutral<Value>();
      std::vector<Value> expected;
      for (Value const& own : from) {
        Value const behind = Op{}(before, own);
        expected.push_back(through ? behind : before);
        InPlace<View, Counts>::put(before, behind);
      }
      expect_same(expected, to_vector(data, before), what + ", " + form);
      expect_same(std::vector<int>(n, 1), to_vector(calls, 0), what + ", " + form + ", calls");
      EXPECT_TRUE(found == before) << what << ", " << form << ": the total is wrong";
      Kokkos::deep_copy(data, Kokkos::View<Value const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(from.data(), n));
      Kokkos::deep_copy(calls, 0);
    };
    std::int64_t const begin = -7, end = begin + static_cast<std::int64_t>(n);
    InPlace<View, Counts> const functor{data, calls, begin};
    Value found = Op{}(neutral<Value>(), make_values<Op, Value>(1, 5).front());
    KokkosScan::parallel_scan(where, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(begin, end), functor,
                              found);
    expect(false, "in place", found);
    if constexpr (!has_choices<std::remove_cvref_t<decltype(where)>>) {  // they differ in the tiles alone
      Kokkos::RangePolicy<Exec, Through, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>> const
          policy(where.exec(), begin, end, Kokkos::ChunkSize(3));
      KokkosScan::parallel_scan("label", where, policy, Tagged<View, Counts>{functor}, total);
      Kokkos::deep_copy(Kokkos::View<Value, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&found), total);
      expect(true, "with a tag", found);
    }
  });
}

TYPED_TEST(ParallelScan, one_final_call_with_what_stands_before) { expect_contract<TypeParam>(); }

}  // namespace
}  // namespace test
