// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <utility>

namespace KokkosScan::host {

/// Calls a function object that outlives it, of whatever type: what takes one is compiled once, not once for each.
template <class Signature>
class FunctionRef;
template <class... Arguments>
class FunctionRef<void(Arguments...)> {
 public:
  template <class F>
  FunctionRef(F const& f)
      : context_(std::addressof(f)), call_([](void const* context, Arguments... arguments) {
          (*static_cast<F const*>(context))(std::forward<Arguments>(arguments)...);
        }) {}

  void operator()(Arguments... arguments) const { call_(context_, std::forward<Arguments>(arguments)...); }

 private:
  void const* context_;
  void (*call_)(void const*, Arguments...);
};

}  // namespace KokkosScan::host
