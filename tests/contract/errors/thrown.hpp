// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <string>
#include <typeinfo>

namespace contract {

using Exec = Kokkos::DefaultExecutionSpace;

/// What the call says when it throws. Another exception, or none, fails the test.
template <class Exception, class Call>
std::string thrown_by(Call const& call) {
  try {
    call();
  } catch (Exception const& error) {
    EXPECT_EQ(typeid(error), typeid(Exception)) << error.what();
    return error.what();
  } catch (std::exception const& error) {
    ADD_FAILURE() << "threw an exception of another type: " << error.what();
    return {};
  }
  ADD_FAILURE() << "threw nothing";
  return {};
}

inline testing::AssertionResult says(std::string const& message, std::initializer_list<std::string> words) {
  for (std::string const& word : words)
    if (message.find(word) == std::string::npos)
      return testing::AssertionFailure() << "no '" << word << "' in: " << message;
  return testing::AssertionSuccess();
}

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

inline std::string address(void const* place) { return std::to_string(reinterpret_cast<std::uintptr_t>(place)); }

}  // namespace contract
