// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "compacted.hpp"
#include "launch.hpp"
#include "marks.hpp"
#include "tuning.hpp"

//  Compaction in place: each worker marks the elements of its chunk, a scan of the counts makes places, and each worker
//  moves what is chosen of its chunk: straight to its place where that is in the chunk, else by way of scratch, since
//  others are still to be read there; what is before the first that is not chosen, and behind the last that is, stays
//  paper       Blelloch 1990 (pack, split)
//  launches    1 to mark, 1 to move where anything moves, 1 to bring back what may stand in scratch; 1 of one worker
//  bytes       n to mark, up to 2 n to move, and 2 for each that stands in scratch
//  operations  n
//  steps       workers
//  progress    none: no worker waits for another
namespace KokkosScan::host::in_place {

/// What a worker finds of its chunk, and does with it.
struct alignas(line_bytes) Chunk {
  std::size_t chosen;         // how many
  std::size_t first_other;    // that is not chosen, or the end
  std::size_t end_of_chosen;  // behind the last one, or the begin
  Tile by_scratch, others;    // places whose elements stand in scratch: of what is chosen, and of what is not
};

/// How many workers there are, and where in scratch stands what: a chunk for each, marks, elements.
struct Plan {
  std::size_t n;
  int workers;
  bool moves_by_scratch;

  static Plan of(std::size_t n, int threads, bool with_others) {
    int const workers =
        static_cast<int>(std::clamp<std::size_t>(n / least_to_compact, 1, static_cast<std::size_t>(threads)));
    return {n, workers, with_others || workers > 1};
  }

  std::size_t marks_at() const { return static_cast<std::size_t>(workers) * sizeof(Chunk); }
  std::size_t moved_at() const { return core::round_up(marks_at() + words_of_marks(n) * 8, line_bytes); }
  template <class T>
  std::size_t scratch_bytes() const {
    return line_bytes + moved_at() + (moves_by_scratch ? core::bytes_of(n, sizeof(T)) : 0);
  }
};

/// `with_others`: what is not chosen comes behind what is, else it is lost. All marks are there before anything moves:
/// where the choice throws, all is as it was.
template <bool with_others, class Source>
class Compaction {
 public:
  Compaction(Source const& source, Plan const& plan, void* scratch)
      : source_(source), array_(source.from), plan_(plan) {
    std::size_t space = plan.scratch_bytes<T>();
    scratch_          = static_cast<std::byte*>(std::align(line_bytes, space - line_bytes, scratch, space));
  }

  /// Returns how many are chosen.
  template <class Workers>
  std::size_t run(Workers const& workers) const {
    launch(workers, [&](int worker, Failure const&) { mark(worker); });
    Bounds const all = bounds();
    if (all.moving.begin >= all.moving.end) return all.chosen;
    workers.run([&](int worker) { move(worker, all); });
    if (plan_.moves_by_scratch) workers.run([&](int worker) { bring_back(worker); });
    return all.chosen;
  }

 private:
  using Array = std::remove_cvref_t<decltype(std::declval<Source const&>().from)>;
  using T     = core::ElementOf<Array>;
  using Moved = core::Contiguous<T>;

  /// Of all: what moves lies between the first that is not chosen and the last that is.
  struct Bounds {
    std::size_t chosen;
    Tile moving;
  };

  Chunk& chunk(int worker) const { return reinterpret_cast<Chunk*>(scratch_)[worker]; }
  std::uint64_t* marks() const { return reinterpret_cast<std::uint64_t*>(scratch_ + plan_.marks_at()); }
  Moved moved() const { return {reinterpret_cast<T*>(scratch_ + plan_.moved_at())}; }

  /// Whole words of marks; but of the last ones there may be fewer.
  Tile elements_of(int worker) const {
    Tile const words = core::chunk_of(words_of_marks(plan_.n), worker, plan_.workers);
    return {words.begin * marks_of_word, std::min(words.end * marks_of_word, plan_.n)};
  }

  void mark(int worker) const {
    Tile const elements        = elements_of(worker);
    std::uint64_t* const first = marks() + elements.begin / marks_of_word;
    std::size_t const chosen   = find_marks(source_, elements, first);
    std::size_t other = elements.end, end = elements.begin;
    if (chosen < elements.size()) {
      auto const* const word = std::find_if(first, first + words_of_marks(elements.size()),
                                            [](std::uint64_t bits) { return bits != ~std::uint64_t{0}; });
      other                  = elements.begin + static_cast<std::size_t>(word - first) * marks_of_word +
              static_cast<std::size_t>(std::countr_one(*word));
    }
    if (chosen > 0) {
      std::uint64_t const* word = first + words_of_marks(elements.size()) - 1;
      while (*word == 0) --word;
      end = elements.begin + static_cast<std::size_t>(word - first + 1) * marks_of_word -
            static_cast<std::size_t>(std::countl_zero(*word));
    }
    chunk(worker) = {chosen, other, end, {}, {}};
  }

  Bounds bounds() const {
    Bounds all{0, {plan_.n, 0}};
    for (int worker = 0; worker < plan_.workers; ++worker) {
      Chunk const& one = chunk(worker);
      all.chosen += one.chosen;
      if (one.first_other < elements_of(worker).end) all.moving.begin = std::min(all.moving.begin, one.first_other);
      if (one.chosen > 0) all.moving.end = one.end_of_chosen;
    }
    return all;
  }

  void move(int worker, Bounds const& all) const {
    Tile const elements = elements_of(worker);
    Tile const moving{std::max(elements.begin, all.moving.begin / marks_of_word * marks_of_word),
                      std::min(elements.end, all.moving.end)};
    if (moving.begin >= moving.end) return;
    std::size_t place = 0;
    for (int before = 0; before < worker; ++before) place += chunk(before).chosen;
    place += moving.begin - elements.begin;  // all of those are chosen
    std::size_t const others = all.chosen + (moving.begin - place);
    Chunk& own               = chunk(worker);
    own.by_scratch           = {place, place};
    own.others               = {others, others};
    for_each_part(moving, {marks() + moving.begin / marks_of_word, 0, 0}, [&](std::size_t i, simd::Chosen const& part) {
      Tile const tile{i, std::min(i + most_appended, moving.end)};
      if constexpr (with_others) {
        simd::Chosen const rest{part.marks, ~std::uint64_t{0}, tile.size() - part.count};
        copy(tile, rest, moved(), own.others.end);
        own.others.end += rest.count;
      }
      if (place < elements.begin) {
        copy(tile, part, moved(), place);
        own.by_scratch.end = place + part.count;
      } else {
        copy(tile, part, array_, place);
      }
      place += part.count;
    });
  }

  /// What is chosen of at most most_appended elements.
  template <class Dest>
  void copy(Tile tile, simd::Chosen const& chosen, Dest const& dest, std::size_t place) const {
    if constexpr (is_for_kernels<Array>)
      compaction_of<T>().copy(reinterpret_cast<BitsOf<T> const*>(&array_[tile.begin]), chosen,
                              reinterpret_cast<BitsOf<T>*>(&dest[place]));
    else
      copy_words(array_, core::Bounded<Dest>{dest, plan_.n}, tile, chosen, place);
  }

  void bring_back(int worker) const {
    bring_back(chunk(worker).by_scratch);
    bring_back(chunk(worker).others);
  }
  void bring_back(Tile places) const {
    if constexpr (is_forwards<Array>) {
      if (places.size() > 0)
        std::memcpy(static_cast<void*>(&array_[places.begin]), static_cast<void const*>(&moved()[places.begin]),
                    places.size() * sizeof(T));
    } else {
      for (std::size_t k = places.begin; k < places.end; ++k) core::put(array_[k], moved()[k]);
    }
  }

  Source const& source_;
  Array const& array_;
  Plan plan_;
  std::byte* scratch_;
};

template <bool with_others, class Source, class Workers>
std::size_t run(Source const& source, Plan const& plan, Workers const& workers, void* scratch) {
  Compaction<with_others, Source> const compaction(source, plan, scratch);
  if (plan.workers > 1) return compaction.run(workers);
  std::size_t chosen = 0;
  launch(workers, [&](int, Failure const&) { chosen = compaction.run(Alone()); });  // once for all
  return chosen;
}

}  // namespace KokkosScan::host::in_place
