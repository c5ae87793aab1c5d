// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <span>
#include <thread>

#include "radix_case.hpp"
#include "src/host/backend.hpp"
#include "support/spaces.hpp"
#include "support/time.hpp"

// Radix sort of the host backend: each way, by any number of workers, and as the backend has it.
namespace test {
namespace {

namespace host = KokkosScan::host;

/// Threads of the test's own, so many whatever Kokkos has.
struct OwnThreads {
  int count;
  int size() const { return count; }
  void run(host::FunctionRef<void(int)> f) const {
    std::vector<std::thread> threads;
    for (int worker = 0; worker < count; ++worker) threads.emplace_back([=] { f(worker); });
    for (std::thread& thread : threads) thread.join();
  }
};

struct Way {
  bool is_short, streams;
  int workers;
};
constexpr Way ways[] = {{true, false, 1}, {false, false, 1}, {false, false, 2}, {false, false, 3}, {false, false, 7},
                        {false, true, 1}, {false, true, 2},  {false, true, 3},  {false, true, 7}};

// Of each kind one, where types are crossed with lengths, unless all pairs are asked for.
constexpr Way one_of_each[]             = {{true, false, 1}, {false, false, 3}, {false, true, 2}};
constexpr std::span<Way const> few_ways = has_time ? std::span<Way const>(ways) : one_of_each;

template <class Value, class Order>
void expect_sorted_in_every_way(Order const& order, std::vector<typename Order::Bits> const& keys,
                                std::span<Way const> of = is_sanitized ? few_ways : ways) {
  static std::size_t call = 0;  // to start threads takes sanitizers long
  if (keys.size() < 100'000 && !is_made(call++)) return;
  for (Way const way : of) {
    if (way.is_short && keys.size() > 300) continue;
    SCOPED_TRACE(testing::Message() << way.workers << " workers" << (way.is_short ? ", short" : "")
                                    << (way.streams ? ", streaming" : ""));
    auto const plan_of = [way](auto const& sort) {
      host::sort::Plan plan = host::sort::Plan::of(sort, 1, static_cast<std::size_t>(-1));
      plan.is_short         = way.is_short;
      plan.streams          = way.streams;
      plan.workers          = way.workers;
      plan.is_sorted        = sort.n < 2 || sort.passes() == 0;
      if (plan.is_sorted) plan.workers = 1;
      return plan;
    };
    test::expect_sorted<Value, Kokkos::HostSpace>(
        order, keys,
        [&](auto const& sort) { return plan_of(sort).template scratch_bytes<std::decay_t<decltype(sort)>>(); },
        [&](auto const& sort, void* scratch) {
          host::sort::run(sort, plan_of(sort), OwnThreads{plan_of(sort).workers}, scratch);
        });
  }
}

constexpr std::size_t lengths[]     = {0, 1, 2, 3, 17, 255, 256, 257, 1000, 4097};
constexpr std::size_t few_lengths[] = {2, 17, 1000};
constexpr std::size_t many[]        = {70'001, is_sanitized ? 200'003 : 1'000'003};

TEST(HostRadix, SortsEveryTypeOfKeys) {
  for (Keys const kind : all_keys) {
    SCOPED_TRACE(testing::Message() << "keys " << static_cast<int>(kind));
    for_each_order([&](auto const& order) {
      using Bits = typename std::decay_t<decltype(order)>::Bits;
      for (std::size_t const n : lengths)
        expect_sorted_in_every_way<NoValues>(order, make_keys<Bits>(kind, n), few_ways);
    });
  }
}

TEST(HostRadix, SortsValuesOfEverySize) {
  for (Keys const kind : {Keys::random, Keys::few, Keys::low_digit})
    for (std::size_t const n : lengths) {
      auto const bytes = order_of<std::uint8_t>(false, false);
      auto const words = order_of<std::uint32_t>(false, true);
      expect_sorted_in_every_way<std::uint8_t>(words, make_keys<std::uint32_t>(kind, n), few_ways);
      expect_sorted_in_every_way<std::uint16_t>(words, make_keys<std::uint32_t>(kind, n), few_ways);
      expect_sorted_in_every_way<std::uint32_t>(words, make_keys<std::uint32_t>(kind, n), few_ways);
      expect_sorted_in_every_way<std::uint64_t>(words, make_keys<std::uint32_t>(kind, n), few_ways);
      expect_sorted_in_every_way<TwoWords>(words, make_keys<std::uint32_t>(kind, n), few_ways);
      expect_sorted_in_every_way<std::array<std::uint32_t, 3>>(words, make_keys<std::uint32_t>(kind, n), few_ways);
      expect_sorted_in_every_way<TwoWords>(bytes, make_keys<std::uint8_t>(kind, n), few_ways);
      expect_sorted_in_every_way<std::uint32_t>(order_of<std::uint64_t, true>(true, false),
                                                make_keys<std::uint64_t>(Keys::of_floats, n), few_ways);
    }
}

TEST(HostRadix, LooksAtTheseBitsAlone) {
  for_each_range(32, [](int begin, int end) {
    for (std::size_t const n : few_lengths)
      expect_sorted_in_every_way<std::uint32_t>(order_of<std::uint32_t>(true, true, begin, end),
                                                make_keys<std::uint32_t>(Keys::random, n));
  });
  for_each_range(64, [](int begin, int end) {
    for (std::size_t const n : few_lengths) {
      expect_sorted_in_every_way<std::uint32_t>(order_of<std::uint64_t>(false, false, begin, end),
                                                make_keys<std::uint64_t>(Keys::random, n));
      expect_sorted_in_every_way<std::uint32_t>(order_of<std::uint64_t, true>(false, false, begin, end),
                                                make_keys<std::uint64_t>(Keys::random, n));
    }
  });
}

TEST(HostRadix, SortsManyInEveryWay) {
  for (std::size_t const n : many) {
    auto const order = order_of<std::uint32_t>(false, false);
    expect_sorted_in_every_way<NoValues>(order, make_keys<std::uint32_t>(Keys::random, n));
    expect_sorted_in_every_way<std::uint32_t>(order, make_keys<std::uint32_t>(Keys::few, n));
  }
}

template <class Exec>
class HostRadixOn : public testing::Test {};
TYPED_TEST_SUITE(HostRadixOn, HostSpaces::Types);

TYPED_TEST(HostRadixOn, SortsByTheBackend) {
  TypeParam const exec;
  for (auto const& some : {std::vector<std::size_t>(std::begin(lengths), std::end(lengths)),
                           std::vector<std::size_t>(std::begin(many), std::end(many))})
    for (std::size_t const n : some)
      for (Keys const kind : {Keys::random, Keys::high_digit}) {
        expect_sorted_by<host::Backend, NoValues>(exec, order_of<std::uint32_t>(true, false),
                                                  make_keys<std::uint32_t>(kind, n));
        expect_sorted_by<host::Backend, std::uint32_t>(exec, order_of<std::uint64_t>(false, true),
                                                       make_keys<std::uint64_t>(kind, n));
      }
}

TYPED_TEST(HostRadixOn, StreamsWhatIsLargerThanTheCaches) {
  Assume const small_caches({64 * 1024, 1, host::Reading::straight});
  for (std::size_t const n : {std::size_t{4097}, std::size_t{70'001}})
    expect_sorted_by<host::Backend, TwoWords>(TypeParam(), order_of<std::uint16_t>(false, false),
                                              make_keys<std::uint16_t>(Keys::random, n));
}

TYPED_TEST(HostRadixOn, NeedsNoMoreForLess) {
  using Sort         = RadixSort<RadixOrder<std::uint32_t, false>, std::uint32_t>;
  std::size_t before = 0;
  for (std::size_t n = 1; n < std::size_t{1} << 30; n = n * 3 / 2 + 1) {
    Sort const sort{order_of<std::uint32_t>(false, false), nullptr, nullptr, nullptr, nullptr, n};
    std::size_t const needs = host::Backend::needs_of_sort(TypeParam(), sort).scratch;
    EXPECT_GE(needs, before);
    before = needs;
  }
}

TYPED_TEST(HostRadixOn, SortsWithinAKernel) {
  using Order             = RadixOrder<std::uint32_t, false>;
  using Sort              = RadixSort<Order>;
  constexpr std::size_t n = 70'001, calls = 5;
  auto const order = order_of<std::uint32_t>(false, false);
  auto const keys  = make_keys<std::uint32_t>(Keys::random, n);
  auto expected    = keys;
  std::sort(expected.begin(), expected.end());
  std::vector<std::vector<std::uint32_t>> sorted(calls, keys);
  TypeParam const exec;
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(exec, 0, calls), [&](std::size_t call) {
    std::vector<std::uint32_t> other(n);
    Sort const sort{order, sorted[call].data(), other.data(), nullptr, nullptr, n};
    std::vector<std::uint64_t> scratch(host::Backend::needs_of_sort(exec, sort).scratch / 8 + 1);
    host::Backend::sort(exec, "sort", sort, Memory{scratch.data(), nullptr, 0});
  });
  for (auto const& of_call : sorted) EXPECT_EQ(of_call, expected);
}

}  // namespace
}  // namespace test
