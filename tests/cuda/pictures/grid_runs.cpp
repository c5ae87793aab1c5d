// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_runs.hpp"

#include <stdexcept>

#include "cuda_native/scan.hpp"
#include "timeline_recording.hpp"

namespace pictures {
namespace {

namespace cuda   = KokkosScan::cuda;
namespace driver = KokkosScan::driver;

using ShortBlock = cuda::Block<Interval, cuda::block::WarpShuffle, tile_length>;
static_assert(ShortBlock::tile_length == tile_length);

struct Joining {
  TimelineRecording* recording;
  Interval operator()(Interval const& left, Interval const& right) const { return recording->join(left, right); }
};

/// An array whose accesses are seen.
template <class Element>
struct Watched {
  Element* data;
  TimelineRecording* recording;
  Element& operator[](std::size_t i) const {
    recording->access(std::is_const_v<Element> ? data + i : nullptr);
    return data[i];
  }
};

using WatchedScan = driver::Scan<driver::Kind::inclusive, Interval, Watched<Interval const>, Watched<Interval>, Joining,
                                 KokkosScan::Unchanged>;

/// Room for values and states, aligned as memory of a GPU is.
struct alignas(128) Bytes {
  unsigned char bytes[128] = {};
};

template <class Run>
Timeline record(RunSettings const& settings, Run const& run) {
  auto const n = static_cast<std::uint32_t>(settings.n);
  std::vector<Interval> from, dest(n);
  for (std::uint32_t i = 0; i < n; ++i) from.push_back({i, i});
  std::vector<Bytes> scratch(2 * n * sizeof(Interval) / sizeof(Bytes) + 1);
  std::vector<Bytes> state(cuda::States::bytes(cuda::Groups<Interval>::lines(n)) / sizeof(Bytes) + 1);
  cuda::States const states{reinterpret_cast<cuda::States::Header*>(state.data()),
                            cuda::States::lines_of(state.size() * sizeof(Bytes))};

  TimelineRecording recording(tile_length);
  recording.watch(states);
  model::Model const model(model::Settings{
      .seed = settings.seed, .resident = settings.resident, .start = settings.start, .recorder = recording.recorder()});
  WatchedScan const scan{{from.data(), &recording}, {dest.data(), &recording}, n, {&recording}, {}, {}, nullptr};
  run(scan, states, reinterpret_cast<Interval*>(scratch.data()));

  for (std::uint32_t i = 0; i < n; ++i)
    if (dest[i] != Interval{0, i}) throw std::logic_error("the result is wrong");
  return recording.finish();
}

}  // namespace

Timeline run_hillis_steele(RunSettings const& settings) {
  return record(settings, [](auto const& scan, auto const&, Interval* scratch) {
    cuda::hillis_steele::run(nullptr, scan, scratch);
  });
}

Timeline run_hierarchical(RunSettings const& settings) {
  return record(settings, [](auto const& scan, auto const&, Interval* scratch) {
    cuda::hierarchical::run<ShortBlock>(nullptr, scan, scratch, nullptr);
  });
}

Timeline run_chained(RunSettings const& settings) {
  return record(settings, [](auto const& scan, auto const& states, Interval*) {
    cuda::chained::run<ShortBlock>(nullptr, scan, states, nullptr);
  });
}

Timeline run_lookback(RunSettings const& settings) {
  return record(settings, [](auto const& scan, auto const& states, Interval*) {
    cuda::lookback::run<ShortBlock>(nullptr, scan, states, nullptr);
  });
}

}  // namespace pictures
