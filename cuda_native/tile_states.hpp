// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "warp.hpp"

// What the blocks of a single-pass scan publish to each other. The memory outlives the scan and is never cleared:
// everything in it carries the epoch of the scan that wrote it, and what carries another epoch counts as not written.
// Who takes the last tile begins the next epoch, in device memory, so a scan that is replayed from a graph finds it
// there.
namespace KokkosScan::cuda {

/// What is known of a tile, a group or a span.
enum class TileState : unsigned { empty, aggregate, inclusive_prefix };

/// The 128 bytes of one state, a line of the second-level cache: all multiprocessors poll and write states at once, and
/// those that share a line would queue up on it.
///
/// Values of different sizes are stored at different offsets, so that what a scan of one type leaves behind never looks
/// like a state to a scan of another.
struct alignas(16) Slot {
  struct alignas(8) Small {
    std::uint32_t value;
    std::uint32_t tag;
  };
  struct alignas(16) Medium {
    std::uint64_t value;
    std::uint32_t tag;
    std::uint32_t unused;
  };
  Small small;
  std::uint64_t unused;
  Medium medium[2];
  std::uint32_t tag;
  std::uint32_t large[19];
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
 public:
  static constexpr int mediums = sizeof(Value) <= 4 || sizeof(Value) > 16 ? 0 : sizeof(Value) <= 8 ? 1 : 2;

  __device__ TileStatus(Slot* slot, std::uint32_t epoch) : slot_(slot), epoch_(epoch) {}

  __device__ void publish(TileState state, Value const& value) const {
    std::uint32_t const tag = Tag::of(epoch_, state);
    if constexpr (sizeof(Value) <= 4) {
      Slot::Small word{0, tag};
      memcpy(&word.value, &value, sizeof(Value));
      store_relaxed(&slot_->small, word);
    } else if constexpr (mediums > 0) {
      std::uint64_t words[mediums] = {};
      memcpy(words, &value, sizeof(Value));
      for (int m = 0; m < mediums; ++m) store_relaxed(&slot_->medium[m], Slot::Medium{words[m], tag, 0});
    } else {
      std::uint32_t words[large_words] = {};
      memcpy(words, &value, sizeof(Value));
      for (int w = 0; w < large_words; ++w) store_relaxed(&slot_->large[w], words[w]);
      store_release(&slot_->tag, tag);
    }
  }

  /// The words of a slot as one poll finds them. They are read later, so that several polls are under way at once.
  struct Mediums {
    Slot::Medium word[mediums > 0 ? mediums : 1];
  };
  using Snapshot = std::conditional_t<sizeof(Value) <= 4, Slot::Small,  //
                                      std::conditional_t<(mediums > 0), Mediums, std::uint32_t>>;

  __device__ Snapshot snapshot() const {
    if constexpr (sizeof(Value) <= 4) {
      return load_relaxed(&slot_->small);
    } else if constexpr (mediums > 0) {
      Mediums seen;
#pragma unroll
      for (int m = 0; m < mediums; ++m) seen.word[m] = load_relaxed(&slot_->medium[m]);
      return seen;
    } else {
      return load_acquire(&slot_->tag);
    }
  }
  /// The state in a snapshot; the value is written unless that is empty.
  ///
  /// All of a word is used: of a load of which not all is used (a value may have a hole, or a member that the
  /// operator does not read), ptxas 13.0 makes several, and then the tag may be newer than the value.
  __device__ TileState read(Snapshot const& snapshot, Uninitialized<Value>& value) const {
    if constexpr (sizeof(Value) <= 4) {
      TileState const state = Tag::read(epoch_, snapshot.tag);
      bool const complete   = (static_cast<std::uint64_t>(snapshot.value) >> (8 * sizeof(Value))) == 0;
      if (state == TileState::empty || !complete) return TileState::empty;
      memcpy(static_cast<void*>(&value), &snapshot.value, sizeof(Value));
      return state;
    } else if constexpr (mediums > 0) {
      // Halves of two stores, or of one that is under way, are not complete.
      TileState const state = Tag::read(epoch_, snapshot.word[0].tag);
      bool complete         = state != TileState::empty;
      std::uint64_t words[mediums];
#pragma unroll
      for (int m = 0; m < mediums; ++m) {
        complete = complete && snapshot.word[m].tag == snapshot.word[0].tag && snapshot.word[m].unused == 0;
        words[m] = snapshot.word[m].value;
      }
      for (std::uint64_t const word : words) complete = complete && (word & (0 - std::uint64_t{hidden_zero()})) == 0;
      if (complete) memcpy(static_cast<void*>(&value), words, sizeof(Value));
      return complete ? state : TileState::empty;
    } else {
      TileState const state = Tag::read(epoch_, snapshot);
      if (state == TileState::empty) return state;
      std::uint32_t words[large_words];
      for (int w = 0; w < large_words; ++w) words[w] = load_relaxed(&slot_->large[w]);
      memcpy(static_cast<void*>(&value), words, sizeof(Value));
      return state;
    }
  }

  /// The state by now.
  __device__ TileState poll(Uninitialized<Value>& value) const { return read(snapshot(), value); }

 private:
  static constexpr int large_words = (static_cast<int>(sizeof(Value)) + 3) / 4;

  Slot* slot_;
  std::uint32_t epoch_;
};

/// Each lane that says so waits until its status is published. All lanes of a warp call it.
///
/// They vote after each poll: left alone, they come out of the loop one by one, and meet again late. A vote orders no
/// memory; each lane reads its own status, and shuffles pass on what it saw.
template <class Value>
__device__ void wait_for(TileStatus<Value> const& status, bool waits, Uninitialized<Value>& value) {
  while (__any_sync(all_lanes, waits))
    if (waits && (waits = status.poll(value) == TileState::empty)) pause();
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
    std::uint32_t finished;  // blocks of the last epoch
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

  /// Called by the first warp of each of the blocks that take tickets, when its block needs the states no more. In the
  /// last epoch the last of them clears the states, and the epochs start anew.
  ///
  /// What a block reads needs no fence there: it goes on only where the states that it waited for let it, and they
  /// carry the epoch. But what it wrote may come into memory later, and on top of the clearing: so all of it is put
  /// before.
  __device__ void finish(std::uint32_t epoch, unsigned blocks) const {
    if (!clears(epoch)) return;
    std::uint32_t left_before = 0;
    if (lane() == 0) {
      fence();
      left_before = fetch_increment(&header->finished, blocks - 1);
      fence();
    }
    if (__shfl_sync(all_lanes, left_before, 0) != blocks - 1) return;
    __syncwarp();  // a shuffle does not pass on what the fence has ordered
    for (std::size_t k = static_cast<std::size_t>(lane()); k < slots; k += warp_size) {
      store_relaxed(&slot(k)->small, Slot::Small{});
      for (auto& medium : slot(k)->medium) store_relaxed(&medium, Slot::Medium{});
      store_relaxed(&slot(k)->tag, 0U);
    }
    if (lane() == 0) store_relaxed(&header->next, behind(0));
  }

 private:
  __device__ static bool clears(std::uint32_t epoch) { return epoch + 1 == Tag::epochs; }
};

}  // namespace KokkosScan::cuda
