// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <type_traits>

#include "../core/options.hpp"
#include "../driver/run_scan.hpp"
#include "agreement.hpp"

// What calls across ranks refuse, and what they check on request.
namespace KokkosScan::ranks {

template <class ExecOrHandle>
void refuse_in_capture(std::string const& label, ExecOrHandle const& exec_or_handle) {
  driver::refuse_in_capture(label, driver::instance(exec_or_handle),
                            ": a call across ranks waits for exec, which would end the capture of exec into a graph; "
                            "make it before the capture or behind it");
}

/// Whether all ranks are in this call, if the options of a Handle ask for that; text() says what it is.
template <class ExecOrHandle, class Text>
void check_calls_agree(Channel& channel, std::string const& label, ExecOrHandle const& exec_or_handle,
                       Text const& text) {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(driver::choice(exec_or_handle))>, Options>)
    if (driver::choice(exec_or_handle).check) check_agreement(channel, label, text());
}

}  // namespace KokkosScan::ranks
