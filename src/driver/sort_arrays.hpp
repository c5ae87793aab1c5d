// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include "../core/radix_sort.hpp"
#include "boundaries.hpp"
#include "counted.hpp"

// Where a sort finds its keys and values side by side, and room for as many.
namespace KokkosScan::driver {

/// Parts of scratch, one behind the other.
class Parts {
 public:
  explicit Parts(core::Needs const& before) : needs_(before) {}

  /// Where n elements begin.
  template <class T>
  std::size_t add(std::size_t n) {
    std::size_t const begin = core::round_up(needs_.scratch, 128);
    needs_.scratch          = begin + core::bytes_of(n, sizeof(T));
    return begin;
  }
  core::Needs const& needs() const { return needs_; }

  template <class T>
  static T* at(core::Memory const& memory, std::size_t begin) {
    return reinterpret_cast<T*>(static_cast<std::byte*>(memory.scratch) + begin);
  }

 private:
  core::Needs needs_;
};

/// to[i] = from[i].
template <class To, class From>
struct CopyElements {
  To to;
  From from;
  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    core::put(to[i], static_cast<core::ElementOf<To>>(from[i]));
  }
};
template <class To, class From>
CopyElements(To, From) -> CopyElements<To, From>;

/// to[i] = from[at[i]].
template <class To, class From, class At>
struct GatherElements {
  To to;
  From from;
  At at;
  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    core::put(to[i], static_cast<core::ElementOf<To>>(from[static_cast<std::size_t>(at[i])]));
  }
};
template <class To, class From, class At>
GatherElements(To, From, At) -> GatherElements<To, From, At>;

/// The indices themselves.
struct Iota {
  KOKKOSSCAN_FUNCTION std::size_t operator[](std::size_t i) const { return i; }
};

/// Where elements are while they are sorted, and where as many find room: in scratch, if they do not lie side by side
/// or must stay where they are; else only that room.
template <class Array, bool stays = false>
class SortedArray {
 public:
  using Element = core::ElementOf<Array>;

  static constexpr bool is_copied = stays || !std::is_same_v<Array, core::Contiguous<Element>>;

  SortedArray(Array const& array, std::size_t n, Parts& parts)
      : array_(array), n_(n), other_(parts.add<Element>(n)), own_(is_copied ? parts.add<Element>(n) : 0) {}

  Element* elements(core::Memory const& memory) const {
    if constexpr (is_copied)
      return Parts::at<Element>(memory, own_);
    else
      return array_.data;
  }
  Element* other(core::Memory const& memory) const { return Parts::at<Element>(memory, other_); }

  template <class ExecOrHandle>
  void bring(std::string const& label, ExecOrHandle const& exec, core::Memory const& memory) const {
    if constexpr (is_copied)
      driver::for_each_index(label, exec, n_, n_, CopyElements{core::Contiguous<Element>{elements(memory)}, array_});
  }
  template <class ExecOrHandle>
  void take_back(std::string const& label, ExecOrHandle const& exec, core::Memory const& memory) const {
    if constexpr (is_copied && !stays)
      driver::for_each_index(label, exec, n_, n_, CopyElements{array_, core::Contiguous<Element>{elements(memory)}});
  }

 private:
  Array array_;
  std::size_t n_, other_, own_;
};

/// The places that keys came from, which end in `array` if that is given.
template <class Index, class Array>
class SortedIndices {
 public:
  using Element = Index;

  /// Whether they can be where they end.
  static constexpr bool is_there = std::is_same_v<Array, core::Contiguous<Index>>;

  SortedIndices(Array const& array, std::size_t n, Parts& parts)
      : array_(array), n_(n), other_(parts.add<Index>(n)), own_(is_there ? 0 : parts.add<Index>(n)) {}

  Index* elements(core::Memory const& memory) const {
    if constexpr (is_there)
      return array_.data;
    else
      return Parts::at<Index>(memory, own_);
  }
  Index* other(core::Memory const& memory) const { return Parts::at<Index>(memory, other_); }

  template <class ExecOrHandle>
  void bring(std::string const& label, ExecOrHandle const& exec, core::Memory const& memory) const {
    driver::for_each_index(label, exec, n_, n_, CopyElements{core::Contiguous<Index>{elements(memory)}, Iota{}});
  }
  template <class ExecOrHandle>
  void take_back(std::string const& label, ExecOrHandle const& exec, core::Memory const& memory) const {
    if constexpr (!is_there && !std::is_same_v<Array, Nothing>)
      driver::for_each_index(label, exec, n_, n_, CopyElements{array_, core::Contiguous<Index>{elements(memory)}});
  }

 private:
  Array array_;
  std::size_t n_, other_, own_;
};

/// Keys without values.
class NoArray {
 public:
  using Element = core::NoValues;

  static core::NoValues* elements(core::Memory const&) { return nullptr; }
  static core::NoValues* other(core::Memory const&) { return nullptr; }
  template <class ExecOrHandle>
  static void bring(std::string const&, ExecOrHandle const&, core::Memory const&) {}
  template <class ExecOrHandle>
  static void take_back(std::string const&, ExecOrHandle const&, core::Memory const&) {}
};

}  // namespace KokkosScan::driver
