// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "../core/by_key.hpp"
#include "../core/options.hpp"
#include "../core/runs.hpp"
#include "../core/segments.hpp"
#include "backend.hpp"
#include "choice.hpp"
#include "instances.hpp"

namespace KokkosScan {

/// An execution space instance with scratch of its own; every function takes one instead of an instance. Copies
/// share the scratch. What the instance stands for, a stream of CUDA's, must live as long: scratch is freed in its
/// order.
///
///   Handle handle(exec)                                            compiles what a call with exec does
///   Handle handle(exec, Options{.grid = ...})                      has choices, and compiles all there are
///   Handle<Exec, portable::Backend [, Options]> handle(exec ...)   runs on any Exec what spaces without a backend of
///                                                                  their own get
template <class Exec = Kokkos::DefaultExecutionSpace, class Backend_ = driver::Backend<Exec>,
          class Choice_ = core::Automatic>
class Handle {
  static_assert(Kokkos::is_execution_space_v<Exec>, "KokkosScan: a Handle needs a Kokkos execution space instance");

 public:
  using Backend = Backend_;
  using Choice  = Choice_;

  /// Kokkos Tools see all kernels and scratch of the Handle under their labels behind the prefix.
  explicit Handle(Exec const& exec = Exec(), Choice const& options = {}, std::string const& label_prefix = {})
      : exec_(exec),
        options_(options),
        label_prefix_(label_prefix),
        scratch_(driver::Workspaces<Exec>::of_handle(exec, label_prefix + driver::scratch_label)) {
    if constexpr (std::is_same_v<Choice, Options>) driver::check<Backend>(exec_, options_);
  }
  Handle(Exec const& exec, std::string const& label_prefix) : Handle(exec, Choice{}, label_prefix) {}
  template <std::same_as<Options> Given>
    requires(!std::same_as<Choice, Options>)
  Handle(Exec const&, Given const&) {
    static_assert(!std::same_as<Given, Options>,
                  "KokkosScan: the type of this Handle leaves no choice; write Handle handle(exec, Options{...}), or "
                  "Handle<Exec, Backend, Options> for the type");
  }

  /// Takes now the scratch that a scan of n values of type T needs with these options, so that no call takes any later.
  template <class T>
  void reserve(std::size_t n) const {
    auto const leases = lease(driver::with_total<T>(Backend::template needs<T>(exec_, options_, n)));
  }
  /// The same for scans by key, and along an axis, n being all elements of all lines.
  template <class T>
  void reserve_by_key(std::size_t n) const {
    reserve<core::Keyed<T>>(n);
    reserve<T>(n);  // one line is scanned as an array, and may have more tiles than elements by key
    if constexpr (requires { Backend::template needs_of_lines<T>(n); }) {
      auto const leases = lease(Backend::template needs_of_lines<T>(n));
    }
  }
  /// The same for scans and reductions of segments, of n elements in all.
  template <class T>
  void reserve_segmented(std::size_t n) const {
    auto const leases =
        lease(core::with_boundaries(Backend::template needs<core::Keyed<T>>(exec_, options_, n), n, true));
    if constexpr (requires { Backend::template needs_of_row_reductions<T>(options_, n); }) {
      auto const of_reductions = lease(Backend::template needs_of_row_reductions<T>(options_, n));
    }
  }

  /// The same for what chooses n elements of type T, in place too, or groups them, T being what is reduced: whatever
  /// the type of the count, and of lengths.
  template <class T>
  void reserve_compaction(std::size_t n) const {
    reserve<core::Run<T, std::size_t>>(n);
    reserve<T>(n);
    reserve<core::Run<std::int64_t, std::size_t>>(n);
    core::Needs needs = Backend::template needs<std::size_t>(exec_, options_, n);
    if constexpr (requires { Backend::scratch_of_marks(exec_, n); })
      needs.scratch += Backend::scratch_of_marks(exec_, n);
    needs = core::with_elements_moved<T>(needs, n);
    if constexpr (requires { Backend::template needs_in_place<T>(exec_, n); })  // a call takes the one or the other
      needs.scratch = std::max(needs.scratch, Backend::template needs_in_place<T>(exec_, n).scratch);
    auto const leases = lease(needs);
  }

  /// Gives back all scratch that no call has at the moment and no graph uses. In order: kernels may still run, and
  /// nothing waits for them but where memory cannot be freed in the order of an instance. Throws std::runtime_error
  /// while exec is captured.
  void release() const { scratch_->release(exec_); }

  Exec const& exec() const { return exec_; }
  Choice const& options() const { return options_; }
  std::string const& label_prefix() const { return label_prefix_; }
  driver::Leases<Exec> lease(core::Needs const& needs) const { return {exec_, *scratch_, needs}; }

 private:
  Exec exec_;
  [[no_unique_address]] Choice options_;
  std::string label_prefix_;
  std::shared_ptr<driver::Workspaces<Exec>> scratch_;
};

template <class Exec>
Handle(Exec const&) -> Handle<Exec>;
template <class Exec, std::convertible_to<std::string> Prefix>  // a literal, too
Handle(Exec const&, Prefix const&) -> Handle<Exec>;
template <class Exec>
Handle(Exec const&, Options const&) -> Handle<Exec, driver::Backend<Exec>, Options>;
template <class Exec>
Handle(Exec const&, Options const&, std::string const&) -> Handle<Exec, driver::Backend<Exec>, Options>;

}  // namespace KokkosScan
