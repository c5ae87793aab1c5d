// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

#include "../core/rows.hpp"
#include "../host/rows.hpp"
#include "../portable/rows.hpp"
#include "counted.hpp"
#include "scan_segments.hpp"

// What is done for each item of ragged rows: no scan, but the work of one divided as evenly (src/core/rows.hpp).
namespace KokkosScan::driver {

/// Whether offsets are what they must be, in words.
template <class Offsets, class Exec>
consteval bool check_offsets_of_rows() {
  static_assert(Kokkos::is_view_v<Offsets>, "KokkosScan: offsets must be a Kokkos::View");
  if constexpr (Kokkos::is_view_v<Offsets>) {
    constexpr bool counts = Offsets::rank() == 1 && CountType<typename Offsets::non_const_value_type> &&
                            sizeof(typename Offsets::value_type) <= 8;
    static_assert(counts, "KokkosScan: offsets must be a View of rank 1, of integers");
    constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename Offsets::memory_space>::accessible;
    static_assert(reaches, "KokkosScan: exec cannot access the memory space of offsets");
    return counts && reaches;
  } else {
    return false;
  }
}

/// By the backend's own way; that f leaves owners one may do by a kernel of its own. (Not within a lambda: of a class
/// that it knows nvcc instantiates what is discarded there, too.)
template <class Backend, class Exec, class Rows, class F>
void for_each_by(Exec const& exec, std::string const& label, Rows const& rows, F const& f) {
  if constexpr (requires { Backend::put_owners(exec, label, rows, f); })
    Backend::put_owners(exec, label, rows, f);
  else if constexpr (runs_at_once<Backend>)
    host::rows::for_each(exec, label, rows, f);
  else
    portable::rows::for_each(exec, label, rows, f);
}

/// f(row, item) for the items of at least one row, none of them beyond so many.
template <class ExecOrHandle, class Offsets, class F>
void run_rows(std::string const& label, ExecOrHandle const& exec, Offsets const& offsets, std::size_t most,
              F const& f) {
  using Chosen = typename BackendFor<ExecOrHandle>::type;
  driver::with_elements(offsets, [&](auto const& elements) {
    core::Rows<std::remove_cvref_t<decltype(elements)>> const rows{elements, offsets.extent(0) - 1, most};
    driver::with_shown_label(label, exec, [&](std::string const& shown) {
      driver::for_each_by<Chosen>(driver::instance(exec), shown, rows, f);
    });
  });
}

/// On request: offsets that do not ascend.
template <class ExecOrHandle, class Offsets>
void check_rows(std::string const& label, ExecOrHandle const& exec_or_handle, Offsets const& offsets, std::size_t most,
                char const* array) {
  using Integer = typename Offsets::non_const_value_type;
  driver::check_segments(label, exec_or_handle,
                         core::Offsets<Integer>{strided<Integer const>(offsets), offsets.extent(0) - 1}, most,
                         "offsets", array);
}

/// The row of each item.
struct Owners {
  template <class ExecOrHandle, class Offsets, class Owner>
  static void call(std::string const& label, ExecOrHandle const& exec, Offsets const& offsets, Owner const& owner) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_offsets_of_rows<Offsets, Exec>() && check_owner<Owner, Exec>())
      put_owners(label, exec, offsets, owner);
  }

 private:
  template <class Owner, class Exec>
  static consteval bool check_owner() {
    if constexpr (check_array<Owner, Exec>()) {
      constexpr bool holds = CountType<ValueIn<Owner>> && !std::is_const_v<typename Owner::value_type>;
      static_assert(holds, "KokkosScan: owner must be a View of non-const integers");
      return holds;
    } else {
      return false;
    }
  }

  template <class ExecOrHandle, class Offsets, class Owner>
  static void put_owners(std::string const& label, ExecOrHandle const& exec, Offsets const& offsets,
                         Owner const& owner) {
    std::size_t const most = owner.extent(0), entries = offsets.extent(0);
    Regions regions(label);
    regions.reads("offsets", offsets, entries).writes("owner", owner, most);
    if (entries < 2) return;
    using Value = ValueIn<Owner>;
    if (entries - 2 > static_cast<std::size_t>(std::numeric_limits<Value>::max()))
      throw std::invalid_argument(label + ": there are " + std::to_string(entries - 1) +
                                  " rows, and the value type of owner holds at most " +
                                  std::to_string(std::numeric_limits<Value>::max()));
    driver::check_rows(label, exec, offsets, most, "owner");
    if (most == 0) return;
    driver::with_elements(owner, [&](auto const& places) {
      driver::run_rows(label, exec, offsets, most, core::PutOwner<std::remove_cvref_t<decltype(places)>>{places});
    });
  }
};

/// A function of the user's for each item.
struct ForEachSlot {
  template <class ExecOrHandle, class Offsets, class F>
  static void call(std::string const& label, ExecOrHandle const& exec, Offsets const& offsets, F const& f) {
    using Exec                   = InstanceOf<ExecOrHandle>;
    constexpr bool takes         = std::is_invocable_v<F const&, std::size_t, std::size_t>;
    constexpr bool serves        = check_offsets_of_rows<Offsets, Exec>();
    constexpr std::size_t no_end = static_cast<std::size_t>(-1) / 4;
    static_assert(takes, "KokkosScan: f must be callable as f(row, item), and a const f must be");
    if constexpr (serves && takes) {
      if (offsets.extent(0) < 2) return;
      driver::check_rows(label, exec, offsets, no_end, nullptr);
      driver::run_rows(label, exec, offsets, no_end, for_exec<ExecOrHandle>(f));
    }
  }
};

}  // namespace KokkosScan::driver
