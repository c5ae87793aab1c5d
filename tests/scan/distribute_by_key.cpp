// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan/distribute.hpp>
#include <KokkosScan/scan_by_key.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
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
#include "support/keys.hpp"
#include "support/thrown.hpp"

// Scans by key over several instances, against one loop over the elements of all.
namespace test {
namespace {

using KokkosScan::Reversed;
using Affine = test::AffineMap;
using Shares = std::vector<std::size_t>;

/// How long runs are: ones, a few, more than one instance has, or all; those of one instance, of two; or they begin
/// where the end of an instance is first looked at from.
enum class Runs { ones, short_ones, long_ones, one, of_instances, of_two_instances, of_pieces };
constexpr Runs all_runs[]   = {Runs::ones,         Runs::short_ones,       Runs::long_ones, Runs::one,
                               Runs::of_instances, Runs::of_two_instances, Runs::of_pieces};
constexpr std::size_t piece = 4096;

/// The number of the run of each element of all.
std::vector<std::size_t> draw_runs(Runs runs, Shares const& shares) {
  std::mt19937_64 random(11);
  std::size_t n = 0, left = 0, run = 0, last = 0;
  for (std::size_t const own : shares) n += own;
  auto const draw_length = [&] {
    switch (runs) {
      case Runs::ones: return std::size_t{1};
      case Runs::short_ones: return 1 + random() % 9;
      case Runs::long_ones: return 1 + random() % (1 + n / 2);
      default: return n + 1;
    }
  };
  auto const begins = [&](std::size_t i, std::size_t k) {
    std::size_t const behind = shares[i] - k;
    switch (runs) {
      case Runs::of_instances: return i != last;
      case Runs::of_two_instances: return i / 2 != last / 2;
      case Runs::of_pieces: return behind == piece || (i % 2 == 1 && behind == 3 * piece);
      default: return left == 0;
    }
  };
  std::vector<std::size_t> run_of;
  for (std::size_t i = 0; i < shares.size(); ++i)
    for (std::size_t k = 0; k < shares[i]; ++k, --left) {
      if (begins(i, k)) {
        run += run_of.empty() ? 0U : 1U;
        left = draw_length();
      }
      last = i;
      run_of.push_back(run);
    }
  return run_of;
}

/// Views of elements that lie side by side, or have others between them.
template <bool strided, class T>
auto views_of(Shares const& shares) {
  if constexpr (strided) {
    std::vector<Kokkos::View<T*, Kokkos::LayoutStride, Kokkos::HostSpace>> all;
    for (std::size_t const n : shares)
      all.push_back(
          Kokkos::subview(Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>("share", n, 3), Kokkos::ALL, 1));
    return all;
  } else {
    return views<T>(shares);
  }
}

struct Form {
  bool exclusive = false, reversed = false, in_place = false, strided = false;
};

/// What a call leaves in dest, however long the runs are.
template <Form form, class Key, class T, class Op, class Call>
void expect_runs(Shares const& shares, Op const& op, T const& init, Call const& call) {
  for (Runs const runs : all_runs) {
    auto const run_of = draw_runs(runs, shares);
    std::mt19937_64 random(17);
    auto const keys = views_of<form.strided, Key>(shares);
    auto const from = views_of<form.strided, T>(shares),
               dest = form.in_place ? from : views_of<form.strided, T>(shares);
    std::size_t at  = 0;
    for (std::size_t i = 0; i < shares.size(); ++i)
      for (std::size_t k = 0; k < shares[i]; ++k, ++at) {
        keys[i](k) = key_of<Key>(run_of[at], k);
        from[i](k) = value_of<T>(random());
      }
    std::vector<T> right;
    T running            = init;
    std::size_t previous = run_of.size();
    for (std::size_t j = 0; j < shares.size(); ++j)
      for (std::size_t k = 0; k < shares[form.reversed ? shares.size() - 1 - j : j]; ++k) {
        std::size_t const i = form.reversed ? shares.size() - 1 - j : j, e = form.reversed ? shares[i] - 1 - k : k;
        std::size_t const run = run_of[form.reversed ? run_of.size() - 1 - right.size() : right.size()];
        bool const begins     = run != previous;
        T const own           = from[i](e);
        if (begins) running = init;
        T const through = begins && !form.exclusive ? own : op(running, own);
        right.push_back(form.exclusive ? running : through);
        running  = through;
        previous = run;
      }
    call(instances_of(shares.size()), keys, from, dest, init);
    Kokkos::fence();
    at                = 0;
    std::size_t wrong = 0;
    for (std::size_t j = 0; j < shares.size(); ++j)
      for (std::size_t k = 0; k < shares[form.reversed ? shares.size() - 1 - j : j]; ++k) {
        std::size_t const i = form.reversed ? shares.size() - 1 - j : j, e = form.reversed ? shares[i] - 1 - k : k;
        wrong += !(dest[i](e) == right[at++]);
      }
    ASSERT_EQ(wrong, 0U) << "of " << at << " on " << shares.size() << " instances, the first has "
                         << (shares.empty() ? 0 : shares[0]) << ", runs " << static_cast<int>(runs);
  }
}

/// And shares around the lengths of what is looked at from their ends.
template <class F>
void for_all_shares_of_runs(F const& f) {
  for_all_shares([&](Shares const& shares) {
    if (shares.size() < 3 || shares[1] < piece) f(shares);  // those would take most of the time
  });
  for (Shares const& shares : {Shares{2, 0, 2, 1}, Shares{piece, piece + 1, 0, 3 * piece, piece - 1},
                               Shares{0, 2 * piece, 3 * piece + 1, 7 * piece, 0}})
    f(shares);
}

TEST(DistributeByKey, inclusive) {
  for_all_shares_of_runs([](Shares const& shares) {
    expect_runs<Form{}, std::int64_t, Affine>(
        shares, Compose{}, Affine{}, [](auto const& on, auto const& keys, auto const& from, auto const& dest, auto&) {
          KokkosScan::distribute_by_key(on, keys, from, dest, Compose{});
        });
  });
}
TEST(DistributeByKey, sums_in_place_from_the_far_end) {
  for_all_shares_of_runs([](Shares const& shares) {
    expect_runs<Form{.reversed = true, .in_place = true}, std::int32_t, std::int64_t>(
        shares, KokkosScan::Sum{}, std::int64_t{0},
        [](auto const& on, auto const& keys, auto const& from, auto const& dest, auto&) {
          KokkosScan::distribute_by_key("label", on, keys, from, dest, Reversed{});
        });
  });
}
TEST(DistributeByKey, exclusive_behind_a_value) {
  for_all_shares_of_runs([](Shares const& shares) {
    expect_runs<Form{.exclusive = true}, std::int64_t, Affine>(
        shares, Compose{}, Affine{3, 7},
        [](auto const& on, auto const& keys, auto const& from, auto const& dest, auto const& init) {
          KokkosScan::distribute_exclusive_by_key(on, keys, from, dest, init, Compose{}, KokkosScan::As<Affine>{});
        });
  });
}
TEST(DistributeByKey, exclusive_in_place_behind_a_view_with_handles_and_an_equality) {
  for_all_shares_of_runs([](Shares const& shares) {
    expect_runs<Form{.exclusive = true, .reversed = true, .in_place = true, .strided = true}, Name, Affine>(
        shares, Compose{}, Affine{3, 7},
        [](auto const& on, auto const& keys, auto const& from, auto const& dest, auto const& init) {
          std::vector<KokkosScan::Handle<Host>> handles;
          for (Host const& exec : on) handles.emplace_back(exec);
          Kokkos::View<Affine, Kokkos::HostSpace> const init_view("init");
          init_view() = init;
          KokkosScan::distribute_exclusive_by_key(handles, keys, from, dest, init_view, Compose{}, SameFamily{},
                                                  Reversed{});
        });
  });
}

TEST(DistributeByKey, floats_have_the_same_bits_each_time) {
  Shares const shares{50'001, 0, 70'003, 1};
  auto const keys = views<int>(shares);
  auto const from = views<float>(shares), dest = views<float>(shares), again = views<float>(shares);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<float> values(-1, 1);
  for_each(from, false, [&](float& value) { value = values(random); });
  std::array<Host, 4> const on{};
  KokkosScan::distribute_by_key(on, keys, from, dest);
  double sum = 0, furthest = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    for (std::size_t k = 0; k < shares[i]; ++k) {
      sum += static_cast<double>(from[i](k));
      furthest = std::max(furthest, std::abs(static_cast<double>(dest[i](k)) - sum));
    }
  EXPECT_LT(furthest, 1e-2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    KokkosScan::distribute_by_key(on, keys, from, again);
    for (std::size_t i = 0; i < shares.size(); ++i)
      ASSERT_TRUE(shares[i] == 0 || std::memcmp(again[i].data(), dest[i].data(), shares[i] * sizeof(float)) == 0);
  }
}

/// Counts how often it is called.
struct CountingSum {
  std::size_t* calls;
  int operator()(int left, int right) const {
    Kokkos::atomic_inc(calls);
    return left + right;
  }
};

TEST(DistributeByKey, reads_ends_alone_twice) {
  Shares const shares{100'000, 90'000, 80'000};
  auto const keys = views<int>(shares), from = views<int>(shares), dest = views<int>(shares);
  for (std::size_t i = 0; i < shares.size(); ++i)
    for (std::size_t k = 0; k < shares[i]; ++k) keys[i](k) = static_cast<int>(k / 1024);
  std::size_t calls = 0;
  KokkosScan::distribute_by_key(instances_of(3), keys, from, dest, CountingSum{&calls});
  std::size_t alone = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    KokkosScan::inclusive_scan_by_key(Host(), keys[i], from[i], dest[i], CountingSum{&alone});
  EXPECT_GE(calls, 270'000U - 1024);
  EXPECT_LE(calls, alone + 2 * piece + 16);
}

TEST(DistributeByKey, wrong_calls_name_the_instance_before_anything_is_written) {
  using Error = std::invalid_argument;
  std::vector<Host> const on(3);
  Shares const shares{3, 4, 5};
  auto const keys = views<int>(shares), from = views<int>(shares), dest = views<int>(shares);
  for_each(from, false, [](int& value) { value = 1; });
  auto const error = [&](Views<int> const& some_keys, Views<int> const& source, Views<int> const& to) {
    std::string const said = thrown_by<Error>([&] { KokkosScan::distribute_by_key(on, some_keys, source, to); });
    for_each(dest, false, [](int value) { ASSERT_EQ(value, 0); });
    return said;
  };
  auto const first_four = [](View<int> const& view) { return View<int>(view, std::pair(0, 4)); };
  EXPECT_TRUE(says(error({keys[0]}, from, dest), {"distribute_by_key: ", "3 instances", "1 Views in keys"}));
  EXPECT_TRUE(says(error(keys, {from[0], from[1]}, dest), {"3 instances", "2 Views in from"}));
  EXPECT_TRUE(says(error(keys, from, {dest[0], dest[1]}), {"3 instances", "2 Views in dest"}));
  EXPECT_TRUE(says(error({keys[0], keys[0], keys[2]}, from, dest),
                   {"KokkosScan::distribute_by_key (instance 1): ", "from", "4", "keys", "3"}));
  EXPECT_TRUE(says(error(keys, from, {dest[0], dest[1], dest[0]}), {"(instance 2): ", "from", "5", "dest", "3"}));
  EXPECT_TRUE(says(error(keys, from, {dest[0], dest[2], dest[2]}), {"dest (instance 2)", "dest (instance 1)"}));
  EXPECT_TRUE(
      says(error(keys, {from[0], first_four(dest[2]), from[2]}, dest), {"dest (instance 2)", "from (instance 1)"}));
  EXPECT_TRUE(
      says(error({keys[0], first_four(dest[2]), keys[2]}, from, dest), {"dest (instance 2)", "keys (instance 1)"}));
  EXPECT_TRUE(says(error({keys[0], keys[1], dest[2]}, from, dest), {"(instance 2): ", "keys", "dest"}));
  EXPECT_TRUE(
      says(thrown_by<Error>([&] { KokkosScan::distribute_by_key(std::vector<Host>(), Views<int>(), from, dest); }),
           {"there are no instances"}));
  Kokkos::View<int, Kokkos::HostSpace> const init(dest[1].data() + 1);
  EXPECT_TRUE(says(thrown_by<Error>([&] { KokkosScan::distribute_exclusive_by_key(on, keys, from, dest, init); }),
                   {"distribute_exclusive_by_key (instance 1): ", "dest", "init"}));
  for_each(dest, false, [](int value) { ASSERT_EQ(value, 0); });
  // Views that are as long as needed in what is longer, and keys that two instances share, are fine.
  View<int> const all("all", 9);
  Views<int> const longer{View<int>(all, std::pair(0, 4)), View<int>(all, std::pair(4, 9)), dest[2]};
  KokkosScan::distribute_by_key(on, Views<int>{keys[1], keys[1], keys[2]}, from, longer);
  EXPECT_EQ(all(2), 3);
  EXPECT_EQ(all(3), 0);
  EXPECT_EQ(all(7), 7);
  EXPECT_EQ(all(8), 0);
  EXPECT_EQ(dest[2](4), 12);
}

TEST(DistributeByKey, throws_what_an_operator_throws) {
  std::vector<Host> const on(3);
  Shares const shares{2, 2, 2};
  auto const keys = views<int>(shares), from = views<int>(shares), dest = views<int>(shares);
  from[1](1) = 1000;
  EXPECT_EQ(thrown_by<std::domain_error>([&] { KokkosScan::distribute_by_key(on, keys, from, dest, Refuses{}); }),
            "op");
  for_each(dest, false, [](int value) { EXPECT_EQ(value, 0); });
  from[1](1) = 1;
  KokkosScan::distribute_by_key(on, keys, from, dest, Refuses{});
  EXPECT_EQ(dest[2](1), 1);
}

TEST(DistributeByKey, names_the_instance_of_a_runtime_error_wherever_it_comes_from) {
  std::vector<Host> const on(3);
  Shares const shares{2, 200'000, 2};
  auto const keys = views<int>(shares), from = views<int>(shares), dest = views<int>(shares);
  for (auto const& view : from) Kokkos::deep_copy(view, 1);
  auto const said = [&](int at) {
    return thrown_by<std::runtime_error>([&] { KokkosScan::distribute_by_key(on, keys, from, dest, Fails{at}); });
  };
  std::string const of_1 = "KokkosScan::distribute_by_key (instance 1): op";
  EXPECT_EQ(said(piece), of_1);    // where the host puts what is before the last piece in front of it
  EXPECT_EQ(said(200'000), of_1);  // and the instance before in front of all, as no scan of so many does
}

}  // namespace
}  // namespace test
