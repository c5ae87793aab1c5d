// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "machine.hpp"
#include "values.hpp"

// Values that blocks exchange without a fence: beside each four bytes of one stands a tag that says whether they have
// come. All memory that is exchanged so consists of such words, whatever the values, so that what a scan of one type
// leaves behind never looks like a tag to a scan of another.
namespace KokkosScan::cuda {

struct alignas(8) TaggedWord {
  std::uint32_t part, tag;
};
/// Two that are read and written at once.
struct alignas(16) TaggedPair {
  TaggedWord word[2];
};

/// The words of a value, as one poll finds them: one, or pairs.
template <class Value>
class TaggedValue {
  static constexpr int parts = (static_cast<int>(sizeof(Value)) + 3) / 4;

 public:
  static constexpr int words = parts == 1 ? 1 : (parts + 1) / 2 * 2;
  /// What is read and written at once: always the same of the same words.
  using Access = std::conditional_t<words == 1, TaggedWord, TaggedPair>;

  /// Those of neighbouring values may lie a `stride` apart, in what is read and written at once.
  __device__ static TaggedValue load(TaggedWord const* from, int stride = 1) {
    TaggedValue seen;
#pragma unroll
    for (int a = 0; a < accesses; ++a)
      seen.access_[a] = load_relaxed(reinterpret_cast<Access const*>(from) + a * stride);
    return seen;
  }
  __device__ static void store(TaggedWord* to, Value const& value, std::uint32_t tag, int stride = 1) {
    std::uint32_t part[words] = {};
    memcpy(part, static_cast<void const*>(&value), sizeof(Value));
#pragma unroll
    for (int a = 0; a < accesses; ++a) {
      Access access;
      if constexpr (words == 1)
        access = {part[0], tag};
      else
        access = {{{part[2 * a], tag}, {part[2 * a + 1], tag}}};
      store_relaxed(reinterpret_cast<Access*>(to) + a * stride, access);
    }
  }

  __device__ std::uint32_t tag() const { return word(0).tag; }
  /// Whether all of it has come.
  ///
  /// All of a word is used: of a load of which not all is used (a value may have a hole, or a member that the operator
  /// does not read), ptxas 13.0 makes several, and then the tag may be newer than the value.
  __device__ bool has(std::uint32_t tag) const {
    if constexpr (words == 1) {
      return word(0).tag == tag && static_cast<std::uint64_t>(word(0).part) >> (8 * sizeof(Value)) == 0;
    } else {
      std::uint32_t other_tags = 0, parts_of_all = 0;
#pragma unroll
      for (int w = 0; w < words; ++w) {
        other_tags |= word(w).tag ^ tag;
        parts_of_all |= word(w).part;
      }
      return other_tags == 0 && (parts_of_all & (0 - hidden_zero())) == 0;
    }
  }
  __device__ Uninitialized<Value> value() const {
    std::uint32_t part[words];
#pragma unroll
    for (int w = 0; w < words; ++w) part[w] = word(w).part;
    Uninitialized<Value> value;
    memcpy(static_cast<void*>(&value), part, sizeof(Value));
    return value;
  }

 private:
  static constexpr int accesses = words == 1 ? 1 : words / 2;

  __device__ TaggedWord word(int w) const {
    if constexpr (words == 1)
      return access_[0];
    else
      return access_[w / 2].word[w % 2];
  }

  Access access_[accesses];
};

}  // namespace KokkosScan::cuda
