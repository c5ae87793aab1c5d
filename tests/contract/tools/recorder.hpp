// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace contract {

/// What a tool was told.
struct Event {
  enum class Kind { kernel, other_kernel, fence, copy, allocation, deallocation };
  Kind kind;
  std::uint32_t device;
  bool ended;
  std::array<char, 128> text;

  std::string name() const { return text.data(); }
};

/// A Kokkos tool that keeps what it hears, from its construction to its end. It allocates nothing meanwhile.
class Recorder {
 public:
  Recorder() {
    count() = 0;
    install(true);
  }
  Recorder(Recorder const&)            = delete;
  Recorder& operator=(Recorder const&) = delete;
  ~Recorder() { install(false); }

  std::vector<Event> all() const { return {events().begin(), events().begin() + static_cast<long>(count().load())}; }
  std::vector<Event> all(Event::Kind kind) const {
    std::vector<Event> chosen;
    for (Event const& event : all())
      if (event.kind == kind) chosen.push_back(event);
    return chosen;
  }
  testing::AssertionResult none_of(std::initializer_list<Event::Kind> kinds) const {
    for (Event::Kind const kind : kinds)
      for (Event const& event : all(kind)) return testing::AssertionFailure() << event.name();
    return testing::AssertionSuccess();
  }

 private:
  using Space = Kokkos::Tools::SpaceHandle;

  static std::array<Event, 4096>& events() {
    static std::array<Event, 4096> all;
    return all;
  }
  static std::atomic<std::size_t>& count() {
    static std::atomic<std::size_t> heard{0};
    return heard;
  }

  /// Kokkos fences before it calls a tool, and Kokkos::Threads after each of its launches, whoever asked for it.
  static bool is_of_kokkos(char const* fence) {
    std::string_view const name = fence;
    return name.starts_with("Kokkos::Tools::") || name.starts_with("Kokkos::ThreadsInternal::");
  }
  static std::uint64_t add(Event::Kind kind, char const* name, std::uint32_t device) {
    if (kind == Event::Kind::fence && is_of_kokkos(name)) return events().size();
    std::size_t const index = count().fetch_add(1);
    Event& event            = events().at(index);
    event                   = {kind, device, false, {}};
    std::strncpy(event.text.data(), name, event.text.size() - 1);
    return index;
  }
  template <Event::Kind kind>
  static void begin(char const* name, std::uint32_t device, std::uint64_t* id) {
    *id = add(kind, name, device);
  }
  static void end(std::uint64_t id) {
    if (id < events().size()) events()[id].ended = true;
  }
  static void deep_copy(Space, char const* dest, void const*, Space, char const*, void const*, std::uint64_t) {
    add(Event::Kind::copy, dest, 0);
  }
  template <Event::Kind kind>
  static void memory(Space, char const* name, void const*, std::uint64_t bytes) {
    // With CUDA, Kokkos 5.0 speaks of 0 bytes of team scratch at each launch of a team policy.
    if (bytes > 0) add(kind, name, 0);
  }

  static void install(bool on) {
    using enum Event::Kind;
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback(on ? begin<other_kernel> : nullptr);
    tools::set_end_parallel_for_callback(on ? end : nullptr);
    tools::set_begin_parallel_reduce_callback(on ? begin<other_kernel> : nullptr);
    tools::set_end_parallel_reduce_callback(on ? end : nullptr);
    tools::set_begin_parallel_scan_callback(on ? begin<kernel> : nullptr);
    tools::set_end_parallel_scan_callback(on ? end : nullptr);
    tools::set_begin_fence_callback(on ? begin<fence> : nullptr);
    tools::set_end_fence_callback(on ? end : nullptr);
    tools::set_begin_deep_copy_callback(on ? deep_copy : nullptr);
    tools::set_allocate_data_callback(on ? memory<allocation> : nullptr);
    tools::set_deallocate_data_callback(on ? memory<deallocation> : nullptr);
  }
};

}  // namespace contract
