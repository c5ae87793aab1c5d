// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/driver/last_run.hpp"

#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "support/thrown.hpp"

// What an instance may still write when a call fails goes to nobody else before the instance has been waited for.
namespace test {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

/// A backend whose kernels may still be at work when it returns, or throws: where they write, and whether that memory
/// is to be had when its instance is waited for.
struct Late : KokkosScan::portable::Backend {
  static inline int launches, throws_at, waits_behind;
  static inline void* written;
  static inline std::size_t bytes;
  static inline bool was_given_away;

  template <class Choice, class Problem>
  static void run(Exec const& exec, std::string const& label, Choice const& choice,
                  KokkosScan::core::NeedsAlone const& plan, Problem const& problem,
                  KokkosScan::core::Memory const& memory) {
    written      = problem.total;
    waits_behind = 0;
    if (++launches == throws_at) throw std::runtime_error("no launch");
    KokkosScan::portable::Backend::run(exec, label, choice, plan, problem, memory);
  }
  static void look_for_what_is_written(char const*, std::uint32_t, std::uint64_t*) {
    ++waits_behind;
    auto const lease = KokkosScan::driver::lease_pinned(Exec(), bytes);
    auto* const from = static_cast<std::byte*>(lease.data());
    was_given_away   = was_given_away || (from <= written && written < from + bytes);
  }
};

TEST(LastRun, keeps_its_memory_until_a_failed_launch_is_waited_for) {
  using Run = KokkosScan::driver::LastRun<int, int>;
  KokkosScan::Handle<Exec, Late, KokkosScan::Options> const handle{Exec()};
  std::size_t const n = 10'000;
  Kokkos::View<int*, Exec> const keys("keys", n), values("values", n);
  Kokkos::deep_copy(values, 1);
  auto const aggregate = [&](int throws_at) {
    Late::launches = 0, Late::throws_at = throws_at, Late::bytes = sizeof(Run), Late::was_given_away = false;
    auto const array = [&](auto const& view) { return KokkosScan::driver::array_of<false>(view, n); };
    return KokkosScan::driver::find_last_run<int>("call", handle, array(keys), array(values), n, KokkosScan::Sum{},
                                                  KokkosScan::core::EqualTo{})
        .aggregate;
  };
  Kokkos::Tools::Experimental::set_begin_fence_callback(Late::look_for_what_is_written);
  for (int const throws_at : {1, 2}) {
    EXPECT_EQ(thrown_by<std::runtime_error>([&] { aggregate(throws_at); }), "no launch");
    EXPECT_EQ(Late::launches, throws_at);
    EXPECT_GE(Late::waits_behind, 1) << "behind launch " << throws_at;
    EXPECT_FALSE(Late::was_given_away);
  }
  EXPECT_EQ(aggregate(0), static_cast<int>(n));
  EXPECT_EQ(Late::launches, 2);
  EXPECT_FALSE(Late::was_given_away);
  Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr);
}

#ifdef KOKKOS_ENABLE_OPENMP
/// Within a kernel every launch is refused, and there is nothing to wait for, which would be for ever.
TEST(LastRun, is_refused_within_a_kernel) {
  using Kokkos::OpenMP;
  KokkosScan::Handle<OpenMP, KokkosScan::portable::Backend> const handle;
  Kokkos::View<int*, OpenMP> const keys("keys", 100), values("values", 100);
  std::atomic<int> refused{0};
  Kokkos::parallel_for("kernel", Kokkos::RangePolicy<OpenMP>(handle.exec(), 0, 4), [&](int) {
    auto const array = [](auto const& view) { return KokkosScan::driver::array_of<false>(view, 100); };
    try {
      KokkosScan::driver::find_last_run<int>("call", handle, array(keys), array(values), 100, KokkosScan::Sum{},
                                             KokkosScan::core::EqualTo{});
    } catch (std::runtime_error const&) {
      ++refused;
    }
  });
  EXPECT_EQ(refused, 4);
}
#endif

}  // namespace
}  // namespace test
