// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>

#include "../driver/run_scan.hpp"
#include "../driver/views.hpp"
#include "gpu_aware.hpp"

namespace KokkosScan::ranks {

template <class From, class To>
struct CopyElements {
  From from;
  To to;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { core::put(to[i], static_cast<core::ElementOf<To>>(from[i])); }
};

/// to[i] = from[i] for i < n, in order on exec.
template <class ExecOrHandle, class From, class To>
void copy_elements(std::string const& label, ExecOrHandle const& exec_or_handle, From const& from, To const& to,
                   std::size_t n) {
  using Exec       = driver::InstanceOf<ExecOrHandle>;
  auto const& exec = driver::instance(exec_or_handle);
  if (n > 0)
    driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
      Kokkos::parallel_for(shown, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, n),
                           CopyElements<From, To>{from, to});
    });
}

/// The elements of a View as MPI is handed them, but for some in the middle: where they are, if they lie side by side
/// in memory that MPI reaches, or else in scratch, on the host if it must be.
template <class ExecOrHandle, class View>
class Staging {
  using Exec    = driver::InstanceOf<ExecOrHandle>;
  using Space   = typename Exec::memory_space;
  using Host    = Kokkos::DefaultHostExecutionSpace;
  using T       = typename View::non_const_value_type;
  using Element = typename View::value_type;

 public:
  /// [0, front) and [back, n).
  Staging(std::string const& label, ExecOrHandle const& exec_or_handle, View const& view, std::size_t front,
          std::size_t back, std::size_t n)
      : label_(label),
        exec_or_handle_(exec_or_handle),
        array_{view.data(), static_cast<std::ptrdiff_t>(view.stride(0))},
        front_(front),
        back_(back),
        count_(front + (n - back)),
        is_side_by_side_(array_.stride == 1 || n <= 1),
        is_packed_(!is_side_by_side_),
        // What is packed on a device is in memory of a pool, which not every MPI that reads devices knows.
        is_on_host_(is_packed_ ? !Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible
                               : !reaches_memory_of<typename View::memory_space>()),
        packed_(driver::lease(exec_or_handle, core::Needs{is_packed_ ? bytes() : 0, 0})),
        on_host_(Host(), core::Needs{is_on_host_ ? bytes() : 0, 0}) {}

  /// Starts to bring the elements there; they are there once exec has been waited for.
  void pack() const {
    if (is_packed_)
      for_each_part([&](core::Strided<Element> const& part, std::size_t at, std::size_t count) {
        ranks::copy_elements(label_, exec_or_handle_, part, core::Contiguous<T>{packed() + at}, count);
      });
    if (is_on_host_)
      for_each_part([&](core::Strided<Element> const& part, std::size_t at, std::size_t count) {
        copy(on_host() + at, Kokkos::HostSpace(), is_packed_ ? packed() + at : part.data, Space(), count);
      });
  }
  /// Brings them from there into the View; what is on the host has been waited for then.
  void unpack() const {
    if (is_on_host_)
      for_each_part([&](core::Strided<Element> const& part, std::size_t at, std::size_t count) {
        copy(is_packed_ ? packed() + at : part.data, Space(), on_host() + at, Kokkos::HostSpace(), count);
      });
    if (is_packed_)
      for_each_part([&](core::Strided<Element> const& part, std::size_t at, std::size_t count) {
        ranks::copy_elements(label_, exec_or_handle_, core::Contiguous<T const>{packed() + at}, part, count);
      });
    if (is_on_host_) driver::wait_for(label_, exec_or_handle_);
  }

  /// Element i of the View there, and behind it those of the same part.
  auto* at(std::size_t i) const {
    std::size_t const place = i < front_ ? i : front_ + (i - back_);
    if (is_on_host_) return static_cast<Element*>(on_host() + place);
    return is_packed_ ? static_cast<Element*>(packed() + place) : &array_[i];
  }

 private:
  std::size_t bytes() const { return core::bytes_of(count_, sizeof(T)); }
  T* packed() const { return static_cast<T*>(packed_.memory().scratch); }
  T* on_host() const { return static_cast<T*>(on_host_.memory().scratch); }

  template <class F>
  void for_each_part(F const& f) const {
    core::Strided<Element> behind = array_;
    behind.skip(back_);
    if (front_ > 0) f(array_, 0, front_);
    if (count_ > front_) f(behind, front_, count_ - front_);
  }

  template <class To, class ToSpace, class From, class FromSpace>
  void copy(To* to, ToSpace, From* from, FromSpace, std::size_t count) const {
    Kokkos::deep_copy(driver::instance(exec_or_handle_), Kokkos::View<To*, ToSpace, Kokkos::MemoryUnmanaged>(to, count),
                      Kokkos::View<From const*, FromSpace, Kokkos::MemoryUnmanaged>(from, count));
  }

  std::string const& label_;
  ExecOrHandle const& exec_or_handle_;
  core::Strided<Element> array_;
  std::size_t front_, back_, count_;
  bool is_side_by_side_, is_packed_, is_on_host_;
  driver::Leases<Exec> packed_;
  driver::Leases<Host> on_host_;
};

}  // namespace KokkosScan::ranks
