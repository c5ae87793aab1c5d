// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan/team_scan.hpp>
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/monoids.hpp"
#include "support/spaces.hpp"
#include "support/values.hpp"

// Scans by the threads of a team, for all sizes of teams that there are threads for.
namespace test {
namespace {

using KokkosScan::Reversed;
using KokkosScan::Total;

template <class Value>
using OperatorOf = std::conditional_t<Monoid<Value>, Then, KokkosScan::Sum>;

enum class Form { inclusive, behind_init, exclusive, reversed, exclusive_reversed };

/// One row to each team, a result of any form, and what the threads of the team see of it when the scan returns.
template <class Exec, class From, class Dest>
struct Rows {
  using Value   = typename Dest::value_type;
  using Member  = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Scratch = Kokkos::View<Value*, typename Exec::scratch_memory_space, Kokkos::MemoryUnmanaged>;

  From from;
  Dest dest, seen;
  Value init;
  Form form;
  bool in_scratch;

  KOKKOS_FUNCTION static void copy(Value& to, Value const& from) { ::new (static_cast<void*>(&to)) Value(from); }

  template <class In, class Out>
  KOKKOS_FUNCTION void scan(Member const& team, In const& in, Out const& out) const {
    using Op = OperatorOf<Value>;
    switch (form) {
      case Form::inclusive: return KokkosScan::team_inclusive_scan(team, in, out, Op{});
      case Form::behind_init: return KokkosScan::team_inclusive_scan(team, in, out, Op{}, init);
      case Form::exclusive: return KokkosScan::team_exclusive_scan(team, in, out, init, Op{});
      case Form::reversed: return KokkosScan::team_inclusive_scan(team, in, out, Reversed{}, Op{});
      default: return KokkosScan::team_exclusive_scan(team, in, out, init, Op{}, Reversed{});
    }
  }

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const row = team.league_rank(), n = static_cast<int>(from.extent(1));
    auto const in  = Kokkos::subview(from, row, Kokkos::ALL);
    auto const out = Kokkos::subview(dest, row, Kokkos::ALL);
    auto const own = [&](auto const& f) { Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), f); };
    if (in_scratch) {
      Scratch const kept(team.team_scratch(0), from.extent(1));
      own([&](int i) { copy(kept(i), in(i)); });
      team.team_barrier();
      scan(team, kept, kept);
      own([&](int i) { copy(out(n - 1 - i), kept(n - 1 - i)); });
      team.team_barrier();
    } else {
      scan(team, in, out);
    }
    own([&](int i) { copy(seen(row, n - 1 - i), out(n - 1 - i)); });  // mostly another thread's
  }
};

template <class Value>
std::vector<Value> expected_row(std::vector<Value> const& from, Value const& init, Form form) {
  bool const turned    = form == Form::reversed || form == Form::exclusive_reversed;
  bool const exclusive = form == Form::exclusive || form == Form::exclusive_reversed;
  std::vector<Value> results(from);
  std::optional<Value> running;
  if (exclusive || form == Form::behind_init) running.emplace(init);
  for (std::size_t k = 0; k < from.size(); ++k) {
    std::size_t const i = turned ? from.size() - 1 - k : k;
    Value const through = running ? OperatorOf<Value>{}(*running, from[i]) : from[i];
    ::new (static_cast<void*>(&results[i])) Value(exclusive ? *running : through);
    running.emplace(through);
  }
  return results;
}

/// Without a value.
template <class Value>
union Variable {
  char none;
  Value value;
  KOKKOS_FUNCTION Variable() : none(0) {}
};

/// As many as Kokkos counts: 5.2 in a std::size_t, 4.6 in an int.
struct TeamBytes {
  std::size_t count;
  template <class T>
    requires std::is_integral_v<T>
  operator T() const {
    return static_cast<T>(count);
  }
};

/// Of one space and type of values.
template <class Exec_, class Value_>
struct TeamSetup {
  using Exec  = Exec_;
  using Value = Value_;
};
template <class Spaces, class... Values>
struct TeamSetups;
template <class First, class... Rest, class... Values>
struct TeamSetups<SpaceList<First, Rest...>, Values...> {
  using Types = testing::Types<TeamSetup<First, Affine>, TeamSetup<Rest, Affine>..., TeamSetup<First, Values>...>;
};

template <class Setup>
class TeamScan : public testing::Test {
 protected:
  using Exec                         = typename Setup::Exec;
  using Value                        = typename Setup::Value;
  using Op                           = OperatorOf<Value>;
  using Policy                       = Kokkos::TeamPolicy<Exec>;
  static constexpr std::size_t teams = 3;

  /// f(policy) for teams of all sizes up to 8, and of some above, each thread with one vector lane and with several.
  template <class Kernel, class F>
  static void for_each_policy(Kernel const& kernel, F const& f) {
    for (int const lanes : {1, 4}) {
      int const most = Policy(1, 1, lanes).team_size_max(kernel, Kokkos::ParallelForTag());
      for (int const size : {1, 2, 3, 4, 5, 6, 7, 8, 16, 31, 32, 33, 64, 100, 128, most})
        if (size <= most) {
          f(Policy(static_cast<int>(teams), size, lanes), size);
          if (testing::Test::HasFailure()) return;
        }
    }
  }

  template <class View>
  static auto filled(View const& view, std::vector<Value> const& values) {
    auto const mirror = Kokkos::create_mirror(Kokkos::WithoutInitializing, view);
    std::size_t k     = 0;
    for (std::size_t row = 0; row < view.extent(0); ++row)
      for (std::size_t i = 0; i < view.extent(1); ++i) ::new (static_cast<void*>(&mirror(row, i))) Value(values[k++]);
    Kokkos::deep_copy(view, mirror);
    return view;
  }
  template <class View>
  static std::vector<Value> row_of(View const& mirror, std::size_t row) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < mirror.extent(1); ++i) values.push_back(mirror(row, i));
    return values;
  }
  template <class View>
  static auto on_host(View const& view) {
    auto const mirror = Kokkos::create_mirror(Kokkos::WithoutInitializing, view);
    Kokkos::deep_copy(mirror, view);
    return mirror;
  }

  template <class Layout>
  static void expect_rows(bool in_place, bool in_scratch) {
    using View = Kokkos::View<Value**, Layout, Exec>;
    for (std::size_t const n : {0U, 1U, 2U, 3U, 7U, 31U, 33U, 72U, 130U, 400U}) {
      auto const values = make_values<Op, Value>(teams * n + 1, n);
      auto const make   = [&] {
        return View(Kokkos::view_alloc(std::string("rows"), Kokkos::WithoutInitializing), teams, n);
      };
      View const from = filled(make(), values), dest = in_place ? from : make(), seen = make();
      for (Form const form :
           {Form::inclusive, Form::behind_init, Form::exclusive, Form::reversed, Form::exclusive_reversed}) {
        Rows<Exec, View, View> const rows{from, dest, seen, values.back(), form, in_scratch};
        for_each_policy(rows, [&](Policy policy, int size) {
          SCOPED_TRACE(std::to_string(n) + " values, a team of " + std::to_string(size) + ", form " +
                       std::to_string(static_cast<int>(form)));
          filled(from, values);
          std::size_t bytes = KokkosScan::team_scan_scratch<Value>(size);
          if (in_scratch) bytes += Rows<Exec, View, View>::Scratch::shmem_size(n);
          Kokkos::parallel_for(policy.set_scratch_size(0, Kokkos::PerTeam(TeamBytes{bytes})), rows);
          auto const results = on_host(dest), read = on_host(seen);
          for (std::size_t row = 0; row < teams; ++row) {
            auto const first    = values.data() + row * n;
            auto const expected = expected_row(std::vector<Value>(first, first + n), values.back(), form);
            EXPECT_TRUE(expected == row_of(results, row));
            EXPECT_TRUE(expected == row_of(read, row)) << "not all threads see the results";
          }
        });
      }
    }
  }
};
using TeamScanSetups = TeamSetups<Spaces, std::int8_t, double, Record>::Types;
TYPED_TEST_SUITE(TeamScan, TeamScanSetups);

TYPED_TEST(TeamScan, of_rows) { this->template expect_rows<Kokkos::LayoutRight>(false, false); }
TYPED_TEST(TeamScan, of_rows_in_strides) {
  if constexpr (std::is_same_v<typename TypeParam::Value, Affine>)
    this->template expect_rows<Kokkos::LayoutLeft>(false, false);
}
TYPED_TEST(TeamScan, in_place) { this->template expect_rows<Kokkos::LayoutRight>(true, false); }
TYPED_TEST(TeamScan, in_scratch) { this->template expect_rows<Kokkos::LayoutRight>(false, true); }

/// What each thread gets of a value of its own, one form behind the other without a barrier of the kernel's.
template <class Exec, class Value>
struct OwnValues {
  using View                 = Kokkos::View<Value**, Exec>;
  static constexpr int forms = 5;

  View values;  // of each thread
  View results[forms], totals[forms];
  Value init;

  KOKKOS_FUNCTION void operator()(typename Kokkos::TeamPolicy<Exec>::member_type const& team) const {
    using Op      = OperatorOf<Value>;
    int const row = team.league_rank(), rank = team.team_rank();
    Value const own(values(row, rank));
    auto const keep = [&](int form, auto const& scan) {
      Variable<Value> total;
      Value const prefix = scan(Total{total.value});
      Kokkos::single(Kokkos::PerThread(team), [&] {
        KokkosScan::core::put(results[form](row, rank), prefix);
        KokkosScan::core::put(totals[form](row, rank), total.value);
      });
    };
    keep(0, [&](auto total) { return KokkosScan::team_inclusive_scan_value(team, own, Op{}, total); });
    keep(1, [&](auto total) { return KokkosScan::team_inclusive_scan_value(team, own, Op{}, init, total); });
    keep(2, [&](auto total) { return KokkosScan::team_exclusive_scan_value(team, own, init, Op{}, total); });
    keep(3, [&](auto total) { return KokkosScan::team_inclusive_scan_value(team, own, Op{}, total, Reversed{}); });
    keep(4,
         [&](auto total) { return KokkosScan::team_exclusive_scan_value(team, own, init, total, Reversed{}, Op{}); });
  }
};

TYPED_TEST(TeamScan, of_a_value_of_each_thread) {
  using Exec      = typename TypeParam::Exec;
  using Value     = typename TypeParam::Value;
  using Kernel    = OwnValues<Exec, Value>;
  using Op        = OperatorOf<Value>;
  auto const make = [](std::size_t size) {
    return typename Kernel::View(Kokkos::view_alloc(std::string("values"), Kokkos::WithoutInitializing),
                                 TestFixture::teams, size);
  };
  Kernel kernel{{}, {}, {}, make_values<Op, Value>(1, 1).front()};
  this->for_each_policy(kernel, [&](auto policy, int threads) {
    auto const size = static_cast<std::size_t>(threads);
    SCOPED_TRACE("a team of " + std::to_string(size));
    auto const values = make_values<Op, Value>(size * TestFixture::teams + 1, 5);
    Kernel own{this->filled(make(size), values), {}, {}, values.back()};
    for (int form = 0; form < Kernel::forms; ++form) {
      own.results[form] = make(size);
      own.totals[form]  = make(size);
    }
    TeamBytes const bytes{KokkosScan::team_scan_scratch<Value>(threads)};
    Kokkos::parallel_for(policy.set_scratch_size(0, Kokkos::PerTeam(bytes)), own);
    for (int form = 0; form < Kernel::forms; ++form) {
      auto const results = this->on_host(own.results[form]), totals = this->on_host(own.totals[form]);
      for (std::size_t row = 0; row < TestFixture::teams; ++row) {
        auto const first = values.data() + row * size;
        std::vector<Value> const given(first, first + size);
        auto const at = static_cast<Form>(form);
        EXPECT_TRUE(expected_row(given, values.back(), at) == this->row_of(results, row)) << "form " << form;
        // The total is what stands behind all of them.
        Form const through  = at == Form::exclusive ? Form::behind_init : at;
        auto inclusive      = expected_row(given, values.back(), through);
        Value const* behind = &inclusive[at == Form::reversed ? 0 : inclusive.size() - 1];
        std::optional<Value> all;
        if (at == Form::exclusive_reversed)
          all.emplace(Op{}(inclusive.front(), given.front()));
        else
          all.emplace(*behind);
        for (Value const& total : this->row_of(totals, row)) EXPECT_TRUE(total == *all) << "form " << form;
      }
    }
  });
}

/// From one type into another, an op of one's own or none, and an init that converts.
struct Converts {
  Kokkos::View<std::int32_t*> from;
  Kokkos::View<std::int64_t*> dest;
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<>::member_type const& team) const {
    KokkosScan::team_exclusive_scan(team, from, dest, 0);
    std::int64_t total = 0;
    auto const before  = KokkosScan::team_exclusive_scan_value(team, std::int64_t{7}, 1, Total{total});
    if (before != 1 + 7 * team.team_rank() || total != 1 + 7 * team.team_size()) Kokkos::abort("a sum is wrong");
  }
};
TEST(TeamScanForms, converts_to_the_type_of_dest) {
  int const n = 1000;
  Converts const kernel{Kokkos::View<std::int32_t*>("from", n), Kokkos::View<std::int64_t*>("dest", n)};
  Kokkos::deep_copy(kernel.from, std::int32_t{1} << 30);
  Kokkos::parallel_for(Kokkos::TeamPolicy<>(1, 1), kernel);
  std::int64_t last = 0;
  Kokkos::deep_copy(last, Kokkos::subview(kernel.dest, n - 1));
  EXPECT_EQ(last, 999 * (std::int64_t{1} << 30));
}

/// Can be made, but never assigned.
struct Constant {
  int const value;
};
struct AddConstants {
  KOKKOS_FUNCTION Constant operator()(Constant const& left, Constant const& right) const {
    return {left.value + right.value};
  }
};
struct OfConstants {
  Kokkos::View<int*> results;
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<>::member_type const& team) const {
    int const n            = static_cast<int>(results.extent(0));
    void const* const free = team.team_scratch(0).get_shmem(0);
    Kokkos::View<Constant*, Kokkos::LayoutRight, Kokkos::MemoryUnmanaged> const constants(
        reinterpret_cast<Constant*>(results.data()), results.extent(0));
    KokkosScan::team_inclusive_scan(team, constants, constants, AddConstants{}, Constant{5});
    auto const own = KokkosScan::team_inclusive_scan_value(team, Constant{n}, AddConstants{});
    if (own.value != n * (team.team_rank() + 1)) Kokkos::abort("a sum of constants is wrong");
    if (team.team_scratch(0).get_shmem(0) != free) Kokkos::abort("scratch has not been given back");
  }
};
TEST(TeamScanForms, values_that_are_never_assigned) {
  Kokkos::View<int*> const results("results", 100);
  Kokkos::deep_copy(results, 1);
  int const most = Kokkos::TeamPolicy<>(1, 1).team_size_max(OfConstants{results}, Kokkos::ParallelForTag());
  Kokkos::parallel_for(Kokkos::TeamPolicy<>(1, most).set_scratch_size(
                           0, Kokkos::PerTeam(TeamBytes{KokkosScan::team_scan_scratch<Constant>(most)})),
                       OfConstants{results});
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), results);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(found(i), 6 + i);
}

TEST(TeamScanForms, scratch) {
  static_assert(KokkosScan::team_scan_scratch<double>(1) == 0);
  EXPECT_EQ(KokkosScan::team_scan_scratch<char>(33), 33U);
  EXPECT_GE(KokkosScan::team_scan_scratch<Record>(2), 2 * sizeof(Record));
}

}  // namespace
}  // namespace test
