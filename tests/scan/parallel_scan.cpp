// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>

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

  KOKKOS_FUNCTION void init(value_type& update) const { Kokkos::abort("init without the tag"); }
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
    if constexpr (has_choices<std::remove_cvref_t<decltype(where)>>) return;  // they differ in the tiles alone
    Kokkos::RangePolicy<Exec, Through, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>> const policy(
        where.exec(), begin, end, Kokkos::ChunkSize(3));
    KokkosScan::parallel_scan("label", where, policy, Tagged<View, Counts>{functor}, total);
    Kokkos::deep_copy(Kokkos::View<Value, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&found), total);
    expect(true, "with a tag", found);
  });
}

TYPED_TEST(ParallelScan, one_final_call_with_what_stands_before) { expect_contract<TypeParam>(); }

using Exec  = Kokkos::DefaultExecutionSpace;
using Longs = Kokkos::View<std::int64_t*, Exec>;

/// 0, 0, 1, 3, 6, ... and the sum of 0 ... n - 1.
void expect_sums(Longs const& sums, std::int64_t total) {
  auto const found   = to_vector(sums, std::int64_t{});
  std::int64_t start = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i], start) << i;
    start += static_cast<std::int64_t>(i);
  }
  EXPECT_EQ(total, start);
  Kokkos::deep_copy(sums, -1);
}

/// Neither value_type nor init nor join, and other call operators beside.
struct Plain {
  Longs sums;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::int64_t& update, bool final) const {
    if (final) sums(i) = update;
    update += static_cast<std::int64_t>(i);
  }
  KOKKOS_FUNCTION void operator()(Through, std::size_t) const {}
  KOKKOS_FUNCTION void operator()(std::size_t) const {}
};
auto lambda(Longs const& sums) {
  return KOKKOS_LAMBDA(int const i, std::int64_t& update, bool const final) {
    if (final) sums(i) = update;
    update += i;
  };
}
/// Whose value type the total alone can tell.
auto generic_lambda(Longs const& sums) {
  return KOKKOS_LAMBDA(std::size_t i, auto& update, bool final) {
    if (final) sums(i) = update;
    update += static_cast<std::int64_t>(i);
  };
}

TEST(ParallelScanForms, labels_lengths_policies_and_totals) {
  std::size_t const n = 1000;
  Longs const sums("sums", n);
  std::int64_t const sum = 999 * 500;
  KokkosScan::parallel_scan(n, Plain{sums});
  expect_sums(sums, sum);
  KokkosScan::parallel_scan("label", 1000, lambda(sums));
  expect_sums(sums, sum);
  std::int64_t total = -1;
  KokkosScan::parallel_scan(1000U, lambda(sums), total);
  expect_sums(sums, total);
  KokkosScan::parallel_scan(std::string("label"), n, generic_lambda(sums), total = -1);
  expect_sums(sums, total);
  KokkosScan::parallel_scan(std::integral_constant<int, 1000>(), lambda(sums), KokkosScan::Total{total = -1});
  expect_sums(sums, total);

  Kokkos::RangePolicy<Exec> const policy(0, n);
  KokkosScan::parallel_scan(policy, lambda(sums));
  expect_sums(sums, sum);
  KokkosScan::parallel_scan("label", policy, lambda(sums), total = -1);
  expect_sums(sums, total);
  Kokkos::View<std::int64_t, Exec> const place("place");
  KokkosScan::parallel_scan(policy, lambda(sums), place);
  Kokkos::deep_copy(total, place);
  expect_sums(sums, total);
  KokkosScan::parallel_scan(policy, lambda(sums), KokkosScan::Total{place});
  Kokkos::deep_copy(total, place);
  expect_sums(sums, total);
  KokkosScan::parallel_scan(policy, lambda(sums), Kokkos::View<std::int64_t, Exec>("dropped"));
  expect_sums(sums, sum);
  // Not for a device to write: waited for.
  Kokkos::View<std::int64_t, Kokkos::HostSpace> const on_host("on host");
  KokkosScan::parallel_scan("label", n, lambda(sums), on_host);
  expect_sums(sums, on_host());

  KokkosScan::Handle const handle{Exec()};
  KokkosScan::parallel_scan("label", handle, n, lambda(sums), total = -1);
  expect_sums(sums, total);
  KokkosScan::parallel_scan(Exec(), policy, lambda(sums), total = -1);
  expect_sums(sums, total);
  Kokkos::parallel_scan(n, lambda(sums), total = -1);  // which the others take the place of
  expect_sums(sums, total);
}

/// Counts, from 100 on.
struct From100 {
  Longs indices;
  KOKKOS_FUNCTION void init(std::int64_t& update) const { update = 100; }
  KOKKOS_FUNCTION void join(std::int64_t& dest, std::int64_t src) const { dest += src - 100; }
  template <class Index>
  KOKKOS_FUNCTION void operator()(Index i, std::int64_t& update, bool final) const {
    static_assert(sizeof(Index) == 1);
    if (final) indices(update - 100) = i;
    ++update;
  }
};
template <class Index>
void expect_narrow(int begin, int end) {
  Longs const indices("indices", static_cast<std::size_t>(end - begin));
  std::int64_t total = -1;
  using Policy       = Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>;
  KokkosScan::parallel_scan(Policy(static_cast<Index>(begin), static_cast<Index>(end)), From100{indices}, total);
  EXPECT_EQ(total, 100 + end - begin);
  auto const found = to_vector(indices, std::int64_t{});
  for (int i = begin; i < end; ++i) ASSERT_EQ(found[static_cast<std::size_t>(i - begin)], i);
}
TEST(ParallelScanForms, narrow_indices_and_an_init_of_ones_own) {
  expect_narrow<std::int8_t>(-100, 120);
  expect_narrow<std::int8_t>(-128, 127);
  expect_narrow<std::uint8_t>(3, 255);
  expect_narrow<std::int8_t>(-5, -5);  // the total of nothing is init
  expect_narrow<std::uint8_t>(7, 7);
}

TEST(ParallelScanForms, nothing_to_scan) {
  std::int64_t total = -1;
  KokkosScan::parallel_scan(0, lambda(Longs()), total);
  EXPECT_EQ(total, 0);
  Kokkos::View<std::int64_t, Exec> const place("place");
  Kokkos::deep_copy(place, 7);
  KokkosScan::parallel_scan(Kokkos::RangePolicy<Exec>(5, 5), lambda(Longs()), place);
  Kokkos::deep_copy(total, place);
  EXPECT_EQ(total, 0);
  KokkosScan::parallel_scan(0, lambda(Longs()));
  EXPECT_THROW(KokkosScan::parallel_scan(-1, lambda(Longs())), std::invalid_argument);
}

/// With a work tag, init and join without one are not the scan's: so Kokkos has it.
struct ForTwo {
  Longs sums;
  KOKKOS_FUNCTION void init(std::int64_t& update) const { update = 5; }
  KOKKOS_FUNCTION void join(std::int64_t& dest, std::int64_t const& src) const { dest = dest < src ? src : dest; }
  KOKKOS_FUNCTION void operator()(Through, std::size_t i, std::int64_t& update, bool final) const {
    if (final) sums(i) = update;
    update += static_cast<std::int64_t>(i);
  }
};
/// Bytes wrap around.
struct OfBytes {
  Kokkos::View<char*, Exec> sums;
  KOKKOS_FUNCTION void operator()(std::size_t i, char& update, bool final) const {
    update = static_cast<char>(update + 7);
    if (final) sums(i) = update;
  }
};
TEST(ParallelScanForms, what_kokkos_takes_a_functor_for) {
  std::size_t const n = 70000;
  Longs const sums("sums", n);
  std::int64_t total = -1;
  KokkosScan::parallel_scan(Kokkos::RangePolicy<Exec, Through>(0, n), ForTwo{sums}, total);
  expect_sums(sums, total);
  Kokkos::parallel_scan(Kokkos::RangePolicy<Exec, Through>(0, n), ForTwo{sums}, total = -1);
  expect_sums(sums, total);
  Kokkos::View<char*, Exec> const bytes("bytes", n);
  KokkosScan::parallel_scan(n, OfBytes{bytes});
  auto const found = to_vector(bytes, char{});
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(found[i], static_cast<char>(7 * (i + 1)));
}

/// Sums that round.
struct Tenths {
  Kokkos::View<double*, Exec> sums;
  KOKKOS_FUNCTION void operator()(std::size_t i, double& update, bool final) const {
    update += 0.1 * static_cast<double>(i % 1000);
    if (final) sums(i) = update;
  }
};
TEST(ParallelScanForms, the_total_is_what_the_last_call_leaves) {
  for (std::size_t const n : {1U, 100U, 16384U, 100'001U, 1'000'003U}) {
    Kokkos::View<double*, Exec> const sums("sums", n);
    double total = -1, last = 0;
    KokkosScan::parallel_scan(n, Tenths{sums}, total);
    Kokkos::deep_copy(last, Kokkos::subview(sums, n - 1));
    EXPECT_EQ(total, last) << n;
    Kokkos::View<double, Exec> const place("place");
    KokkosScan::parallel_scan(n, Tenths{sums}, place);
    Kokkos::deep_copy(total, place);
    EXPECT_EQ(total, last) << n;
  }
}

/// Notes whether another call is under way.
struct Alone {
  Kokkos::View<int, Exec> busy, disturbed;
  KOKKOS_FUNCTION void operator()(std::size_t, int&, bool final) const {
    if (!final) return;
    for (int k = 0; k < 1000; ++k) {
      if (Kokkos::atomic_exchange(busy.data(), 1) != 0) Kokkos::atomic_store(disturbed.data(), 1);
      Kokkos::atomic_store(busy.data(), 0);
    }
  }
};
TEST(ParallelScanForms, kernels_of_one_instance_run_one_after_the_other) {
#ifdef KOKKOS_ENABLE_THREADS
  if (std::is_same_v<Exec, Kokkos::Threads>) GTEST_SKIP() << "Kokkos::Threads has one caller";
#endif
  Alone const alone{Kokkos::View<int, Exec>("busy"), Kokkos::View<int, Exec>("disturbed")};
  Exec const exec;
  std::atomic<int> waiting{2};
  auto const scans = [&] {
    --waiting;
    while (waiting > 0) std::this_thread::yield();
    for (int k = 0; k < 1000; ++k) KokkosScan::parallel_scan(Kokkos::RangePolicy<Exec>(exec, 0, 1), alone);
  };
  std::thread other(scans);
  scans();
  other.join();
  int disturbed = 1;
  Kokkos::deep_copy(disturbed, alone.disturbed);
  EXPECT_EQ(disturbed, 0);
}

void wait_for_all(char const*, std::uint32_t, std::uint64_t*) { Kokkos::fence("a tool's"); }
TEST(ParallelScanForms, a_tool_may_wait_for_the_instance_before_the_kernel) {
  std::int64_t total = 0;
  Longs const sums("sums", 100);
  Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(wait_for_all);
  KokkosScan::parallel_scan(100, lambda(sums), total);
  Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(nullptr);
  expect_sums(sums, total);
}

struct OnSerial {
  using execution_space = Kokkos::DefaultHostExecutionSpace;
};
struct OnDevice {
  using device_type = Kokkos::DefaultHostExecutionSpace::device_type;
};
TEST(ParallelScanForms, a_length_goes_to_the_space_of_the_functor) {
  using KokkosScan::driver::space_of_functor;
  static_assert(std::is_same_v<decltype(space_of_functor<OnSerial>()), Kokkos::DefaultHostExecutionSpace>);
  static_assert(std::is_same_v<decltype(space_of_functor<OnDevice>()), Kokkos::DefaultHostExecutionSpace>);
  static_assert(std::is_same_v<decltype(space_of_functor<Plain>()), Exec>);
}

/// Two sums in each row: of the threads of a team, and of the lanes of a thread.
struct Nested {
  Kokkos::View<int**, Exec> by_team, by_lanes;
  Kokkos::View<int*, Exec> totals;
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<Exec>::member_type const& team) const {
    int const row = team.league_rank(), n = static_cast<int>(by_team.extent(1));
    auto const sum = [&](Kokkos::View<int**, Exec> const& dest) {
      return [&dest, row](int i, int& update, bool final) {
        update += i;
        if (final) dest(row, i) = update;
      };
    };
    int total = 0;
    KokkosScan::parallel_scan(Kokkos::TeamThreadRange(team, n), sum(by_team));
    KokkosScan::parallel_scan(Kokkos::TeamThreadRange(team, n), sum(by_team), total);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      totals(row) = total;
      KokkosScan::parallel_scan(Kokkos::ThreadVectorRange(team, n), sum(by_lanes));
    });
  }
};
TEST(ParallelScanForms, within_kernels_it_is_kokkos) {
  Nested const nested{Kokkos::View<int**, Exec>("by team", 9, 20), Kokkos::View<int**, Exec>("by lanes", 9, 20),
                      Kokkos::View<int*, Exec>("totals", 9)};
  Kokkos::parallel_for(Kokkos::TeamPolicy<Exec>(9, 1), nested);
  auto const by_team  = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), nested.by_team);
  auto const by_lanes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), nested.by_lanes);
  for (int total : to_vector(nested.totals, 0)) EXPECT_EQ(total, 190);
  for (int row = 0; row < 9; ++row)
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(by_team(row, i), i * (i + 1) / 2);
      EXPECT_EQ(by_lanes(row, i), i * (i + 1) / 2);
    }
}

}  // namespace
}  // namespace test
