// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/options.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <memory>

#include "../../src/driver/backend.hpp"
#include "../../src/driver/instances.hpp"

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
      : exec_(exec), options_(options), scratch_(driver::Workspaces<Exec>::of_handle(exec, driver::scratch_label)) {
    driver::check<Backend>(exec_, options_);
  }

  /// Takes now the scratch that a scan of n values of type T needs with these options, so that no call takes any later.
  template <class T>
  void reserve(std::size_t n) const {
    auto const leases = lease(driver::with_total<T>(Backend::template needs<T>(exec_, options_, n)));
  }

  /// Gives back all scratch that no call has at the moment and no graph uses. In order: kernels may still run, and
  /// nothing waits for them but where memory cannot be freed in the order of an instance. Throws std::runtime_error
  /// while exec is captured.
  void release() const { scratch_->release(exec_); }

  Exec const& exec() const { return exec_; }
  Options const& options() const { return options_; }
  driver::Leases<Exec> lease(driver::Needs const& needs) const { return {exec_, *scratch_, needs}; }

 private:
  Exec exec_;
  Options options_;
  std::shared_ptr<driver::Workspaces<Exec>> scratch_;
};

}  // namespace KokkosScan
