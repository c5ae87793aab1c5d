// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/slots.hpp>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "scan/problems.hpp"

// Slots beside a loop that counts in 128 bits: requests of every kind, capacities around every edge, arenas.
namespace test {
namespace {

using KokkosScan::allocate_slots;
using KokkosScan::Total;

__extension__ using Wide = __int128;

struct Slots {
  std::vector<std::int64_t> begins;  // the largest there is where that is less
  std::vector<bool> granted;
  Wide asked, level;
};
template <class Begin, class Request>
Slots expected_slots(std::vector<Request> const& requests, Wide capacity, Wide taken = 0) {
  Wide const most = static_cast<Wide>(std::numeric_limits<Begin>::max());
  capacity        = std::min(capacity, most);
  Slots slots{{}, {}, taken, taken};
  for (Request const& request : requests) {
    slots.begins.push_back(static_cast<std::int64_t>(std::min(slots.asked, most)));
    if (request > 0) slots.asked += static_cast<Wide>(request);
    slots.granted.push_back(slots.asked <= capacity);
    if (slots.granted.back()) slots.level = slots.asked;
  }
  return slots;
}

template <class Request>
std::vector<Request> make_requests(std::size_t n, int kind) {
  Random random(n + static_cast<std::size_t>(kind));
  std::vector<Request> requests(n);
  for (Request& request : requests) switch (kind) {
      case 0: request = static_cast<Request>(random.below(4)); break;
      case 1: request = random.one_in(50) ? static_cast<Request>(random.below(100)) : Request{0}; break;
      default:  // negative ones among them, where there are such
        request = static_cast<Request>(random.below(256));
        if constexpr (std::is_signed_v<Request>)
          if (random.one_in(3)) request = static_cast<Request>(-static_cast<int>(random.below(100)));
    }
  return requests;
}

auto on_host(auto const& view) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view); }

template <class Begins, class Granted>
void expect_slots(Slots const& expected, Begins const& begins, Granted const& granted, std::string const& what) {
  auto const firsts = on_host(begins);
  auto const told   = on_host(granted);
  for (std::size_t i = 0; i < expected.begins.size(); ++i) {
    ASSERT_EQ(expected.begins[i], static_cast<std::int64_t>(firsts(i))) << what << ", i " << i;
    ASSERT_EQ(expected.granted[i] ? 1 : 0, static_cast<int>(told(i))) << what << ", i " << i;
  }
}

template <class Setup>
class SlotsOf : public testing::Test {
 protected:
  using Exec    = typename Setup::Exec;
  using Space   = typename Exec::memory_space;
  using Request = typename Setup::Value;
  template <class T>
  using Array = Kokkos::View<T*, Space>;

  template <class Begin, class Grant, class Where>
  static void expect_all(Where const& where, std::size_t n, std::string const& name, int kinds = 3) {
    Array<Begin> const begins("begins", n);
    Array<Grant> const granted("granted", n);
    Kokkos::View<std::int64_t, Space> const capacity("capacity"), asked("asked");
    for (int kind = 0; kind < kinds; ++kind) {
      auto const values   = make_requests<Request>(n, kind);
      auto const requests = to_view<Array<Request>>(values);
      auto const all      = static_cast<std::int64_t>(expected_slots<std::int64_t>(values, 0).asked);
      for (std::int64_t const slots : {std::int64_t{0}, std::int64_t{1}, all / 2, all - 1, all, all + 7}) {
        if (slots < 0) continue;
        std::string const what = name + ", n " + std::to_string(n) + ", requests " + std::to_string(kind) +
                                 ", capacity " + std::to_string(slots) + " of " + std::to_string(all);
        Slots const expected = expected_slots<Begin>(values, slots);
        Kokkos::deep_copy(begins, Begin{1});
        Kokkos::deep_copy(granted, Grant{0});
        Kokkos::deep_copy(asked, -1);
        allocate_slots(where, requests, slots, begins, granted, Total{asked});
        expect_slots(expected, begins, granted, what);
        std::int64_t total = -1;
        Kokkos::deep_copy(total, asked);
        ASSERT_EQ(all, total) << what;
        Kokkos::deep_copy(capacity, slots);
        Kokkos::deep_copy(begins, Begin{1});
        Kokkos::deep_copy(granted, Grant{0});
        allocate_slots("label", where, requests, capacity, begins, granted);
        expect_slots(expected, begins, granted, what + ", a View");
        if (testing::Test::HasFailure()) return;
      }
    }
  }
};
using SlotSetups = PlainSetups<Spaces, std::int32_t, std::int64_t, std::uint8_t>::Types;
TYPED_TEST_SUITE(SlotsOf, SlotSetups);

TYPED_TEST(SlotsOf, all_lengths) {
  Handle<typename TypeParam::Exec, typename TypeParam::Backend> const where;
  for (std::size_t const n :
       std::vector<std::size_t>{0, 1, 2, 33, 1'000, 4'095, 4'096, 4'097, takes_short_inputs ? 9'011 : 30'011}) {
    this->template expect_all<std::int64_t, bool>(where, n, "bool");
    if (testing::Test::HasFailure()) return;
  }
}

TYPED_TEST(SlotsOf, narrow_begins_name_no_slots_that_they_do_not_hold) {
  Handle<typename TypeParam::Exec, typename TypeParam::Backend> const where;
  this->template expect_all<std::int8_t, std::uint64_t>(where, 3'001, "narrow");
}

TYPED_TEST(SlotsOf, every_choice) {
  if constexpr (std::is_same_v<typename TypeParam::Value, std::int32_t>)
    try_choices<TypeParam>([&](auto const& handle, std::size_t tile, std::string const& what) {
      this->template expect_all<std::int32_t, std::int8_t>(handle, 2 * tile + 77, what, 1);
    });
}

TYPED_TEST(SlotsOf, begins_may_be_requests_and_views_lie_in_strides) {
  using Request = typename TypeParam::Value;
  using Space   = typename TypeParam::Exec::memory_space;
  Handle<typename TypeParam::Exec, typename TypeParam::Backend> const where;
  std::size_t const n = 9'001;
  auto const values   = make_requests<Request>(n, 0);
  auto const in_place = to_view<Kokkos::View<Request*, Space>>(values);
  Kokkos::View<int**, Kokkos::LayoutRight, Space> const table("table", n, 3);
  Kokkos::deep_copy(table, 9);
  auto const granted = Kokkos::subview(table, Kokkos::ALL, 1);
  allocate_slots(where, in_place, 5'000, in_place, granted);
  Slots const expected = expected_slots<Request>(values, 5'000);
  auto const firsts    = on_host(in_place);
  auto const all       = on_host(table);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(expected.begins[i], static_cast<std::int64_t>(firsts(i))) << i;
    ASSERT_EQ(expected.granted[i] ? 1 : 0, all(i, 1)) << i;
    ASSERT_TRUE(all(i, 0) == 9 && all(i, 2) == 9) << i;
  }
}

TYPED_TEST(SlotsOf, sums_stay_the_largest_number) {
  if constexpr (std::is_same_v<typename TypeParam::Value, std::int64_t>) {
    using Space = typename TypeParam::Exec::memory_space;
    Handle<typename TypeParam::Exec, typename TypeParam::Backend> const where;
    std::size_t const n          = 10'000;
    std::uint64_t constexpr most = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint64_t> values(n, most / 5'000);
    values[7'000]       = most - 3;
    auto const requests = to_view<Kokkos::View<std::uint64_t*, Space>>(values);
    Kokkos::View<std::uint64_t*, Space> const begins("begins", n);
    Kokkos::View<bool*, Space> const granted("granted", n);
    Kokkos::View<std::uint64_t, Space> const asked("asked");
    allocate_slots(where, requests, most - 1, begins, granted, Total{asked});
    auto const firsts       = on_host(begins);
    auto const told         = on_host(granted);
    __extension__ using Sum = unsigned __int128;
    Sum before              = 0;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(static_cast<std::uint64_t>(std::min<Sum>(before, most)), firsts(i)) << i;
      before += values[i];
      ASSERT_EQ(before <= most - 1, told(i)) << i;
    }
    ASSERT_EQ(most, to_vector(Kokkos::View<std::uint64_t*, Space>(asked.data(), 1), std::uint64_t{})[0]);
  }
}

TYPED_TEST(SlotsOf, an_arena_goes_on_behind_what_is_granted) {
  using Request = typename TypeParam::Value;
  using Space   = typename TypeParam::Exec::memory_space;
  Handle<typename TypeParam::Exec, typename TypeParam::Backend> const where;
  KokkosScan::Arena<Kokkos::View<double*, Space>> const arena(Kokkos::View<double*, Space>("memory", 20'000));
  auto const level = [&] {
    std::size_t taken = 0;
    Kokkos::deep_copy(taken, arena.level());
    return static_cast<Wide>(taken);
  };
  for (int round = 0; round < 2; ++round) {
    Wide taken = 0;
    for (std::size_t const n : std::vector<std::size_t>{5, 0, 3'000, 1, 7'001, 4'000, 6'000, 2, 1, 300, 1}) {
      auto const values   = make_requests<Request>(n, static_cast<int>(n % 2));
      auto const requests = to_view<Kokkos::View<Request*, Space>>(values);
      Kokkos::View<int*, Space> const begins("begins", n);
      Kokkos::View<int*, Space> const granted("granted", n);
      arena.allocate(where, requests, begins, granted);
      Slots const expected   = expected_slots<int>(values, 20'000, taken);
      std::string const what = "n " + std::to_string(n) + ", round " + std::to_string(round);
      expect_slots(expected, begins, granted, what);
      taken = expected.level;
      ASSERT_TRUE(taken == level()) << what;
      if (testing::Test::HasFailure()) return;
    }
    ASSERT_TRUE(taken > 15'000 && taken <= 20'000);
    arena.reset(where);
    ASSERT_TRUE(level() == 0);
  }
}

}  // namespace
}  // namespace test
