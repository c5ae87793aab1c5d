// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "src/block/networks.hpp"
#include "src/portable/workers.hpp"
#include "support/interval.hpp"
#include "support/monoids.hpp"
#include "support/spaces.hpp"

// The scan networks by themselves: every small length, every order within a step, and the operation counts of the
// papers, which are what the names promise.
namespace {

using namespace KokkosScan;
using core::Kind;
using test::Interval;

/// Takes the indices of a step in an order of its own: a network may not depend on it.
struct ShuffledWorkers {
  std::uint64_t seed;  // 0: forwards, 1: backwards
  int* steps = nullptr;

  template <class F>
  void for_each(int count, F const& f) const {
    if (steps && count > 0) ++*steps;
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    if (seed == 1) std::reverse(order.begin(), order.end());
    test::Random random(seed);
    for (std::size_t i = order.size(); seed > 1 && i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (int const i : order) f(i);
  }
  template <class F>
  void once(F const& f) const {
    for_each(1, [&](int) { f(); });
  }
};

template <class Network>
class Networks : public testing::Test {};
using Types = testing::Types<block::KoggeStone, block::KoggeStoneDoubleBuffered, block::BrentKung, block::Blelloch,
                             block::ThreePhase>;
TYPED_TEST_SUITE(Networks, Types);

/// Memory for one tile as a backend gives it, between guards; all that is no input has a wrong stamp, so that any use
/// of it shows.
struct Guarded {
  static constexpr std::size_t guard = 64;
  explicit Guarded(int n) : length(std::max(std::bit_ceil(static_cast<std::size_t>(n)), least)) {
    tile.assign(length + 2 * guard, stranger);
    scratch = tile;
  }
  void expect_guards() const {
    for (std::size_t i = 0; i < guard; ++i)
      for (std::vector<Interval> const* memory : {&tile, &scratch}) {
        ASSERT_EQ((*memory)[i], stranger) << "in front";
        ASSERT_EQ((*memory)[guard + length + i], stranger) << "behind";
      }
  }
  static constexpr Interval stranger{7, 7, 0xbad};
  static constexpr std::size_t least = static_cast<std::size_t>(block::smallest_capacity);
  std::size_t length;
  std::vector<Interval> tile, scratch;
};

TYPED_TEST(Networks, every_length_in_every_order) {
  using Network = TypeParam;
  test::Neighbours<Kokkos::HostSpace> const neighbours;
  auto const combine = neighbours.op();
  for (int n = 1; n <= 300; ++n)
    for (std::uint64_t const seed : {0U, 1U, 2U, 3U}) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", order " << seed);
      Guarded memory(n);
      auto const values = neighbours.values(static_cast<std::size_t>(n));
      std::copy(values.begin(), values.end(), memory.tile.begin() + Guarded::guard);
      Interval* const scratch = memory.scratch.data() + Guarded::guard;
      Interval const* const result =
          Network::run(ShuffledWorkers{seed}, n, memory.tile.data() + Guarded::guard, scratch, combine);
      for (int i = 0; i < n; ++i) {
        auto const up_to = [&](int last) { return Interval{1, static_cast<std::uint32_t>(last), combine.stamp}; };
        ASSERT_EQ((block::local_result<Network, Kind::inclusive>(result, scratch, n, i)), up_to(i + 1))
            << "element " << i;
        if (i == 0) continue;
        ASSERT_EQ((block::local_result<Network, Kind::exclusive>(result, scratch, n, i)), up_to(i)) << "element " << i;
      }
      memory.expect_guards();
      neighbours.expect_no_mistakes();
      if (this->HasFailure()) return;
    }
}

/// Steps are those that have work.
template <class Network>
void expect_cost(int n, int operations, int steps) {
  int found_operations = 0, found_steps = 0;
  std::vector<long> tile(static_cast<std::size_t>(n), 1), scratch(static_cast<std::size_t>(n));
  auto const combine = [&](long const& left, long const& right) {
    ++found_operations;
    return left + right;
  };
  Network::run(ShuffledWorkers{0, &found_steps}, n, tile.data(), scratch.data(), combine);
  EXPECT_EQ(found_operations, operations) << typeid(Network).name() << ", n = " << n;
  EXPECT_EQ(found_steps, steps) << typeid(Network).name() << ", n = " << n;
}

TEST(Counts, are_those_of_the_papers) {
  for (int const log2 : {9, 10, 11}) {
    int const n = 1 << log2;
    expect_cost<block::KoggeStone>(n, n * log2 - (n - 1), 2 * log2);
    expect_cost<block::KoggeStoneDoubleBuffered>(n, n * log2 - (n - 1), log2);
    expect_cost<block::BrentKung>(n, 2 * n - 2 - log2, 2 * log2 - 1);
    // Less the log2 n combinations with an identity that the textbook has; one step between the sweeps keeps the total.
    expect_cost<block::Blelloch>(n, 2 * (n - 1) - log2, 2 * log2 + 1);
    int const pieces = block::ThreePhase::pieces, log2_piece = std::countr_zero(static_cast<unsigned>(pieces));
    int const fold = n - pieces, scan = pieces * log2_piece - (pieces - 1), update = n - n / pieces;
    expect_cost<block::ThreePhase>(n, fold + scan + update, 2 + log2_piece);
  }
}

/// The networks on real teams: their members share the steps, and meet at the end of each.
template <class Exec, class Network>
struct OnTeam {
  int n;
  test::CombineNeighbours combine;
  Interval* values;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    portable::TeamWorkers<Member> const workers{team};
    std::size_t const bytes = 512 * sizeof(Interval);
    auto* const tile        = static_cast<Interval*>(team.team_scratch(0).get_shmem_aligned(bytes, 64));
    auto* const scratch     = static_cast<Interval*>(team.team_scratch(0).get_shmem_aligned(bytes, 64));
    workers.for_each(n, [&](int i) { block::put(tile[i], values[i]); });
    Interval const* const result = Network::run(workers, n, tile, scratch, combine);
    workers.for_each(
        n, [&](int i) { block::put(values[i], block::local_result<Network, Kind::inclusive>(result, scratch, n, i)); });
  }
};

TYPED_TEST(Networks, on_teams_of_several_members) {
  using Exec = Kokkos::DefaultExecutionSpace;
  test::Neighbours<Exec::memory_space> const neighbours;
  for (int members = 1; members <= std::min(4, Exec().concurrency()); ++members)
    for (int const n : {1, 2, 3, 127, 128, 129, 255, 256, 300, 511, 512}) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", " << members << " members");
      Kokkos::View<Interval*, Exec> const values("values", static_cast<std::size_t>(n));
      auto const inputs = neighbours.values(static_cast<std::size_t>(n));
      Kokkos::deep_copy(values, Kokkos::View<Interval const*, Kokkos::HostSpace>(inputs.data(), inputs.size()));
      OnTeam<Exec, TypeParam> const functor{n, neighbours.op(), values.data()};
      Kokkos::TeamPolicy<Exec> team(1, members);
      team.set_scratch_size(0, Kokkos::PerTeam(2 * (512 * sizeof(Interval) + 64)));
      if (members > team.team_size_max(functor, Kokkos::ParallelForTag())) return;
      Kokkos::parallel_for("network", team, functor);
      auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
      for (int i = 0; i < n; ++i) {
        Interval const expected{1, static_cast<std::uint32_t>(i + 1), functor.combine.stamp};
        ASSERT_EQ(host(i), expected) << "element " << i;
      }
      neighbours.expect_no_mistakes();
    }
}

}  // namespace
