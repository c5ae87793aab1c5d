// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "values.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define KOKKOSSCAN_TEST_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KOKKOSSCAN_TEST_ASAN
#endif
#endif
#ifdef KOKKOSSCAN_TEST_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace test {

/// Where the elements of a View lie in an arena; all but the count in bytes.
struct Region {
  std::size_t first;
  std::size_t stride;
  std::size_t count;
  std::size_t size;

  std::size_t end() const { return count == 0 ? first : first + (count - 1) * stride + size; }
};

/// The memory in which all Views of one test case lie. Whatever is not an element holds a pattern: guard zones before,
/// between and behind the Views, and the gaps between strided elements. After the call every byte that is no output
/// must be what it was, inputs too. Under AddressSanitizer it does not even allow reads of the guard zones.
template <class Space>
class Arena {
 public:
  explicit Arena(std::size_t bytes)
      : bytes_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "arena"), bytes),
        host_(Kokkos::create_mirror_view(bytes_)) {
    for (std::size_t i = 0; i < bytes; ++i) host_(i) = static_cast<unsigned char>((i * 0x9e3779b9U) >> 13);
  }
  Arena(Arena const&)            = delete;
  Arena& operator=(Arena const&) = delete;
  ~Arena() { allow_all(); }

  /// The memory of a region as the execution space sees it.
  template <class T>
  T* data(Region const& region) const {
    return reinterpret_cast<T*>(bytes_.data() + region.first);
  }

  template <class T>
  void write(Region const& region, std::vector<std::remove_const_t<T>> const& values) {
    for (std::size_t i = 0; i < region.count; ++i) {
      T const value = values[i];  // a std::vector<bool> has no element to point at
      std::memcpy(host_.data() + region.first + i * region.stride, &value, sizeof(T));
    }
  }

  template <class T>
  std::vector<T> read(Region const& region) const {
    std::vector<T> values;
    values.reserve(region.count);
    Bytes<T> bytes;
    for (std::size_t i = 0; i < region.count; ++i) {
      std::memcpy(bytes.data(), host_.data() + region.first + i * region.stride, sizeof(T));
      values.push_back(std::bit_cast<T>(bytes));
    }
    return values;
  }

  /// To be called when everything is written, and before the call under test, which may touch these regions.
  void send(std::initializer_list<Region> regions) {
    before_.assign(host_.data(), host_.data() + host_.extent(0));
    Kokkos::deep_copy(bytes_, host_);
#ifdef KOKKOSSCAN_TEST_ASAN
    __asan_poison_memory_region(bytes_.data(), bytes_.extent(0));
    for (Region const& region : regions)
      __asan_unpoison_memory_region(bytes_.data() + region.first, region.end() - region.first);
#else
    static_cast<void>(regions);
#endif
  }

  /// To be called after the call under test.
  void fetch() {
    allow_all();
    Kokkos::deep_copy(host_, bytes_);
  }

  /// Whether all bytes but those of the elements of these regions are as before.
  testing::AssertionResult untouched_but(std::initializer_list<Region> outputs) const {
    std::vector<unsigned char> after(host_.data(), host_.data() + host_.extent(0));
    for (Region const& region : outputs)
      for (std::size_t i = 0; i < region.count; ++i) {
        std::size_t const at = region.first + i * region.stride;
        std::memcpy(after.data() + at, before_.data() + at, region.size);
      }
    if (std::memcmp(after.data(), before_.data(), after.size()) == 0) return testing::AssertionSuccess();
    std::size_t at = 0;
    while (after[at] == before_[at]) ++at;
    auto failure = testing::AssertionFailure() << "byte " << at << " of the arena was written; the outputs are";
    for (Region const& region : outputs)
      failure << " [" << region.first << ", " << region.end() << ") by " << region.stride << ";";
    return failure;
  }

 private:
  void allow_all() {
#ifdef KOKKOSSCAN_TEST_ASAN
    __asan_unpoison_memory_region(bytes_.data(), bytes_.extent(0));
#endif
  }

  using Memory = Kokkos::View<unsigned char*, Space>;
  Memory bytes_;
  decltype(Kokkos::create_mirror_view(std::declval<Memory const&>())) host_;
  std::vector<unsigned char> before_;
};

}  // namespace test
