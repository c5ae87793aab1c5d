// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <tuple>
#include <type_traits>

#include "calls.hpp"
#include "guarded.hpp"
#include "language.hpp"
#include "model.hpp"

// What cuda_native/machine/ is on a GPU, this is on a CPU: kernels are the same text on both, and a test of a kernel
// runs launch() as any caller does.
//
// The model is an adversary. It runs a kernel as badly as the promises of CUDA allow, in one of as many ways as there
// are seeds, always the same way for the same seed:
//
//   threads        are fibers on one thread of the operating system (fiber.hpp). At every call of the model one may
//                  have to let another go first (scheduler.hpp, policy.hpp).
//   blocks         start in any order, and only so many at once.
//   words          A store becomes visible to each thread at another time. A thread may read old values until it is
//                  told of newer ones: by a release and an acquire, by fences, or by a barrier; and one that stores
//                  without having been told of the newest value may find that this one stays (word_access.cpp).
//   shared memory  is watched for races, for bytes that nobody wrote, and for its bounds (shared_memory.hpp).
//   copies         between global and shared memory happen piece by piece, at any time between their start and the end
//                  of somebody's wait for them. They are watched like threads (copies.cpp).
//   mbarriers      count arrivals and bytes, and order those who wait behind both (mbarriers.cpp).
//   grids          on a model::Stream start while the one before still runs, as soon as its blocks let them; they wait
//                  for it where they say so (grids.cpp).
//   barriers       and shuffles are watched for threads that do not come (meetings.cpp).
//
// What goes wrong is a ModelError, thrown by launch(), that names the seed. Tests say how to run by a Model object
// (model.hpp). What the model cannot see: plain loads and stores of global memory. They happen at once, in the order
// of the turns, so what a fence is to order must be words, or a missing fence stays unseen.
namespace KokkosScan::cuda {

struct StreamOfTheModel;
using Stream = StreamOfTheModel*;  // always null: whether launches are enqueued is said by a model::Stream

struct Device {
  int multiprocessors;
  int shared_bytes;
  bool copies;
};
inline Device current_device() { return {model::multiprocessors(), 227 * 1024, true}; }
inline bool has_copies_in(void const*) { return true; }

struct Grid {
  unsigned blocks;
  int threads;             // of a block
  std::size_t shared = 0;  // bytes of dynamic shared memory of a block
  std::size_t most   = 0;
};

template <class... Parameters>
void launch(Stream, Grid grid, void (*kernel)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  struct Call {
    void (*kernel)(Parameters...);
    std::tuple<Parameters...> arguments;
  };
  Call const call{kernel, std::tuple<Parameters...>(arguments...)};
  if (model::Stream* const stream = model::Stream::current())
    return stream->enqueue({grid.blocks, grid.threads, grid.shared},
                           [call] { std::apply(call.kernel, call.arguments); });
  model::launch({grid.blocks, grid.threads, grid.shared}, {[](void const* data) {
                                                             auto const& of = *static_cast<Call const*>(data);
                                                             std::apply(of.kernel, of.arguments);
                                                           },
                                                           &call});
}

template <class T>
class Shared {
 public:
  T load(int i, model::Site const& where = model::Site::here()) const {
    return *static_cast<T const*>(model::shared(byte_of(i), sizeof(T), alignof(T), model::Access::load, where));
  }
  void store(int i, T const& value, model::Site const& where = model::Site::here()) const {
    ::new (model::shared(byte_of(i), sizeof(T), alignof(T), model::Access::store, where)) T(value);
  }
  T fetch_add(int i, T const& value, model::Site const& where = model::Site::here()) const {
    T& sum         = *static_cast<T*>(model::shared(byte_of(i), sizeof(T), alignof(T), model::Access::add, where));
    T const before = sum;
    sum            = static_cast<T>(before + value);
    return before;
  }

  void fetch_or(int i, T bits, model::Site const& where = model::Site::here()) const {
    *static_cast<T*>(model::shared(byte_of(i), sizeof(T), alignof(T), model::Access::add, where)) |= bits;
  }

  /// In the shared memory of the block.
  std::ptrdiff_t address() const { return byte_; }

  template <class U = T>
  Shared<U> from(int i) const {
    return Shared<U>(byte_of(i));
  }

 private:
  template <class>
  friend class Shared;
  template <class U>
  friend Shared<U> shared_memory(int byte);

  explicit Shared(std::ptrdiff_t byte) : byte_(byte) {}
  std::ptrdiff_t byte_of(int i) const { return byte_ + i * static_cast<std::ptrdiff_t>(sizeof(T)); }

  std::ptrdiff_t byte_;
};

template <class T>
Shared<T> shared_memory(int byte) {
  return Shared<T>(byte);
}

using model::fence;
using model::fence_for_copies;
using model::fetch_add;
using model::fetch_increment;
using model::let_next_grid_start;
using model::pause;
using model::publish_barriers;
using model::wait_for_previous_grid;
using model::wait_until_copied_in;
using model::wait_until_copied_out;

inline void begin_behind_previous_grid(model::Site const& where = model::Site::here()) {
  wait_for_previous_grid(where);
  let_next_grid_start(where);
}

inline constexpr bool has_copies = true;

class Barrier {
 public:
  explicit Barrier(Shared<std::uint64_t> word) : byte_(word.address()) {}

  void init(unsigned arrivals, model::Site const& where = model::Site::here()) const {
    model::init_mbarrier(byte_, arrivals, where);
  }
  void arrive(model::Site const& where = model::Site::here()) const { model::arrive(byte_, 0, where); }
  void arrive_and_expect(unsigned bytes, model::Site const& where = model::Site::here()) const {
    model::arrive(byte_, bytes, where);
  }
  void wait(unsigned parity, model::Site const& where = model::Site::here()) const {
    model::wait_for_phase(byte_, parity, where);
  }
  std::ptrdiff_t address() const { return byte_; }

 private:
  std::ptrdiff_t byte_;
};

template <class T>
void copy_in(Shared<T> to, T const* from, unsigned bytes, Barrier done,
             model::Site const& where = model::Site::here()) {
  model::copy_in(to.address(), from, bytes, done.address(), where);
}
template <class T>
inline constexpr bool can_copy_in = alignof(T) % 4 == 0;
template <class T>
void copy_in(Shared<T> to, T const* from, model::Site const& where = model::Site::here()) {
  static_assert(std::is_trivially_copyable_v<T>);
  model::copy_in(to.address(), from, sizeof(T), alignof(T), where);
}
template <class T>
void copy_out(T* to, Shared<T> from, unsigned bytes, model::Site const& where = model::Site::here()) {
  model::copy_out(to, from.address(), bytes, where);
}

template <class Word>
concept ExchangedWord = std::is_trivially_copyable_v<Word> && alignof(Word) == sizeof(Word) &&
                        (sizeof(Word) == 4 || sizeof(Word) == 8 || sizeof(Word) == 16);

template <ExchangedWord Word>
Word load_word(Word const* address, bool acquire, model::Site const& where) {
  std::array<unsigned char, sizeof(Word)> bytes;
  model::load_word(address, bytes.data(), sizeof(Word), acquire, where);
  return std::bit_cast<Word>(bytes);
}
template <ExchangedWord Word>
Word load_relaxed(Word const* address, model::Site const& where = model::Site::here()) {
  return load_word(address, false, where);
}
template <ExchangedWord Word>
Word load_acquire(Word const* address, model::Site const& where = model::Site::here()) {
  return load_word(address, true, where);
}
template <ExchangedWord Word>
void store_relaxed(Word* address, Word word, model::Site const& where = model::Site::here()) {
  model::store_word(address, &word, sizeof(Word), false, where);
}
template <ExchangedWord Word>
void store_release(Word* address, Word word, model::Site const& where = model::Site::here()) {
  model::store_word(address, &word, sizeof(Word), true, where);
}

inline void pause_for(int) {}
inline void fetch_into_second_level(void const*) {}
template <class T>
T load_at_once(T const* address) {
  model::Guarded::touch(address, sizeof(T));
  return *address;
}
/// UndefinedBehaviorSanitizer sees an address that a GPU would not take.
inline void store_at_once(void* address, std::uint32_t const (&word)[4]) {
  model::Guarded::touch(address, sizeof(word));
  std::memcpy(__builtin_assume_aligned(address, sizeof(word)), word, sizeof(word));
}
inline std::uint32_t hidden_zero() { return 0; }

template <int bits>
std::uint32_t lanes_alike(std::uint32_t value) {
  std::uint32_t alike = 0xffffffffU;
  for (int bit = 0; bit < bits; ++bit) {
    bool const is_set        = (value >> bit & 1U) != 0;
    std::uint32_t const vote = __ballot_sync(0xffffffffU, is_set);
    alike &= is_set ? vote : ~vote;
  }
  return alike;
}

inline std::uintptr_t global_address(void const* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
template <class T>
T* in_global_memory(std::uintptr_t address) {
  return reinterpret_cast<T*>(address);
}

}  // namespace KokkosScan::cuda
