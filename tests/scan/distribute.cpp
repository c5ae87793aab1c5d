// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan/distribute.hpp>
#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "several_instances.hpp"
#include "support/affine_map.hpp"
#include "support/thrown.hpp"

// Scans over several instances, against one loop over the elements of all.
namespace test {
namespace {

using KokkosScan::Reversed;
using KokkosScan::Total;
using Exec = test::Host;

using Affine = test::AffineMap;

/// What a call leaves in dest, and the total, against a loop over copies of the same.
template <bool reversed, class Call>
void expect_scan(std::vector<std::size_t> const& shares, bool exclusive, bool has_init, bool in_place,
                 Call const& call) {
  std::mt19937_64 random(17);
  auto const from = views<Affine>(shares), dest = in_place ? from : views<Affine>(shares);
  for_each(from, false, [&](Affine& value) { value = {random(), random()}; });
  Affine const init{random(), random()};
  std::vector<Affine> right;
  Affine running = init;
  bool any       = has_init;
  for_each(from, reversed, [&](Affine const& value) {
    Affine const through = any ? Compose()(running, value) : value;
    right.push_back(exclusive ? running : through);
    running = through;
    any     = true;
  });
  Affine total{1, 1};
  if (!any) return;  // there is no total
  call(instances_of(shares.size()), from, dest, init, total);
  Kokkos::fence();
  std::size_t k = 0, wrong = 0;
  for_each(dest, reversed, [&](Affine const& value) { wrong += !(value == right[k++]); });
  EXPECT_EQ(wrong, 0U) << "of " << k;
  EXPECT_EQ(total, running);
}

TEST(Distribute, inclusive) {
  for_all_shares([](auto const& shares) {
    expect_scan<false>(shares, false, false, false,
                       [](auto const& on, auto const& from, auto const& dest, auto const&, auto& total) {
                         KokkosScan::distribute(on, from, dest, Compose{}, Total{total});
                       });
  });
}
TEST(Distribute, inclusive_behind_a_value_in_place_from_the_far_end) {
  for_all_shares([](auto const& shares) {
    expect_scan<true>(shares, false, true, true,
                      [](auto const& on, auto const& from, auto const& dest, auto const& init, auto& total) {
                        KokkosScan::distribute("label", on, from, dest, Compose{}, init, Total{total}, Reversed{});
                      });
  });
}
TEST(Distribute, exclusive_behind_a_view_with_handles) {
  for_all_shares([](auto const& shares) {
    expect_scan<false>(shares, true, true, false,
                       [](auto const& on, auto const& from, auto const& dest, auto const& init, auto& total) {
                         std::vector<KokkosScan::Handle<Exec>> handles;
                         for (Exec const& exec : on) handles.emplace_back(exec);
                         Kokkos::View<Affine, Kokkos::HostSpace> const init_view("init"), total_view("total");
                         init_view() = init;
                         KokkosScan::distribute_exclusive(handles, from, dest, init_view, Compose{}, Total{total_view});
                         Kokkos::fence();
                         total = total_view();
                       });
  });
}

TEST(Distribute, floats_have_the_same_bits_each_time_and_other_accumulators) {
  std::vector<std::size_t> const shares{50'001, 0, 70'003, 1};
  auto const from = views<float>(shares), dest = views<float>(shares);
  auto const wide = views<double>(shares), again = views<double>(shares);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<float> values(-1, 1);
  for_each(from, false, [&](float& value) { value = values(random); });
  std::array<Exec, 4> const on{};
  KokkosScan::distribute(on, from, wide);
  KokkosScan::distribute(on, from, dest, KokkosScan::As<double>{});
  double sum = 0, furthest = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    for (std::size_t k = 0; k < shares[i]; ++k) {
      sum += static_cast<double>(from[i](k));
      furthest = std::max(furthest, std::abs(wide[i](k) - sum));
      ASSERT_EQ(dest[i](k), static_cast<float>(wide[i](k)));
    }
  EXPECT_LT(furthest, 1e-9);
  for (int repeat = 0; repeat < 20; ++repeat) {
    KokkosScan::distribute(on, from, again);
    for (std::size_t i = 0; i < shares.size(); ++i)
      ASSERT_TRUE(shares[i] == 0 || std::memcmp(again[i].data(), wide[i].data(), shares[i] * sizeof(double)) == 0);
  }
}

struct IsOdd {
  KOKKOS_FUNCTION bool operator()(int value) const { return value % 2 != 0; }
};

TEST(Distribute, copies_what_is_chosen) {
  for_all_shares([](auto const& shares) {
    auto const from = views<int>(shares), dest = views<int>(shares);
    std::mt19937 random(5);
    for_each(from, false, [&](int& value) { value = static_cast<int>(random() % 1000); });
    auto const found   = KokkosScan::distribute_copy_if(instances_of(shares.size()), from, dest, IsOdd{});
    std::size_t before = 0;
    ASSERT_EQ(found.size(), shares.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
      std::size_t count = 0;
      for (std::size_t k = 0; k < shares[i]; ++k)
        if (IsOdd()(from[i](k))) {
          ASSERT_EQ(dest[i](count), from[i](k));
          ++count;
        }
      EXPECT_EQ(found[i].count, count);
      EXPECT_EQ(found[i].before, before);
      before += count;
    }
    for (auto const& share : found) EXPECT_EQ(share.total, before);
  });
}

/// A dest that is shorter than from reaches no further than it does.
TEST(Distribute, copies_into_parts_of_one_view) {
  Views<int> const from{View<int>("a", 100), View<int>("b", 100)};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < 100; ++k) from[i](k) = k % 50 == 7 ? 2 * static_cast<int>(i) + 1 : 0;
  View<int> const all("all", 8);
  Views<int> const dest{View<int>(all, std::pair(0, 4)), View<int>(all, std::pair(4, 8))};
  auto const found = KokkosScan::distribute_copy_if(instances_of(2), from, dest, IsOdd{});
  EXPECT_EQ(found[0].count, 2U);
  EXPECT_EQ(found[1].before, 2U);
  EXPECT_EQ(all(0) + 10 * all(1) + 100 * all(4) + 1000 * all(5), 3311);
}

TEST(Distribute, wrong_calls_name_the_instance_before_anything_is_written) {
  using Error = std::invalid_argument;
  std::vector<Exec> const on(3);
  std::vector<std::size_t> const shares{3, 4, 5};
  auto const from = views<int>(shares), dest = views<int>(shares);
  for_each(from, false, [](int& value) { value = 1; });
  auto const error = [&](Views<int> const& source, Views<int> const& to) {
    std::string const said = thrown_by<Error>([&] { KokkosScan::distribute(on, source, to); });
    for_each(dest, false, [](int value) { ASSERT_EQ(value, 0); });
    return said;
  };
  EXPECT_TRUE(says(error(from, {dest[0], dest[1]}), {"KokkosScan::distribute: ", "3 instances", "2 Views in dest"}));
  EXPECT_TRUE(
      says(error(from, {dest[0], dest[0], dest[2]}), {"KokkosScan::distribute (instance 1): ", "4", "dest", "3"}));
  EXPECT_TRUE(says(error(from, {dest[0], dest[2], dest[2]}), {"dest (instance 2)", "dest (instance 1)"}));
  EXPECT_TRUE(says(error({from[0], Kokkos::subview(dest[2], std::pair(0, 4)), from[2]}, {dest[0], dest[1], dest[2]}),
                   {"dest (instance 2)", "from (instance 1)"}));
  EXPECT_TRUE(says(thrown_by<Error>([&] { KokkosScan::distribute(std::vector<Exec>(), Views<int>(), Views<int>()); }),
                   {"there are no instances"}));
  EXPECT_TRUE(
      says(thrown_by<Error>([&] { KokkosScan::distribute(on, from, dest, KokkosScan::Sum{}, Total{dest[1](2)}); }),
           {"(instance 1)", "the total"}));
  Kokkos::View<int, Kokkos::HostSpace> const one("one");
  EXPECT_TRUE(says(
      thrown_by<Error>([&] { KokkosScan::distribute_exclusive(on, from, dest, one, KokkosScan::Sum{}, Total{one}); }),
      {"init", "the total"}));
  auto const nothing = views<Affine>({0, 0, 0});
  Affine total{};
  EXPECT_TRUE(says(thrown_by<Error>([&] { KokkosScan::distribute(on, nothing, nothing, Compose{}, Total{total}); }),
                   {"from is empty on all instances"}));
  // The next call works.
  KokkosScan::distribute(on, from, dest);
  EXPECT_EQ(dest[2](4), 12);
}

TEST(Distribute, throws_what_an_operator_throws) {
  std::vector<Exec> const on(3);
  auto const from = views<int>({2, 2, 2}), dest = views<int>({2, 2, 2});
  from[1](1) = 1000;
  EXPECT_EQ(thrown_by<std::domain_error>([&] { KokkosScan::distribute(on, from, dest, Refuses{}); }), "op");
  for_each(dest, false, [](int value) { EXPECT_EQ(value, 0); });
  from[1](1) = 1;
  KokkosScan::distribute(on, from, dest, Refuses{});
  EXPECT_EQ(dest[2](1), 1);
}

TEST(Distribute, names_the_instance_of_a_runtime_error_wherever_it_comes_from) {
  std::vector<Exec> const on(3);
  auto const said = [&](std::size_t n, std::int64_t at) {
    auto const from = views<std::int64_t>({2, n, 2}), dest = views<std::int64_t>({2, n, 2});
    std::int64_t value = 1;
    for_each(from, false, [&](std::int64_t& element) { element = value++; });
    return thrown_by<std::runtime_error>([&] { KokkosScan::distribute(on, from, dest, Fails{at}); });
  };
  std::string const of_1 = "KokkosScan::distribute (instance 1): op";
  EXPECT_EQ(said(2, 4), of_1);                                       // while that finds its aggregate, 3 + 4
  EXPECT_EQ(said(2, 6), "KokkosScan::distribute (instance 2): op");  // in the scan of the last
  // Where the host combines an aggregate with 1 + 2: no scan does that of many elements.
  std::int64_t const n = 200'000;
  EXPECT_EQ(said(n, n * (n + 5) / 2), of_1);
}

TEST(Distribute, names_an_instance_once) {
  std::vector<Exec> const on(2);
  auto const from = views<int>({2, 2}), dest = views<int>({2, 2});
  auto const fails = [](int) -> bool {
    throw std::runtime_error("KokkosScan::distribute_copy_if (instance 0): predicate");
  };
  EXPECT_EQ(thrown_by<std::runtime_error>([&] { KokkosScan::distribute_copy_if(on, from, dest, fails); }),
            "KokkosScan::distribute_copy_if (instance 0): predicate");
}

/// Something in the place of an instance, and what is current on the calling thread.
struct Device {};
int current = 0;

}  // namespace
}  // namespace test

template <>
struct KokkosScan::driver::CurrentDevice<test::Device> {
  ~CurrentDevice() { test::current = 0; }
};

namespace test {
namespace {

struct MakesAnotherCurrent {
  using Result = int;
  static Result call(std::string const&, std::vector<Device> const&, bool fails) {
    current = 1;
    if (fails) throw std::domain_error("fails");
    return 3;
  }
};

TEST(Distribute, leaves_the_device_of_the_thread_as_it_was) {
  constexpr KokkosScan::driver::FunctionOfSeveral<MakesAnotherCurrent, "name"> call;
  EXPECT_EQ(call(std::vector<Device>(2), false), 3);
  EXPECT_EQ(current, 0);
  EXPECT_EQ(thrown_by<std::domain_error>([&] { call(std::vector<Device>(2), true); }), "fails");
  EXPECT_EQ(current, 0);
}

}  // namespace
}  // namespace test
