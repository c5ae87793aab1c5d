// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/options.hpp>
#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "../../src/driver/backend.hpp"
#include "../../src/driver/choice.hpp"
#include "../../src/driver/workspace.hpp"

namespace KokkosScan {

/// An execution space instance with scratch of its own; every function takes one in the place of an instance. Copies
/// share the scratch.
///
///   Handle handle(exec)                                            compiles what a call with exec does
///   Handle handle(exec, Options{.grid = ...})                      has choices, and compiles all there are
///   Handle<Exec, portable::Backend [, Options]> handle(exec ...)   runs on any Exec what spaces without a backend of
///                                                                  their own get
template <class Exec = Kokkos::DefaultExecutionSpace, class Backend_ = driver::Backend<Exec>,
          class Choice_ = driver::Automatic>
class Handle {
  static_assert(Kokkos::is_execution_space_v<Exec>, "KokkosScan: a Handle needs a Kokkos execution space instance");

 public:
  using Backend = Backend_;
  using Choice  = Choice_;

  explicit Handle(Exec const& exec = Exec(), Choice const& options = {})
      : exec_(exec), options_(options), scratch_(make_workspace()), states_(make_workspace()) {
    if constexpr (std::is_same_v<Choice, Options>) driver::check<Backend>(exec_, options_);
  }
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
    using Purpose             = driver::Workspace::Purpose;
    driver::Needs const needs = Backend::template needs<T>(exec_, options_, n);
    // All at once, as a call with a total on the host has them.
    auto const total   = lease(Purpose::scratch, sizeof(T));
    auto const scratch = lease(Purpose::scratch, needs.scratch);
    auto const states  = lease(Purpose::states, needs.states);
  }

  Exec const& exec() const { return exec_; }
  Choice const& options() const { return options_; }
  driver::Workspace::Lease lease(driver::Workspace::Purpose purpose, std::size_t bytes) const {
    bool const scratch = purpose == driver::Workspace::Purpose::scratch;
    return driver::lease_for<Backend>(exec_, scratch ? *scratch_ : *states_, purpose, bytes);
  }

 private:
  static auto make_workspace() { return driver::Workspace::in<typename Exec::memory_space>(); }

  Exec exec_;
  [[no_unique_address]] Choice options_;
  std::shared_ptr<driver::Workspace> scratch_;
  std::shared_ptr<driver::Workspace> states_;
};

template <class Exec>
Handle(Exec const&) -> Handle<Exec>;
template <class Exec>
Handle(Exec const&, Options const&) -> Handle<Exec, driver::Backend<Exec>, Options>;

}  // namespace KokkosScan
