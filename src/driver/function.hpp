// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

#include "run_scan.hpp"

// The functions of the API, as objects: argument-dependent look-up neither finds them nor, once they are found, looks
// further, so they never meet the functions of the same name in Kokkos and Kokkos::Experimental.
namespace KokkosScan {

template <class ExecOrHandle>
concept NoLabel = !std::is_convertible_v<ExecOrHandle const&, std::string>;

namespace driver {

/// What Kokkos Tools see of a call without a label.
template <std::size_t size>
struct Name {
  char text[size];
  consteval Name(char const (&name)[size]) { std::copy_n(name, size, text); }
};

template <class Algorithm, class... Arguments>
concept TakenBy = requires(std::string const& label, Arguments&&... arguments) {
  Algorithm::call(label, static_cast<Arguments&&>(arguments)...);
};

/// Algorithm::call(label, exec, arguments...), under the label of a call or else under its own name.
template <class Algorithm, Name name>
struct Function {
  template <class ExecOrHandle, class... Arguments>
  void operator()(std::string const& label, ExecOrHandle const& exec, Arguments&&... arguments) const {
    static_assert(is_exec_or_handle<ExecOrHandle>,
                  "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle");
    if constexpr (is_exec_or_handle<ExecOrHandle>) {
      constexpr bool are_enough = TakenBy<Algorithm, ExecOrHandle const&, Arguments...>;
      static_assert(are_enough, "KokkosScan: too few arguments, or too many");
      if constexpr (are_enough) Algorithm::call(label, exec, static_cast<Arguments&&>(arguments)...);
    }
  }
  template <NoLabel ExecOrHandle, class... Arguments>
  void operator()(ExecOrHandle const& exec, Arguments&&... arguments) const {
    static std::string const label = name.text;
    (*this)(label, exec, static_cast<Arguments&&>(arguments)...);
  }
};

}  // namespace driver
}  // namespace KokkosScan
