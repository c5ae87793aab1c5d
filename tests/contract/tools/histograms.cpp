// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "recorder.hpp"

// What a tool sees of histograms: kernels of their label, no wait, no copy, and no memory after the first call of a
// size.
namespace {

using namespace contract;
using enum Event::Kind;

template <class ExecOrHandle>
void expect_quiet_histograms(ExecOrHandle const& exec) {
  using Space = Kokkos::DefaultExecutionSpace::memory_space;
  for (std::size_t const n : {std::size_t{100}, std::size_t{200'000}}) {
    Kokkos::View<float*, Space> const from("from", n), weights("weights", n), sums("sums", 50);
    Kokkos::View<int*, Space> const keys("keys", n), counts("counts", 300);
    Kokkos::View<std::int8_t*, Space> const narrow("narrow", 50);
    Kokkos::View<double*, Space> const edges("edges", 301);
    auto const expect_quiet = [&](std::string const& name, auto const& call) {
      call();  // takes the scratch
      Recorder const recorder;
      call();
      EXPECT_TRUE(recorder.none_of({other_kernel, fence, copy, allocation, deallocation})) << name << ", " << n;
      auto const kernels = recorder.all(kernel);
      EXPECT_FALSE(kernels.empty()) << name;
      for (Event const& event : kernels) EXPECT_EQ(event.name(), name);
    };
    expect_quiet("KokkosScan::histogram", [&] { KokkosScan::histogram(exec, from, counts, 0, 1); });
    expect_quiet("KokkosScan::histogram", [&] { KokkosScan::histogram(exec, from, edges, counts); });
    expect_quiet("narrow", [&] { KokkosScan::histogram("narrow", exec, from, narrow, 0, 1); });
    expect_quiet("KokkosScan::count_keys", [&] { KokkosScan::count_keys(exec, keys, counts); });
    expect_quiet("integers",
                 [&] { KokkosScan::count_keys("integers", exec, keys, counts, KokkosScan::Weights{keys}); });
    expect_quiet("floats", [&] { KokkosScan::count_keys("floats", exec, keys, sums, KokkosScan::Weights{weights}); });
  }
}

TEST(HistogramTools, on_instances_and_handles) {
  using Exec = Kokkos::DefaultExecutionSpace;
  expect_quiet_histograms(Exec());
  expect_quiet_histograms(KokkosScan::Handle<Exec>());
  expect_quiet_histograms(KokkosScan::Handle<Exec, KokkosScan::portable::Backend>());
  // What is checked are the caller's arguments: offsets that the library makes are not waited for.
  using Checked = KokkosScan::Handle<Exec, KokkosScan::portable::Backend, KokkosScan::Options>;
  expect_quiet_histograms(Checked(Exec(), {.check = true}));
}

}  // namespace
