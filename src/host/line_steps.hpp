// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <new>
#include <type_traits>

#include "../core/lines.hpp"
#include "as_written.hpp"
#include "tile.hpp"

namespace KokkosScan::host::lines {

/// Elements of a line, one after the other.
template <class LineScan>
struct Steps {
  using Value = typename LineScan::Value;
  using From  = typename LineScan::From;
  using Dest  = typename LineScan::Dest;

  static constexpr bool is_exclusive = LineScan::kind == Kind::exclusive;
  static constexpr bool has_starts   = !std::is_same_v<typename LineScan::Start, core::NoInit>;
  static constexpr auto next         = std::ptrdiff_t{LineScan::reversed ? -1 : 1};

  /// What as_written() looks at: the same functions, of one line.
  using OneLine = core::ArrayScan<LineScan::kind, Value, core::Strided<From>, core::Strided<Dest>,
                                  typename LineScan::Operator, typename LineScan::Unary>;

  template <class T, class Other>
  static void put(T& to, Other const& value) {
    ::new (static_cast<void*>(&to)) T(static_cast<T>(value));
  }

  /// The first element of a line; nothing stands before that of an inclusive scan without a start.
  template <bool stores>
  [[gnu::always_inline]] static Value begin(LineScan const& scan, Maybe<Value> const& start, From const& from,
                                            Dest& to) {
    Value const own     = scan.make(from);
    Value const through = start ? scan.combine(*start, own) : own;
    if constexpr (stores && is_exclusive)
      put(to, *start);
    else if constexpr (stores)
      put(to, through);
    return through;
  }
  template <bool stores>
  [[gnu::always_inline]] static Value go_on(LineScan const& scan, From const& from, Value const& running, Dest& to) {
    Value const through = scan.combine(running, scan.make(from));
    if constexpr (stores && is_exclusive)
      put(to, running);
    else if constexpr (stores)
      put(to, through);
    return through;
  }
};

}  // namespace KokkosScan::host::lines
