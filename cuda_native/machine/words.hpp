// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

// The words that blocks exchange. A word has 4, 8 or 16 bytes, is aligned to its size, and is read and written as a
// whole. What one block writes with `relaxed` becomes visible to others at some time and in any order; a release makes
// everything visible that its thread wrote, or acquired, before it, to whoever acquires it.
namespace KokkosScan::cuda {

template <class Word>
concept ExchangedWord = std::is_trivially_copyable_v<Word> && alignof(Word) == sizeof(Word) &&
                        (sizeof(Word) == 4 || sizeof(Word) == 8 || sizeof(Word) == 16);

namespace bits {

struct alignas(16) Two {
  std::uint64_t low, high;
};
template <std::size_t size>
struct Unsigned;
template <>
struct Unsigned<4> {
  using type = std::uint32_t;
};
template <>
struct Unsigned<8> {
  using type = std::uint64_t;
};
template <>
struct Unsigned<16> {
  using type = Two;
};

template <class To, class From>
__device__ To cast(From const& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

// The inline assembly of one kind of access, for the three widths.
#define KOKKOSSCAN_WORD_ACCESS(load_order, store_order)                                                         \
  __device__ inline void load_##load_order(std::uint32_t const* address, std::uint32_t& word) {                 \
    asm volatile("ld." #load_order ".gpu.global.b32 %0, [%1];" : "=r"(word) : "l"(address) : "memory");         \
  }                                                                                                             \
  __device__ inline void load_##load_order(std::uint64_t const* address, std::uint64_t& word) {                 \
    asm volatile("ld." #load_order ".gpu.global.b64 %0, [%1];" : "=l"(word) : "l"(address) : "memory");         \
  }                                                                                                             \
  __device__ inline void load_##load_order(Two const* address, Two& word) {                                     \
    asm volatile("{ .reg .b128 word; ld." #load_order ".gpu.global.b128 word, [%2]; mov.b128 {%0, %1}, word; }" \
                 : "=l"(word.low), "=l"(word.high)                                                              \
                 : "l"(address)                                                                                 \
                 : "memory");                                                                                   \
  }                                                                                                             \
  __device__ inline void store_##store_order(std::uint32_t* address, std::uint32_t word) {                      \
    asm volatile("st." #store_order ".gpu.global.b32 [%0], %1;" ::"l"(address), "r"(word) : "memory");          \
  }                                                                                                             \
  __device__ inline void store_##store_order(std::uint64_t* address, std::uint64_t word) {                      \
    asm volatile("st." #store_order ".gpu.global.b64 [%0], %1;" ::"l"(address), "l"(word) : "memory");          \
  }                                                                                                             \
  __device__ inline void store_##store_order(Two* address, Two word) {                                          \
    asm volatile("{ .reg .b128 word; mov.b128 word, {%1, %2}; st." #store_order                                 \
                 ".gpu.global.b128 [%0], word; }" ::"l"(address),                                               \
                 "l"(word.low), "l"(word.high)                                                                  \
                 : "memory");                                                                                   \
  }
KOKKOSSCAN_WORD_ACCESS(relaxed, relaxed)
KOKKOSSCAN_WORD_ACCESS(acquire, release)
#undef KOKKOSSCAN_WORD_ACCESS

template <class Word>
using UnsignedOf = typename Unsigned<sizeof(Word)>::type;

}  // namespace bits

template <ExchangedWord Word>
__device__ Word load_relaxed(Word const* address) {
  bits::UnsignedOf<Word> word;
  bits::load_relaxed(reinterpret_cast<bits::UnsignedOf<Word> const*>(address), word);
  return bits::cast<Word>(word);
}
template <ExchangedWord Word>
__device__ Word load_acquire(Word const* address) {
  bits::UnsignedOf<Word> word;
  bits::load_acquire(reinterpret_cast<bits::UnsignedOf<Word> const*>(address), word);
  return bits::cast<Word>(word);
}
template <ExchangedWord Word>
__device__ void store_relaxed(Word* address, Word word) {
  bits::store_relaxed(reinterpret_cast<bits::UnsignedOf<Word>*>(address), bits::cast<bits::UnsignedOf<Word>>(word));
}
template <ExchangedWord Word>
__device__ void store_release(Word* address, Word word) {
  bits::store_release(reinterpret_cast<bits::UnsignedOf<Word>*>(address), bits::cast<bits::UnsignedOf<Word>>(word));
}

/// Adds, and returns what stood there before. Relaxed: each caller gets another number, and nothing more is promised.
__device__ inline std::uint64_t fetch_add(std::uint64_t* address, std::uint64_t summand) {
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  return atomicAdd(reinterpret_cast<unsigned long long*>(address), summand);
}
__device__ inline unsigned fetch_add(unsigned* address, unsigned summand) { return atomicAdd(address, summand); }

/// Counts up to `last` and then starts anew from 0; returns what stood there before.
__device__ inline unsigned fetch_increment(unsigned* address, unsigned last) { return atomicInc(address, last); }

/// Orders what the calling thread did before it and does after it, as seen by all blocks.
__device__ inline void fence() { __threadfence(); }

/// Writes 16 bytes by one access: of an assignment nvcc 13.0 makes four of 4 bytes wherever it likes, and partial
/// sectors take four times as long.
__device__ inline void store_at_once(void* address, std::uint32_t const (&word)[4]) {
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(word[0]), "r"(word[1]), "r"(word[2]),
               "r"(word[3])
               : "memory");
}

/// Reads what belongs together, and is aligned as a whole, by one access.
template <class T>
__device__ T load_at_once(T const* address) {
  return *address;
}

/// Zero, though the compiler cannot know: no grid here has a third dimension.
__device__ inline std::uint32_t hidden_zero() {
  std::uint32_t zero;
  asm("mov.u32 %0, %%ctaid.z;" : "=r"(zero));
  return zero;
}

/// The lanes of a whole warp that have the same low bits as the caller. (Of the same in C++, nvcc 13.0 makes the bit
/// that is voted on twice.)
template <int bits>
__device__ std::uint32_t lanes_alike(std::uint32_t value) {
  std::uint32_t alike = 0xffffffffU;
#pragma unroll
  for (int bit = 0; bit < bits; ++bit) {
    std::uint32_t with_same_bit;
    asm volatile(
        "{\n"
        "  .reg .pred is_set;\n"
        "  and.b32 %0, %1, %2;\n"
        "  setp.ne.b32 is_set, %0, 0;\n"
        "  vote.sync.ballot.b32 %0, is_set, 0xffffffff;\n"
        "  @!is_set not.b32 %0, %0;\n"
        "}"
        : "=r"(with_same_bit)
        : "r"(value), "r"(1U << bit));
    alike &= with_same_bit;
  }
  return alike;
}

/// The address in global memory, to count with.
__device__ inline std::uintptr_t global_address(void const* pointer) { return __cvta_generic_to_global(pointer); }
/// What is at such an address: of a pointer that was made of any integer the compiler knows no memory, and every access
/// might be one of the block's. (Told so by an assumption, nvcc 13.0 fails where T is a structure.)
template <class T>
__device__ T* in_global_memory(std::uintptr_t address) {
  return static_cast<T*>(__cvta_global_to_generic(address));
}

/// Has the memory around an address brought into the second-level cache.
__device__ inline void fetch_into_second_level(void const* address) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

/// Between two polls of a word that another block is to write. Every loop that waits for one calls it.
__device__ inline void pause() {}

/// Where it is likely that such a word comes only then: to poll it earlier would be in the way of others.
__device__ inline void pause_for(int cycles) {
  for (long long const begin = clock64(); clock64() - begin < cycles;) {
  }
}

}  // namespace KokkosScan::cuda
