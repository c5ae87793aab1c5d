// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_runs.hpp"

#include <stdexcept>
#include <type_traits>

#include "cuda_native/scan.hpp"
#include "timeline_recording.hpp"

namespace pictures {
namespace {

namespace cuda   = KokkosScan::cuda;
namespace driver = KokkosScan::driver;

using ShortBlock = cuda::Block<Interval, cuda::block::WarpShuffle, tile_length>;
static_assert(ShortBlock::tile_length == tile_length);

struct Combining {
  TimelineRecording* recording;
  Interval operator()(Interval const& left, Interval const& right) const { return recording->combine(left, right); }
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

/// How a kernel gets its arrays: watched, or side by side, as those are that copies can move.
struct ByAccess {
  template <class Element>
  static Watched<Element> array(Element* data, TimelineRecording& recording) {
    return {data, &recording};
  }
};
struct ByCopies {
  template <class Element>
  static core::Contiguous<Element> array(Element* data, TimelineRecording&) {
    return {data};
  }
};

/// Memory for values and states, aligned as memory of a GPU is.
struct alignas(128) Bytes {
  unsigned char bytes[128] = {};
};

class Memory {
 public:
  explicit Memory(std::size_t bytes) : lines_(bytes / sizeof(Bytes) + 1) {}
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(lines_.data());
  }
  std::size_t bytes() const { return lines_.size() * sizeof(Bytes); }

 private:
  std::vector<Bytes> lines_;
};

template <class Arrays = ByAccess, class Run>
Timeline record(RunSettings const& settings, TimelineRecording recording, Run const& run) {
  auto const n = static_cast<std::uint32_t>(settings.n);
  Memory inputs(n * sizeof(Interval)), outputs(n * sizeof(Interval)), scratch(2 * n * sizeof(Interval));
  auto* const from = inputs.as<Interval>();
  auto* const dest = outputs.as<Interval>();
  for (std::uint32_t i = 0; i < n; ++i) from[i] = {i, i};
  Memory state(cuda::States::bytes(cuda::Groups<Interval>::slots(n)));
  auto const states = cuda::States::in(state.as<void>(), state.bytes());

  recording.watch(states);
  model::Model const model(model::Settings{
      .seed = settings.seed, .resident = settings.resident, .start = settings.start, .recorder = recording.recorder()});
  auto const read    = Arrays::template array<Interval const>(from, recording);
  auto const written = Arrays::template array<Interval>(dest, recording);
  core::ArrayScan<core::Kind::inclusive, Interval, std::remove_const_t<decltype(read)>,
                  std::remove_const_t<decltype(written)>, Combining> const scan{{read, {}},   {written}, n,
                                                                                {&recording}, {},        nullptr};
  run(scan, states, scratch.as<Interval>());

  for (std::uint32_t i = 0; i < n; ++i)
    if (dest[i] != Interval{0, i}) throw std::logic_error("the result is wrong");
  return recording.finish();
}

}  // namespace

Timeline run_hillis_steele(RunSettings const& settings) {
  return record(settings, TimelineRecording(tile_length), [](auto const& scan, auto const&, Interval* scratch) {
    cuda::hillis_steele::run(nullptr, scan, scratch);
  });
}

Timeline run_hierarchical(RunSettings const& settings) {
  return record(settings, TimelineRecording(tile_length), [](auto const& scan, auto const&, Interval* scratch) {
    cuda::hierarchical::run<ShortBlock>(nullptr, scan, scratch, nullptr);
  });
}

Timeline run_chained(RunSettings const& settings) {
  return record(settings, TimelineRecording(tile_length), [](auto const& scan, auto const& states, Interval*) {
    cuda::chained::run<ShortBlock>(nullptr, scan, states, nullptr);
  });
}

Timeline run_lookback(RunSettings const& settings) {
  return record(settings, TimelineRecording(tile_length), [](auto const& scan, auto const& states, Interval*) {
    cuda::lookback::run<ShortBlock>(nullptr, scan, states, nullptr);
  });
}

Timeline run_one_wave(RunSettings const& settings) {
  constexpr cuda::one_wave::Partition partition{.threads = 64, .rounds = cuda::one_wave::Shape<Interval>::rounds};
  static_assert(partition.tile<Interval>() == one_wave_tile_length);
  return record(
      settings, TimelineRecording(one_wave_tile_length),
      [=](auto const& scan, auto const& states, Interval*) { cuda::one_wave::run(nullptr, scan, states, partition); });
}

int const pipelined_tile_length = cuda::pipelined::Shape<Interval>::tile;

Timeline run_pipelined(RunSettings const& settings) {
  TimelineRecording recording(pipelined_tile_length, TimelineRecording::Blocks::have_several_tiles);
  return record<ByCopies>(settings, recording, [](auto const& scan, auto const& states, Interval*) {
    cuda::pipelined::run(nullptr, scan, states, cuda::current_device());
  });
}

}  // namespace pictures
