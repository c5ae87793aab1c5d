// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/options.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <memory>

#include "../../src/driver/backend.hpp"
#include "../../src/driver/workspace.hpp"

namespace KokkosScan {

/// An execution space instance with choices and scratch of its own; every function takes one in the place of an
/// instance. Copies share the scratch. Handle<Exec, portable::Backend> runs on any Exec what spaces without a backend
/// of their own get.
template <class Exec = Kokkos::DefaultExecutionSpace, class Backend_ = driver::Backend<Exec>>
class Handle {
  static_assert(Kokkos::is_execution_space_v<Exec>, "KokkosScan: a Handle needs a Kokkos execution space instance");

 public:
  using Backend = Backend_;

  explicit Handle(Exec const& exec = Exec(), Options const& options = {})
      : exec_(exec), options_(options), scratch_(make_workspace()), states_(make_workspace()) {
    driver::check<Backend>(exec_, options_);
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
  Options const& options() const { return options_; }
  driver::Workspace::Lease lease(driver::Workspace::Purpose purpose, std::size_t bytes) const {
    bool const scratch = purpose == driver::Workspace::Purpose::scratch;
    return driver::lease_for<Backend>(exec_, scratch ? *scratch_ : *states_, purpose, bytes);
  }

 private:
  static auto make_workspace() { return driver::Workspace::in<typename Exec::memory_space>(); }

  Exec exec_;
  Options options_;
  std::shared_ptr<driver::Workspace> scratch_;
  std::shared_ptr<driver::Workspace> states_;
};

}  // namespace KokkosScan
