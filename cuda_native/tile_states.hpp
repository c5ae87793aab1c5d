// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tagged_words.hpp"
#include "warp.hpp"

// What the blocks of a single-pass scan publish to each other. The memory outlives the scan and is never cleared: each
// word in it carries the epoch of the scan that wrote it, and what carries another epoch counts as not written. Who
// takes the last tile begins the next epoch, in device memory, so a scan that is replayed from a graph finds it there.
namespace KokkosScan::cuda {

/// What is known of a tile, a group or a span.
enum class TileState : unsigned { empty, aggregate, inclusive_prefix };

/// The 128 bytes of one state, a line of the second-level cache: all multiprocessors poll and write states at once, and
/// those that share a line would queue up on it.
struct alignas(16) Slot {
  TaggedWord word[16];
};
static_assert(sizeof(Slot) == 128);

/// An epoch and a state, in one word that a workspace full of zeros does not contain.
struct Tag {
  __device__ static std::uint32_t of(std::uint32_t epoch, TileState state) {
    return epoch << 2 | static_cast<std::uint32_t>(state);
  }
  __device__ static TileState read(std::uint32_t epoch, std::uint32_t tag) {
    return tag >> 2 == epoch ? static_cast<TileState>(tag & 3) : TileState::empty;
  }
  static constexpr std::uint32_t epochs = 1U << 30;
};

/// The state of a tile, a group or a span in one scan, which is published once: its aggregate or inclusive prefix.
template <class Value>
class TileStatus {
  using Words = TaggedValue<Value>;

 public:
  /// How many slots one takes, side by side.
  static constexpr std::size_t slots = (Words::words * sizeof(TaggedWord) + sizeof(Slot) - 1) / sizeof(Slot);

  __device__ TileStatus(Slot* slot, std::uint32_t epoch) : slot_(slot), epoch_(epoch) {}

  __device__ void publish(TileState state, Value const& value) const {
    Words::store(slot_->word, value, Tag::of(epoch_, state));
  }

  /// As one poll finds it: the words, or of many the first two, the rest of which are read when these are there. They
  /// are read later, so that several polls are under way at once.
  using Snapshot = TaggedValue<std::conditional_t<(Words::words > 4), std::uint64_t, Value>>;

  __device__ Snapshot snapshot() const { return Snapshot::load(slot_->word); }
  /// The state in a snapshot; the value is written unless that is empty.
  __device__ TileState read(Snapshot const& snapshot, Uninitialized<Value>& value) const {
    std::uint32_t const tag = snapshot.tag();
    TileState const state   = Tag::read(epoch_, tag);
    // Halves of two stores, or of one that is under way, are not complete.
    if (state == TileState::empty || !snapshot.has(tag)) return TileState::empty;
    if constexpr (std::is_same_v<Snapshot, Words>) {
      value = snapshot.value();
    } else {
      Words const words = Words::load(slot_->word);
      if (!words.has(tag)) return TileState::empty;
      value = words.value();
    }
    return state;
  }

  /// The state by now.
  __device__ TileState poll(Uninitialized<Value>& value) const { return read(snapshot(), value); }

 private:
  Slot* slot_;
  std::uint32_t epoch_;
};

/// Each lane that says so polls until has_come() says that it need not. All lanes of a warp call it.
///
/// They vote after each poll: left alone, they come out of the loop one by one, and meet again late. A vote orders no
/// memory; each lane reads its own words, and shuffles or barriers pass on what it saw.
template <class HasCome>
__device__ void poll_until(bool waits, HasCome const& has_come) {
  while (__any_sync(all_lanes, waits))
    if (waits && (waits = !has_come())) pause();
}
/// Each lane that says so waits until its status is published. All lanes of a warp call it.
template <class Value>
__device__ void wait_for(TileStatus<Value> const& status, bool waits, Uninitialized<Value>& value) {
  poll_until(waits, [&] { return status.poll(value) != TileState::empty; });
}

/// A tile, and the epoch of the scan that it belongs to.
struct Ticket {
  std::uint32_t tile, epoch;
};

/// The memory of the states: a header and slots. It must hold zeros before its first use, serves one scan at a time,
/// and then scans of any type and size that it has the slots for.
struct States {
  struct alignas(16) Header {
    std::uint64_t next;  // tile, and in the upper half the epoch before: 0 in a new workspace, where no tag is written
    std::uint32_t finished;  // warps of the last epoch
    std::uint32_t unused[29];
  };
  static_assert(sizeof(Header) == sizeof(Slot));
  Header* header;
  std::size_t slots;  // that there are, not that a scan uses

  static constexpr std::size_t bytes(std::size_t slots) { return sizeof(Header) + slots * sizeof(Slot); }
  static constexpr std::size_t slots_in(std::size_t bytes) {
    return bytes < sizeof(Header) ? 0 : (bytes - sizeof(Header)) / sizeof(Slot);
  }
  /// In memory of so many bytes.
  static States in(void* memory, std::size_t bytes) { return {static_cast<Header*>(memory), slots_in(bytes)}; }
  /// What `next` is when so many epochs have passed, and no tile is taken yet.
  KOKKOSSCAN_FUNCTION static constexpr std::uint64_t behind(std::uint32_t epoch) {
    return static_cast<std::uint64_t>(epoch) << 32;
  }

  __device__ Slot* slot(std::size_t k) const { return reinterpret_cast<Slot*>(header + 1) + k; }
  /// All words, side by side, where many values are published together.
  __device__ TaggedWord* words() const { return slot(0)->word; }

  /// The next tile that no block has, if a scan takes `count` in all, tiles or not. Blocks start in any order, and
  /// nobody knows which are running: only a tile that was handed out earlier may be waited for.
  ///
  /// Who takes the last of them begins the next epoch: nobody takes another one of this. (Behind the last epoch of all
  /// this word is written once more, by finish().)
  __device__ Ticket take_tile(std::uint32_t count) const {
    std::uint64_t const next = fetch_add(&header->next, std::uint64_t{1});
    Ticket const ticket{static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(next >> 32) + 1};
    if (ticket.tile == count - 1) store_relaxed(&header->next, behind(ticket.epoch));
    return ticket;
  }

  /// Called by warps, so many in all, behind whatever reads and writes the states of values of that type. In the last
  /// epoch the last of them clears the states, and the epochs start anew.
  ///
  /// What a warp reads needs no fence there: it goes on only where the states that it waited for let it, and they carry
  /// the epoch. But what it wrote may come into memory later, and on top of the clearing: so all of it is put before.
  template <class Value>
  __device__ void finish(std::uint32_t epoch, unsigned warps) const {
    if (!clears(epoch)) return;
    std::uint32_t left_before = 0;
    if (lane() == 0) {
      fence();
      left_before = fetch_increment(&header->finished, warps - 1);
      fence();
    }
    if (__shfl_sync(all_lanes, left_before, 0) != warps - 1) return;
    __syncwarp();  // a shuffle does not pass on what the fence has ordered
    using Access          = typename TaggedValue<Value>::Access;
    std::size_t const all = slots * sizeof(Slot) / sizeof(Access);
    for (std::size_t k = static_cast<std::size_t>(lane()); k < all; k += warp_size)
      store_relaxed(reinterpret_cast<Access*>(words()) + k, Access{});
    if (lane() == 0) store_relaxed(&header->next, behind(0));
  }

 private:
  __device__ static bool clears(std::uint32_t epoch) { return epoch + 1 == Tag::epochs; }
};

}  // namespace KokkosScan::cuda
