// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>

#include "../core/maybe.hpp"
#include "../exec/kernel_event.hpp"
#include "pinned_memory.hpp"
#include "run_scan.hpp"
#include "views.hpp"

// Single elements that the host must know of memory that only an instance may reach.
namespace KokkosScan::driver {

/// f() as one kernel on exec.
template <class ExecOrHandle, class F>
void enqueue_once(std::string const& label, ExecOrHandle const& exec_or_handle, F const& f) {
  using Exec       = driver::InstanceOf<ExecOrHandle>;
  auto const& exec = driver::instance(exec_or_handle);
  driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
    exec::dispatch(shown, exec, Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, 1), f);
  });
}

template <class Array>
struct CopyElement {
  Array array;
  std::size_t i;
  core::ElementOf<Array>* to;
  KOKKOS_FUNCTION void operator()(int) const { core::put(*to, array[i]); }
};

/// Starts copying an element to memory that exec and the host reach. It is there once exec has been waited for.
template <class ExecOrHandle, class Array>
void begin_to_read(std::string const& label, ExecOrHandle const& exec_or_handle, Array const& array, std::size_t i,
                   core::ElementOf<Array>* to) {
  if constexpr (runs_at_once<typename BackendFor<ExecOrHandle>::type>)
    core::put(*to, array[i]);
  else
    driver::enqueue_once(label, exec_or_handle, CopyElement<Array>{array, i, to});
}

/// A value that an instance finds and the host reads. However that ends: the memory goes to nobody else until the
/// instance writes there no more.
template <class Value, class ExecOrHandle>
class ValueOfInstance {
 public:
  ValueOfInstance(std::string const& label, ExecOrHandle const& exec_or_handle)
      : label_(label),
        exec_or_handle_(exec_or_handle),
        lease_(driver::lease_pinned(driver::instance(exec_or_handle), sizeof(Value))) {}
  ValueOfInstance(ValueOfInstance const&)            = delete;
  ValueOfInstance& operator=(ValueOfInstance const&) = delete;
  ~ValueOfInstance() {
    if (!is_known_) driver::wait_behind_failure(label_, exec_or_handle_);
  }

  /// Where it is to be put by what f(place) enqueues.
  template <class F>
  void enqueue(F const& f) {
    is_known_ = false;
    f(place());
  }
  Value& wait() {
    driver::wait_for(label_, exec_or_handle_);
    is_known_ = true;
    return *place();
  }
  Value* place() const { return static_cast<Value*>(lease_.data()); }

 private:
  std::string const& label_;
  ExecOrHandle const& exec_or_handle_;
  PinnedLease<InstanceOf<ExecOrHandle>> lease_;
  bool is_known_ = true;
};

/// An element, waited for.
template <class ExecOrHandle, class Array>
core::ElementOf<Array> read_element(std::string const& label, ExecOrHandle const& exec_or_handle, Array const& array,
                                    std::size_t i) {
  using Element = core::ElementOf<Array>;
  ValueOfInstance<Element, ExecOrHandle> element(label, exec_or_handle);
  element.enqueue([&](Element* to) { driver::begin_to_read(label, exec_or_handle, array, i, to); });
  return element.wait();
}

/// The value of an init, on the host; that of a View is waited for.
template <class Value, class ExecOrHandle, class Init>
Value read_init(std::string const& label, ExecOrHandle const& exec_or_handle, Init const& init) {
  if constexpr (Kokkos::is_view_v<Init>) {
    using Stored = typename Init::non_const_value_type;
    return static_cast<Value>(
        driver::read_element(label, exec_or_handle, core::Contiguous<Stored const>{init.data()}, 0));
  } else {
    return static_cast<Value>(init);
  }
}

}  // namespace KokkosScan::driver
