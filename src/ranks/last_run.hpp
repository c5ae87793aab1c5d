// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "../driver/scan_keys.hpp"
#include "run_state.hpp"

// The last run of keys and what its values combine to: found from the end, so that no more is read than some thousand
// elements, or twice the run where it is longer.
namespace KokkosScan::ranks {

/// So many values, in memory of the host, of a type that may have no default constructor.
template <class T, std::size_t count>
class Received {
 public:
  T* data() { return reinterpret_cast<T*>(bytes_); }
  T const& operator[](std::size_t k) const { return reinterpret_cast<T const*>(bytes_)[k]; }

 private:
  alignas(T) std::byte bytes_[count * sizeof(T)];
};

/// Elements of an array by their indices, side by side.
template <class Array, std::size_t count>
struct Gather {
  using Element = core::ElementOf<Array>;

  Array array;
  std::size_t indices[count];
  Element* to;

  KOKKOS_FUNCTION void operator()(std::size_t k) const { core::put(to[k], array[indices[k]]); }
};

/// Starts copying some elements of an array to the host, where they are once exec has been waited for.
template <std::size_t count, class ExecOrHandle, class Array>
void begin_to_read(std::string const& label, ExecOrHandle const& exec_or_handle, Array const& array,
                   std::size_t const (&indices)[count], Received<core::ElementOf<Array>, count>& to) {
  using Exec       = driver::InstanceOf<ExecOrHandle>;
  using Space      = typename Exec::memory_space;
  using Element    = core::ElementOf<Array>;
  auto const& exec = driver::instance(exec_or_handle);
  Gather<Array, count> gather{array, {}, nullptr};
  std::copy_n(indices, count, gather.indices);
  auto const run = [&] {
    driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
      Kokkos::parallel_for(shown, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, count), gather);
    });
  };
  if constexpr (driver::writes_to_host<Exec>) {
    gather.to = to.data();
    run();
  } else {
    auto const leases = driver::lease(exec_or_handle, core::Needs{count * sizeof(Element), 0});
    gather.to         = static_cast<Element*>(leases.memory().scratch);
    run();
    Kokkos::deep_copy(exec, Kokkos::View<Element*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(to.data(), count),
                      Kokkos::View<Element const*, Space, Kokkos::MemoryUnmanaged>(gather.to, count));
  }
}

/// The value of an element, waited for.
template <class ExecOrHandle, class Array>
core::ElementOf<Array> read_element(std::string const& label, ExecOrHandle const& exec_or_handle, Array const& array,
                                    std::size_t i) {
  Received<core::ElementOf<Array>, 1> read;
  ranks::begin_to_read<1>(label, exec_or_handle, array, {i}, read);
  driver::wait_for(label, exec_or_handle);
  return read[0];
}

/// What the last run of n > 0 elements combines to, and their outermost keys. Waits.
template <class T, class ExecOrHandle, class Keys, class From, class Op, class Equal, class HostOp, class HostEqual>
RunState<core::ElementOf<Keys>, T> state_of_runs(std::string const& label, ExecOrHandle const& exec_or_handle,
                                                 Keys const& keys, From const& from, std::size_t n, Op const& op,
                                                 Equal const& equal, HostOp const& host_op,
                                                 HostEqual const& host_equal) {
  using Key                      = core::ElementOf<Keys>;
  using Keyed                    = core::Keyed<T>;
  using Source                   = core::FromKeyedArray<T, Keys, From, Op, Equal, core::NoInit, core::FirstMayGoOn>;
  using Problem                  = core::Problem<Keyed, Source, core::WithinRuns<T, Op>, core::Discard<Keyed>>;
  constexpr std::size_t at_first = 4096;

  core::Maybe<T> aggregate;
  for (std::size_t end = n, most = at_first;; most *= 2) {
    std::size_t const begin = end > most ? end - most : 0;
    Problem tail{{keys, from, op, equal, {false}, {}}, {}, end - begin, {op}, {}, nullptr};
    tail.source.skip(begin);
    Received<Key, 4> ends;
    ranks::begin_to_read<4>(label, exec_or_handle, keys, {0, n - 1, begin > 0 ? begin - 1 : 0, begin}, ends);
    Received<Keyed, 1> total;
    driver::run_scan(label, exec_or_handle, tail, *total.data());  // which waits for the keys, too
    T const own = total[0].value();
    aggregate.put(aggregate ? static_cast<T>(host_op(own, *aggregate)) : own);
    bool const begins = total[0].begins_run();  // behind the first of the tail, of which the host knows
    if (begins || begin == 0 || !host_equal(ends[2], ends[3]))
      return {ends[0], ends[1], *aggregate, !begins && begin == 0};
    end = begin;
  }
}

}  // namespace KokkosScan::ranks
