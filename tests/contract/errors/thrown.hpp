// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "support/thrown.hpp"

namespace contract {

using Exec = Kokkos::DefaultExecutionSpace;

using test::says;
using test::thrown_by;

/// Bytes that a call which throws must leave as they are. Views of any shape are laid into them.
class Poisoned {
 public:
  explicit Poisoned(std::size_t bytes) : bytes_("poisoned", bytes) {
    auto const host = Kokkos::create_mirror_view(bytes_);
    for (std::size_t i = 0; i < bytes; ++i) host(i) = pattern(i);
    Kokkos::deep_copy(bytes_, host);
  }

  /// The address of element i, were the bytes an array of T.
  template <class T>
  T* at(std::size_t i) const {
    return reinterpret_cast<T*>(bytes_.data()) + i;
  }
  template <class T>
  auto view(std::size_t begin, std::size_t n) const {
    return Kokkos::View<T*, Exec::memory_space, Kokkos::MemoryUnmanaged>(at<T>(begin), n);
  }
  template <class T>
  auto place(std::size_t i) const {
    return Kokkos::View<T, Exec::memory_space, Kokkos::MemoryUnmanaged>(at<T>(i));
  }
  template <class T>
  auto strided(std::size_t begin, std::size_t n, std::size_t stride) const {
    return Kokkos::View<T*, Kokkos::LayoutStride, Exec::memory_space, Kokkos::MemoryUnmanaged>(
        at<T>(begin), Kokkos::LayoutStride(n, stride));
  }

  testing::AssertionResult untouched() const {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), bytes_);
    for (std::size_t i = 0; i < host.extent(0); ++i)
      if (host(i) != pattern(i)) return testing::AssertionFailure() << "byte " << i << " was written";
    return testing::AssertionSuccess();
  }

 private:
  static unsigned char pattern(std::size_t i) { return static_cast<unsigned char>(0xa5 ^ (i * 7)); }
  Kokkos::View<unsigned char*, Exec::memory_space> bytes_;
};

/// The call must throw, with these words, and write nothing.
template <class Call>
void expect_refused(Poisoned const& memory, std::initializer_list<std::string> words, Call const& call) {
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>(call), words));
  EXPECT_TRUE(memory.untouched());
}

inline std::string address(void const* place) { return std::to_string(reinterpret_cast<std::uintptr_t>(place)); }

}  // namespace contract
