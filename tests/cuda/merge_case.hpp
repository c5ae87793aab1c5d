// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cuda_native/sort/segmented_sort.hpp"
#include "support/random.hpp"

// Keys for merge sorts on the execution model. Each knows where it came from, which the comparison does not look at;
// and that it is a key, which the comparison does look at.
namespace test {
namespace core  = KokkosScan::core;
namespace merge = KokkosScan::cuda::merge;

/// What is sorted by its first byte, and has its sum in its last one; in between stands where it came from.
template <int size, int alignment>
struct alignas(alignment) Record {
  unsigned char byte[size];

  static Record of(unsigned char key, std::size_t i) {
    Record record{};
    record.byte[0] = key;
    for (int b = 1; b < size - 1; ++b, i >>= 8) record.byte[b] = static_cast<unsigned char>(i);
    record.byte[size - 1] = record.sum();
    return record;
  }
  int key() const { return byte[0]; }
  bool is_key() const { return byte[size - 1] == sum(); }

 private:
  unsigned char sum() const {
    unsigned sum = 0x5a;
    for (int b = 0; b < size - 1; ++b) sum = sum * 3 + byte[b];
    return static_cast<unsigned char>(sum);
  }
};
/// A byte, of which the odd ones are keys.
struct Byte {
  unsigned char byte;
  static Byte of(unsigned char key, std::size_t) { return {static_cast<unsigned char>(key | 1U)}; }
  int key() const { return byte; }
  bool is_key() const { return byte % 2 == 1; }
};
/// What can be made but never assigned.
struct Constant {
  std::uint16_t const first, second;
  static Constant of(unsigned char key, std::size_t i) {
    return {static_cast<std::uint16_t>(key << 8 | 0x5a), static_cast<std::uint16_t>(i)};
  }
  int key() const { return first >> 8; }
  bool is_key() const { return (first & 0xff) == 0x5a; }
};

inline int foreign = 0;  // how often a comparison was asked about what is no key
struct ByKey {
  template <class Key>
  bool operator()(Key const& left, Key const& right) const {
    foreign += static_cast<int>(!left.is_key() || !right.is_key());
    return left.key() < right.key();
  }
};

enum class Keys { random, few, equal, ascending, descending };
inline constexpr Keys kinds[] = {Keys::random, Keys::few, Keys::equal, Keys::ascending, Keys::descending};

inline unsigned char key_of(Keys kind, std::size_t i, std::size_t n, Random& random) {
  switch (kind) {
    case Keys::random: return static_cast<unsigned char>(random());
    case Keys::few: return static_cast<unsigned char>(20 * random.below(3));
    case Keys::equal: return 77;
    case Keys::ascending: return static_cast<unsigned char>(255 * i / n);
    case Keys::descending: return static_cast<unsigned char>(255 * (n - i) / n);
  }
  return 0;
}

/// Room for n elements, between others that must stay, from an address on that is aligned to no more than T is, or else
/// as well as can be.
template <class T>
class Guarded {
 public:
  explicit Guarded(std::size_t n, bool is_aligned = false)
      : n_(n), bytes_((n + 2 * guards) * sizeof(T) + 3 * most_aligned, filling) {
    auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    begin_       = most_aligned - address % most_aligned +
             (is_aligned ? most_aligned - guards * sizeof(T) % most_aligned : alignof(T));
  }
  T* data() { return reinterpret_cast<T*>(bytes_.data() + begin_) + guards; }
  bool is_intact() const {
    auto const* const from = bytes_.data() + begin_;
    auto const is_filling  = [](unsigned char byte) { return byte == filling; };
    return std::all_of(bytes_.data(), from + guards * sizeof(T), is_filling) &&
           std::all_of(from + (guards + n_) * sizeof(T), bytes_.data() + bytes_.size(), is_filling);
  }

 private:
  static constexpr std::size_t guards = 3, most_aligned = 16;
  static constexpr unsigned char filling = 0xa6;

  std::size_t n_, begin_;
  std::vector<unsigned char> bytes_;
};

template <class T>
bool are_same(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace test
