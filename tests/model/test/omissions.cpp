// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <map>
#include <set>
#include <vector>

#include "seeds.hpp"

// What a kernel does for others can be taken away from it, and is missed.
namespace KokkosScan::cuda {
namespace {

using model::Duty;
using model::Site;

struct Words {
  unsigned data, flag, fenced_data, fenced_flag;
};

/// Block 0 publishes two numbers to the other; both turn a row of numbers around, and once more.
__global__ void do_all(Words* words, std::uint64_t const* from, std::uint64_t* to, unsigned* got) {
  int const lane     = static_cast<int>(threadIdx.x);
  auto const numbers = shared_memory<std::uint64_t>(64);
  Barrier const copied(shared_memory<std::uint64_t>(0));
  constexpr unsigned bytes = 32 * sizeof(std::uint64_t);
  if (lane == 0) {
    copied.init(2);
    publish_barriers();
  }
  __syncthreads();
  if (lane == 0) {
    copied.arrive_and_expect(bytes);
    copy_in(numbers, from + 32 * blockIdx.x, bytes, copied);
  }
  if (lane == 1) copied.arrive();
  copied.wait(0);
  std::uint64_t const other = numbers.load(31 - lane);
  __syncwarp();
  numbers.store(lane, other);
  fence_for_copies();
  __syncwarp();
  if (lane == 0) {
    copy_out(to + 32 * blockIdx.x, numbers, bytes);
    wait_until_copied_out();
  }
  if (lane != 0) return;
  if (blockIdx.x == 0) {
    store_relaxed(&words->data, 1U);
    store_release(&words->flag, 1U);
    store_relaxed(&words->fenced_data, 1U);
    fence();
    store_relaxed(&words->fenced_flag, 1U);
  } else {
    while (load_acquire(&words->flag) == 0) pause();
    got[0] = load_relaxed(&words->data);
    while (load_relaxed(&words->fenced_flag) == 0) pause();
    fence();
    got[1] = load_relaxed(&words->fenced_data);
  }
}

/// Whether it went wrong.
bool goes_wrong() {
  Words words{};
  alignas(16) std::uint64_t from[64], to[64] = {};
  for (unsigned i = 0; i < 64; ++i) from[i] = i;
  unsigned got[2]      = {};
  bool wrong           = false;
  auto const complaint = fault_of([&] { launch(nullptr, {2, 32, 64 + sizeof(from)}, do_all, &words, from, to, got); });
  for (unsigned i = 0; i < 64; ++i) wrong = wrong || to[i] != (i < 32 ? 31 - i : 95 - i);
  return complaint || wrong || got[0] != 1 || got[1] != 1;
}

TEST(Omissions, are_asked_for_at_every_duty_and_missed) {
  std::map<unsigned, Duty> sites;
  Settings settings{.resident = 2, .omissions = [&](Duty duty, Site const& where) {
                      sites.insert({where.line, duty});
                      return false;
                    }};
  EXPECT_EQ(seeds_with(100, goes_wrong, settings), 0);

  std::multiset<Duty> duties;
  for (auto const& [line, duty] : sites) {
    duties.insert(duty);
    settings.omissions = [omitted = line](Duty, Site const& where) { return where.line == omitted; };
    EXPECT_GT(seeds_with(100, goes_wrong, settings), 0) << to_string(duty) << " in line " << line;
  }
  std::multiset<Duty> const expected{
      Duty::barrier,     Duty::warp_barrier,    Duty::warp_barrier,   Duty::fence,   Duty::fence,
      Duty::release,     Duty::acquire,         Duty::arrival,        Duty::arrival, Duty::wait,
      Duty::publication, Duty::fence_of_copies, Duty::wait_for_copies};
  EXPECT_EQ(duties, expected);
}

}  // namespace
}  // namespace KokkosScan::cuda
