// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "../spans.hpp"
#include "../transfer.hpp"
#include "../units.hpp"
#include "../warp.hpp"

//  Pipelined look-back: decoupled look-back in which each block works on several tiles at a time
//  paper       Merrill and Garland 2016; Yan, Long and Zhang 2013, whose blocks stay on their multiprocessors, too
//  launches    1
//  bytes       2 n
//  operations  n for the aggregates, n for the results, and some 300 a tile to look back
//  steps       those of a tile, one look-back, and a chain with a link to 64 tiles
//  progress    a block that has a tile must be able to go on; tiles come from a counter. Compute capability 9.0
//
// A block has several tiles under way, and other warps for each kind of work, which meet at barriers:
//
//   produce    copies tiles into stages of shared memory
//   fold       finds the aggregates of their slices
//   look_back  publishes the aggregate of a tile, and finds what comes before it
//   scan       takes a tile into registers, so that its stage is empty again, and then, as soon as it is known what
//              comes before it, scans it and copies the results out
//
// Each lane arrives for itself. One could do so for its warp, but racecheck would not see how it knows of the others,
// and it would be no faster (docs/decisions/cuda-pipeline.md).
namespace KokkosScan::cuda::pipelined {

/// A tile is cut into slices, of which each warp takes one, and a slice into pieces, one to a lane.
template <class Value>
struct Shape {
  static constexpr int slices  = pipeline_slices(sizeof(Value));
  static constexpr int folders = slices / 2;  // warps that fold
  static constexpr int stages  = pipeline_stages;
  static constexpr int records = stages + 1;
  static constexpr int unit    = Unit<Value>::count;
  static constexpr int units   = pipeline_units(sizeof(Value), sizeof(Unit<Value>), alignof(Value));  // of a piece
  static constexpr int piece   = units * unit;
  static constexpr int slice   = warp_size * piece;
  static constexpr int tile    = slices * slice;
  static constexpr int warps   = folders + slices + records + 1;  // that fold, that scan, that look back, that produces
  static constexpr int threads = warps * warp_size;
};

/// The shared memory of a block: stages into which tiles are copied, one from which results are, and a record of each
/// tile under way. A tile leaves its stage for the registers of the warps that scan it, so there is a record more than
/// there are stages.
template <class Value>
class Layout {
  using S = Shape<Value>;

  /// That many bytes, rounded up so that a value or 16 bytes may stand behind.
  static constexpr int aligned(std::size_t size) {
    return static_cast<int>(core::round_up(size, std::max<std::size_t>(alignof(Value), 16)));
  }

 public:
  // A slice may begin up to 127 bytes behind a multiple of 128. Copies to addresses that are not as far behind one as
  // where they come from are slower (docs/decisions/cuda-addresses.md), and so all distances are multiples.
  static constexpr int slice_bytes     = static_cast<int>(core::round_up(S::slice * sizeof(Value) + 127, 128));
  static constexpr int tile_bytes      = S::slices * slice_bytes;
  static constexpr int results_byte    = S::stages * tile_bytes;
  static constexpr int records_byte    = results_byte + tile_bytes;
  static constexpr int pieces_byte     = 0;
  static constexpr int prefixes_byte   = pieces_byte + aligned(S::slices * warp_size * sizeof(Value));
  static constexpr int aggregates_byte = prefixes_byte + aligned(S::slices * sizeof(Maybe<Value>));
  static constexpr int barriers_byte   = aggregates_byte + aligned(S::slices * sizeof(Value));
  static constexpr int ticket_byte     = barriers_byte + (2 + S::slices) * 8;
  static constexpr int record_bytes    = aligned(ticket_byte + sizeof(Ticket));
  static constexpr int empty_byte      = records_byte + S::records * record_bytes;
  static constexpr int bytes           = empty_byte + S::stages * 8;
  static_assert(bytes <= pipeline_shared_bytes);
};

/// The shared memory of a tile until the warps that scan it have it in registers.
template <class Value>
class Stage {
  using S = Shape<Value>;
  using L = Layout<Value>;

 public:
  __device__ explicit Stage(int index) : index_(index) {}

  template <class T>
  __device__ Shared<T> slice(int which, int shift) const {
    return shared_memory<T>(index_ * L::tile_bytes + which * L::slice_bytes + shift);
  }

  __device__ Barrier empty() const { return Barrier(shared_memory<std::uint64_t>(L::empty_byte + 8 * index_)); }
  __device__ void init() const { empty().init(S::slices * warp_size); }

 private:
  int index_;
};

/// What is known of a tile.
template <class Value>
class TileRecord {
  using S = Shape<Value>;
  using L = Layout<Value>;

 public:
  __device__ explicit TileRecord(int index) : first_(L::records_byte + index * L::record_bytes) {}

  __device__ Shared<Ticket> ticket() const { return at<Ticket>(L::ticket_byte); }
  __device__ Shared<Value> aggregates() const { return at<Value>(L::aggregates_byte); }            // of the slices
  __device__ Shared<Maybe<Value>> prefixes() const { return at<Maybe<Value>>(L::prefixes_byte); }  // of the slices
  /// What stands before each piece in its slice.
  __device__ Shared<Value> pieces() const { return at<Value>(L::pieces_byte); }

  __device__ Barrier folded() const { return barrier(0); }                 // the aggregates of the slices are known
  __device__ Barrier found() const { return barrier(1); }                  // and their prefixes
  __device__ Barrier full(int slice) const { return barrier(2 + slice); }  // a slice is here

  __device__ void init() const {
    folded().init(S::slices * warp_size);
    found().init(warp_size);
    for (int slice = 0; slice < S::slices; ++slice) full(slice).init(1);
  }

 private:
  template <class T>
  __device__ Shared<T> at(int byte) const {
    return shared_memory<T>(first_ + byte);
  }
  __device__ Barrier barrier(int which) const { return Barrier(at<std::uint64_t>(L::barriers_byte + 8 * which)); }

  int first_;
};

/// Where tile i of a block is in a ring of stages or records: at i % length. The parity of their barriers changes from
/// round to round.
template <int length>
struct PipelineState {
  int index       = 0;
  unsigned parity = 0;

  __device__ void next() {
    if (++index < length) return;
    index = 0;
    parity ^= 1;
  }
};

/// Where a tile is in both rings.
template <class Value>
struct PipelineStates {
  PipelineState<Shape<Value>::stages> of_stages;
  PipelineState<Shape<Value>::records> of_records;

  __device__ Stage<Value> stage() const { return Stage<Value>(of_stages.index); }
  __device__ TileRecord<Value> record() const { return TileRecord<Value>(of_records.index); }
  __device__ void next() {
    of_stages.next();
    of_records.next();
  }
};

/// How many of n values are in a part of that length that begins there.
__device__ inline int part_length(int n, int begin, int length) {
  int const rest = n - begin;
  return rest < 0 ? 0 : rest < length ? rest : length;
}

/// How an array is moved: by copies, or one by one.
struct CopyPlan {
  bool copied;
  int shift;  // the bytes it begins behind a multiple of 128; so do its slices, and their copies in shared memory
};
struct CopyPlans {
  CopyPlan in, out;
};

/// The bytes of a slice in shared memory that copies move, or none. They begin and end at multiples of 16 bytes.
struct Copied {
  int begin, end;
  __device__ int bytes() const { return end > begin ? end - begin : 0; }
};

/// What lies between such multiples of a slice of so many bytes.
__device__ inline Copied copied_within(CopyPlan plan, int bytes) {
  if (!plan.copied) return {0, 0};
  return {(plan.shift + 15) / 16 * 16, (plan.shift + bytes) / 16 * 16};
}

/// What a stage holds of the inputs: they themselves, if they lie side by side and are no larger than values; else the
/// values made of them.
template <class Value, class Source>
struct StagedOf {
  static constexpr bool inputs = false;
  using type                   = Value;
};
template <class Value, class Element, class Unary>
struct StagedOf<Value, core::FromArray<Value, Contiguous<Element>, Unary>> {
  static constexpr bool inputs = std::is_trivially_copyable_v<Element> && sizeof(Element) <= sizeof(Value);
  using type                   = std::conditional_t<inputs, std::remove_cv_t<Element>, Value>;
};

template <class Problem>
inline constexpr bool can_copy_in = StagedOf<typename Problem::Value, typename Problem::Source>::inputs;
template <class Problem>
inline constexpr bool can_copy_out =
    std::is_same_v<core::ArrayOf<typename Problem::Sink>, Contiguous<typename Problem::Value>>;

/// As many inputs as there are values in a unit, read at once.
template <class Element, int count>
struct alignas(std::has_single_bit(count * sizeof(Element)) && count * sizeof(Element) <= 16
                   ? count * sizeof(Element)
                   : alignof(Element)) Inputs {
  Element element[count];
};

enum : std::uint32_t { no_tile = ~0U };

/// What blocks publish: the aggregate of each tile and, for each span of as many tiles as a warp has lanes, the prefix
/// up to its end.
template <class Value>
class Spans {
 public:
  static constexpr int steps_at_once = 5;

  static constexpr std::size_t slots(std::size_t tiles) { return tiles + tiles / warp_size; }

  __device__ Spans(States const& states, std::uint32_t epoch) : states_(states), epoch_(epoch) {}

  __device__ TileStatus<Value> aggregate(std::uint32_t k) const { return status(k + k / warp_size); }
  __device__ TileStatus<Value> through(std::uint32_t span) const { return status((span + 1) * (warp_size + 1) - 1); }

 private:
  __device__ TileStatus<Value> status(std::uint32_t c) const { return {states_.slot(c), epoch_}; }

  States states_;
  std::uint32_t epoch_;
};

/// The work of each kind of warp.
template <class Problem>
class Worker {
  using Value  = typename Problem::Value;
  using Staged = typename StagedOf<Value, typename Problem::Source>::type;
  using S      = Shape<Value>;

 public:
  __device__ Worker(Problem const& problem, CopyPlans plans)
      : problem_(problem), plans_(plans), count_(static_cast<std::uint32_t>(Tiles{problem.n, S::tile}.count())) {}

  /// Takes tiles from the counter until there are no more, and has their slices copied in. One thread.
  ///
  /// Tile states take the same way as the tiles: so no more slices are under way than keep memory busy, and a tile is
  /// taken no earlier than it can be copied.
  __device__ void produce(States const& states) const {
    std::uint32_t const takes = count_ + gridDim.x;  // each block takes one that is none
    Ticket ticket{};
    PipelineStates<Value> at;
    PipelineState<S::records> earlier;
    constexpr int wanted         = pipeline_slices_under_way * sizeof(Value) / sizeof(Staged) / S::slices;
    constexpr int most_under_way = wanted < S::stages ? wanted : S::stages;  // tiles
    for (int i = 0, ends = 0; ends < S::records; ++i, at.next()) {
      TileRecord<Value> const record = at.record();
      // A tile is about to leave its stage now, so the counter answers just in time.
      if (i >= S::records) record.found().wait(at.of_records.parity ^ 1);
      if (ticket.tile != no_tile) ticket = states.take_tile(takes);
      if (i >= S::stages && ends < S::stages) at.stage().empty().wait(at.of_stages.parity ^ 1);
      if (ticket.tile >= count_) ticket.tile = no_tile;
      record.ticket().store(0, ticket);
      if (ticket.tile != no_tile) {
        load_stage(at.stage(), record, ticket.tile, [&](int slice) {
          if (i >= most_under_way) TileRecord<Value>(earlier.index).full(slice).wait(earlier.parity);
        });
        if (i >= most_under_way) earlier.next();
      } else {
        // Each warp that looks back learns it from its own record; the others learn it once.
        for (int slice = 0; slice < (ends == 0 ? S::slices : 1); ++slice) record.full(slice).arrive();
        ++ends;
      }
    }
  }

  /// Folds each slice as soon as it is here, whether earlier tiles can go on or not: others may wait for the aggregate.
  __device__ void fold(int warp) const {
    for (PipelineStates<Value> at;; at.next())
      for (int slice = warp; slice < S::slices; slice += S::folders) {
        at.record().full(slice).wait(at.of_records.parity);
        std::uint32_t const k = at.record().ticket().load(0).tile;
        if (k == no_tile) return;
        fold(at.stage(), at.record(), k, slice);
      }
  }

  /// Looks back for the tiles of one record. One warp.
  __device__ void look_back(States const& states, int index) const {
    TileRecord<Value> const record(index);
    for (unsigned parity = 0;; parity ^= 1) {
      record.full(0).wait(parity);
      auto const [k, epoch] = record.ticket().load(0);
      if (k == no_tile) return;
      Spans<Value> const spans(states, epoch);
      record.folded().wait(parity);
      int const slices = (length(k) + S::slice - 1) / S::slice;

      Uninitialized<Value> through;
      if (lane() < slices) through.put(record.aggregates().load(lane()));
      through                                 = scan_warp<S::slices>(through, slices, combiner());
      Uninitialized<Value> const aggregate    = shuffle(through, slices - 1);
      Uninitialized<Value> const before_slice = shuffle_up(through, 1);
      if (lane() == 0) spans.aggregate(k).publish(TileState::aggregate, aggregate.value);
      // The first tiles of the blocks and their last have fewer copies before them.
      if (k >= S::records * gridDim.x && k + 2 * gridDim.x < count_) pause_for(pipeline_look_back_delay);
      Maybe<Value> const before_tile = find_before_by_spans(spans, combiner(), k, problem_.start());
      if (ends_span(k) && lane() == 0)
        spans.through(k / warp_size).publish(TileState::inclusive_prefix, combine(before_tile, aggregate.value));
      if (lane() < slices)
        record.prefixes().store(lane(),
                                lane() > 0 ? Maybe<Value>(combine(before_tile, before_slice.value)) : before_tile);
      record.found().arrive();
    }
  }

  /// Scans each tile, in registers, so that its stage is empty while it waits for what comes before it. One warp to a
  /// slice; they do not meet.
  __device__ void scan(int slice) const {
    for (PipelineStates<Value> at;; at.next()) {
      at.record().full(slice).wait(at.of_records.parity);
      std::uint32_t const k = at.record().ticket().load(0).tile;
      if (k == no_tile) break;
      at.record().folded().wait(at.of_records.parity);
      scan(at, k, slice);
    }
    if (lane() == 0) wait_until_copied_out();  // the shared memory ends with the block
  }

 private:
  static constexpr int staged_bytes = static_cast<int>(sizeof(Staged));
  static constexpr std::size_t elements_of_16_bytes =
      (15 + sizeof(Staged)) / sizeof(Staged);  // inputs that take 16 bytes
  static constexpr bool staged_as_values = !can_copy_in<Problem> || core::is_plain<typename Problem::Source>;

  /// Whether the units of pieces are aligned.
  __device__ bool units_in() const { return !can_copy_in<Problem> || plans_.in.shift % 16 == 0; }
  __device__ bool units_out() const { return !can_copy_out<Problem> || plans_.out.shift % 16 == 0; }

  __device__ Value combine(Value const& left, Value const& right) const { return problem_.combine(left, right); }
  __device__ Value combine(Maybe<Value> const& left, Value const& right) const { return problem_.combine(left, right); }
  __device__ auto combiner() const {
    return [this](auto const& left, Value const& right) { return problem_.combine(left, right); };
  }

  __device__ static std::size_t begin(std::uint32_t k) { return static_cast<std::size_t>(k) * S::tile; }
  __device__ int length(std::uint32_t k) const {
    std::size_t const rest = problem_.n - begin(k);
    return rest < S::tile ? static_cast<int>(rest) : S::tile;
  }

  __device__ static std::size_t begin(std::uint32_t k, int slice) {
    return begin(k) + static_cast<std::size_t>(slice * S::slice);
  }
  __device__ int length(std::uint32_t k, int slice) const { return part_length(length(k), slice * S::slice, S::slice); }

  /// Whether behind the n values of a slice there are enough to fill the 16 bytes that they may share.
  __device__ bool goes_on(std::uint32_t k, int which, int n) const {
    return begin(k, which) + static_cast<std::size_t>(n) + elements_of_16_bytes <= problem_.n;
  }
  /// Of the n values of a slice of inputs. Where it shares 16 bytes with its neighbours these come with it; at the ends
  /// of the array there are none.
  __device__ Copied copied_in(std::uint32_t k, int which, int n) const {
    Copied copied = copied_within(plans_.in, n * staged_bytes);
    if (copied.bytes() == 0) return copied;
    if (begin(k, which) > 0) copied.begin = plans_.in.shift / 16 * 16;
    if (goes_on(k, which, n)) copied.end = (plans_.in.shift + n * staged_bytes + 15) / 16 * 16;
    return copied;
  }
  /// The same for every whole slice with neighbours on both sides.
  __device__ Copied copied_inside() const {
    return {plans_.in.shift / 16 * 16, (plans_.in.shift + S::slice * staged_bytes + 15) / 16 * 16};
  }
  /// How many slices of a tile, from its first on, are copied like that: all, but at the ends of the array.
  __device__ int copied_alike(std::uint32_t k) const {
    if (!plans_.in.copied || (k == 0 && plans_.in.shift % 16 > 0)) return 0;
    std::size_t const rest = problem_.n - begin(k);
    return rest >= S::tile + elements_of_16_bytes ? S::slices
           : rest < elements_of_16_bytes          ? 0
                                                  : static_cast<int>(rest - elements_of_16_bytes) / S::slice;
  }

  /// Calls f(j, i) for all values i of a slice of n that are not copied, or not wholly, and g(j, i) for the same: for
  /// up to `at_once` values to a lane, j being their number, f is called before g.
  template <int at_once, class T, class F, class G>
  __device__ static void for_the_rest(Copied copied, int shift, int n, F const& f, G const& g) {
    constexpr int size = static_cast<int>(sizeof(T));
    int const head     = copied.begin > shift ? (copied.begin - shift + size - 1) / size : 0;
    int const tail     = copied.bytes() > 0 ? part_length((copied.end - shift) / size, 0, n) : 0;
    int const skipped  = tail > head ? tail - head : 0;
    for (int first = lane(); first < n - skipped; first += at_once * warp_size) {
      auto const for_each = [&](auto const& call) {
#pragma unroll
        for (int j = 0; j < at_once; ++j)
          if (int const i = first + j * warp_size; i < n - skipped) call(j, i < head ? i : i + skipped);
      };
      for_each(f);
      for_each(g);
    }
  }

  /// Starts the copies of a tile into its stage, that of each slice behind wait(slice). One thread does so for a whole
  /// block: with few instructions, or memory waits for it (docs/decisions/cuda-pipeline-slices.md).
  template <class Wait>
  __device__ void load_stage(Stage<Value> const& stage, TileRecord<Value> const& record, std::uint32_t k,
                             Wait const& wait) const {
    int const alike = copied_alike(k);
    if constexpr (can_copy_in<Problem>) {
      Copied const copied    = copied_inside();
      auto const* const from = copied_from(k, 0, copied);
      auto const to          = stage.template slice<unsigned char>(0, copied.begin);
#pragma unroll
      for (int slice = 0; slice < S::slices; ++slice) {
        if (slice >= alike) break;
        wait(slice);
        copy(to.from(slice * Layout<Value>::slice_bytes), from + slice * S::slice * staged_bytes, copied,
             record.full(slice));
      }
    }
#pragma unroll 1
    for (int slice = alike; slice < S::slices; ++slice) {
      Copied const copied = copied_in(k, slice, length(k, slice));
      if (copied.bytes() == 0) {
        record.full(slice).arrive();
      } else if constexpr (can_copy_in<Problem>) {
        wait(slice);
        copy(stage.template slice<unsigned char>(slice, copied.begin), copied_from(k, slice, copied), copied,
             record.full(slice));
      }
    }
  }
  __device__ static void copy(Shared<unsigned char> to, unsigned char const* from, Copied copied, Barrier full) {
    auto const bytes = static_cast<unsigned>(copied.bytes());
    full.arrive_and_expect(bytes);
    copy_in(to, from, bytes, full);
  }
  __device__ unsigned char const* copied_from(std::uint32_t k, int which, Copied copied) const {
    return reinterpret_cast<unsigned char const*>(problem_.source.array.data + begin(k, which)) +
           (copied.begin - plans_.in.shift);
  }

  __device__ Shared<Staged> staged_slice(Stage<Value> const& stage, int which) const {
    return stage.template slice<Staged>(which, plans_.in.shift);
  }

  __device__ Staged staged(std::size_t i) const {
    if constexpr (can_copy_in<Problem>)
      return problem_.source.array[i];
    else
      return problem_.source.load(i);
  }

  /// Loads what is not copied of a slice. All lanes.
  __device__ void load_rest(Shared<Staged> slice, std::uint32_t k, int which, int n) const {
    if (plans_.in.copied && begin(k, which) > 0 && goes_on(k, which, n)) return;
    constexpr int at_once = sizeof(Staged) <= 8 ? 8 : 2;  // loads on their way
    Uninitialized<Staged> own[at_once];
    for_the_rest<at_once, Staged>(
        copied_in(k, which, n), plans_.in.shift, n,
        [&](int j, int i) { own[j].put(staged(begin(k, which) + static_cast<std::size_t>(i))); },
        [&](int j, int i) { slice.store(i, own[j].value); });
    if (!units_in()) fence_for_copies();  // the next ones write here, too
    __syncwarp();
  }

  /// The value of a staged element.
  __device__ Value load(Shared<Staged> piece, int i) const {
    if constexpr (staged_as_values)
      return piece.load(i);
    else
      return problem_.source.make(piece.load(i));
  }
  /// A unit of a full piece: at once, where it lies as one.
  template <bool at_once>
  __device__ Unit<Value> load_unit(Shared<Staged> piece, int u) const {
    if constexpr (at_once && staged_as_values) {
      return piece.template from<Unit<Value>>(0).load(u);
    } else {
      Unit<Value> own;
      if constexpr (at_once) {
        auto const inputs = piece.template from<Inputs<Staged, S::unit>>(0).load(u);
#pragma unroll
        for (int v = 0; v < S::unit; ++v) own.put(v, problem_.source.make(inputs.element[v]));
      } else {
#pragma unroll
        for (int v = 0; v < S::unit; ++v) own.put(v, load(piece, u * S::unit + v));
      }
      return own;
    }
  }
  /// Calls f(u, unit) for the units of a full piece.
  template <class F>
  __device__ void load_units(Shared<Staged> piece, F const& f) const {
    if (units_in()) {
#pragma unroll
      for (int u = 0; u < S::units; ++u) f(u, load_unit<true>(piece, u));
    } else {
#pragma unroll
      for (int u = 0; u < S::units; ++u) f(u, load_unit<false>(piece, u));
    }
  }

  /// The aggregate of a slice, and what stands before each of its pieces. Only the last piece of all is not full: it is
  /// taken value by value, as its lane is the only one that does so.
  __device__ void fold(Stage<Value> const& stage, TileRecord<Value> const& record, std::uint32_t k, int which) const {
    int const n      = length(k, which);
    auto const slice = staged_slice(stage, which);
    load_rest(slice, k, which, n);
    auto const piece = slice.template from<Staged>(lane() * S::piece);
    int const rest   = n - lane() * S::piece;
    Uninitialized<Value> aggregate;
    if (rest >= S::piece)
      load_units(piece, [&](int u, Unit<Value> const& own) { fold_unit(problem_, u > 0, aggregate, own); });
    else
#pragma unroll 1
      for (int i = 0; i < rest; ++i) aggregate.put(i == 0 ? load(piece, 0) : combine(aggregate.value, load(piece, i)));
    int const lanes = (n + S::piece - 1) / S::piece;
    aggregate       = scan_warp(aggregate, lanes, combiner());
    if (lane() == lanes - 1) record.aggregates().store(which, aggregate.value);
    if (lane() < lanes - 1) record.pieces().store(which * warp_size + lane() + 1, aggregate.value);
    record.folded().arrive();
  }

  /// The results of a full piece, stored by units where they lie so.
  template <bool at_once>
  __device__ void scan_units(bool any, Uninitialized<Value>& running, Unit<Value> (&own)[S::units],
                             Shared<Value> results) const {
#pragma unroll
    for (int u = 0; u < S::units; ++u) {
      scan_unit(problem_, any || u > 0, running, own[u]);
      if constexpr (at_once) {
        results.template from<Unit<Value>>(0).store(u, own[u]);
      } else {
#pragma unroll
        for (int v = 0; v < S::unit; ++v) results.store(u * S::unit + v, own[u].get(v));
      }
      end_unit(u);
    }
  }
  /// Keeps the units apart: else ptxas 13.0 takes all of them to pieces ahead, and spills registers. No shift is as
  /// large as that, but it cannot know; and it would ask once if the question were the same each time. Without it
  /// maxima of 1 and 2 bytes take 1.13 to 1.33 times as long (docs/decisions/cuda-registers.md).
  __device__ void end_unit(int u) const {
    if (plans_.out.shift == 128 + u) __trap();
  }

  /// The results of a slice, and their way out. The last piece of all, if it is not full, is scanned where it lies: no
  /// other tile will want its stage.
  __device__ void scan(PipelineStates<Value> const& at, std::uint32_t k, int which) const {
    TileRecord<Value> const record = at.record();
    int const n                    = length(k, which);
    int const rest                 = n - lane() * S::piece;
    auto const piece               = staged_slice(at.stage(), which).template from<Staged>(lane() * S::piece);

    Unit<Value> own[S::units];
    if (rest >= S::piece)
      load_units(piece, [&](int u, Unit<Value> const& unit) { ::new (static_cast<void*>(&own[u])) Unit<Value>(unit); });
    at.stage().empty().arrive();

    record.found().wait(at.of_records.parity);
    Uninitialized<Value> running;
    bool any = false;
    if (rest > 0) {
      Maybe<Value> const before_slice = record.prefixes().load(which);
      any                             = lane() > 0 || before_slice;
      if (lane() > 0)
        running.put(combine(before_slice, record.pieces().load(which * warp_size + lane())));
      else if (before_slice)
        running.put(*before_slice);
    }
    if constexpr (core::takes_one<typename Problem::Sink>)
      put_results(k, which, any, running, own, piece);
    else
      store_results(k, which, any, running, own, piece);
    bool const has_last =
        rest > 0 && which * S::slice + lane() * S::piece + (rest < S::piece ? rest : S::piece) == length(k);
    if (problem_.total && k + 1 == count_ && has_last) ::new (static_cast<void*>(problem_.total)) Value(running.value);
  }

  /// Puts the results of a piece in shared memory, and has those of the slice copied out.
  __device__ void put_results(std::uint32_t k, int which, bool any, Uninitialized<Value>& running,
                              Unit<Value> (&own)[S::units], Shared<Staged> piece) const {
    int const n    = length(k, which);
    int const rest = n - lane() * S::piece;
    if (lane() == 0) wait_until_copied_out();
    __syncwarp();
    int const byte     = Layout<Value>::results_byte + which * Layout<Value>::slice_bytes;
    auto const results = shared_memory<Value>(byte + plans_.out.shift).template from<Value>(lane() * S::piece);
    if (rest < S::piece) {
#pragma unroll 1
      for (int i = 0; i < rest; ++i)
        results.store(i, scan_value(problem_, any || i > 0, running, load(piece, i)).value);
    } else if (units_out()) {
      scan_units<true>(any, running, own, results);
    } else {
      scan_units<false>(any, running, own, results);
    }
    store_slice(byte, begin(k, which), n);
  }

  /// Hands the results of a piece to a sink that looks at more than one value.
  __device__ void store_results(std::uint32_t k, int which, bool any, Uninitialized<Value>& running,
                                Unit<Value> const (&own)[S::units], Shared<Staged> piece) const {
    int const rest          = length(k, which) - lane() * S::piece;
    std::size_t const first = begin(k, which) + static_cast<std::size_t>(lane() * S::piece);
    if (rest < S::piece) {
#pragma unroll 1
      for (int i = 0; i < rest; ++i)
        store_next(problem_, any || i > 0, running, load(piece, i), first + static_cast<std::size_t>(i));
    } else {
#pragma unroll
      for (int u = 0; u < S::units; ++u)
        store_unit(problem_, any || u > 0, running, own[u], first + static_cast<std::size_t>(u * S::unit));
    }
  }

  /// Moves the results of a slice out of shared memory. A value that is copied in part is stored, too: the same bytes.
  __device__ void store_slice(int byte, std::size_t begin, int n) const {
    fence_for_copies();
    __syncwarp();
    Copied const copied = copied_within(plans_.out, n * static_cast<int>(sizeof(Value)));
    if constexpr (can_copy_out<Problem>)
      if (int const bytes = copied.bytes(); bytes > 0 && lane() == 0)
        copy_out(reinterpret_cast<unsigned char*>(problem_.sink.array.data + begin) + (copied.begin - plans_.out.shift),
                 shared_memory<unsigned char>(byte + copied.begin), static_cast<unsigned>(bytes));
    if (copied.bytes() < n * static_cast<int>(sizeof(Value))) {
      auto const results = shared_memory<Value>(byte + plans_.out.shift);
      for_the_rest<1, Value>(
          copied, plans_.out.shift, n,
          [&](int, int i) { store_value(problem_, begin + static_cast<std::size_t>(i), results.load(i)); },
          [](int, int) {});
    }
    __syncwarp();
  }

  Problem const& problem_;
  CopyPlans plans_;
  std::uint32_t count_;
};

template <class Problem>
__global__ void __launch_bounds__(Shape<typename Problem::Value>::threads, 1)
    pipelined_kernel(Problem const problem, States const states, CopyPlans const plans) {
  if constexpr (has_copies) {
    using Value = typename Problem::Value;
    using S     = Shape<Value>;

    if (threadIdx.x == 0) {
      for (int i = 0; i < S::stages; ++i) Stage<Value>(i).init();
      for (int i = 0; i < S::records; ++i) TileRecord<Value>(i).init();
      publish_barriers();
    }
    __syncthreads();

    Worker<Problem> const worker(problem, plans);
    constexpr int scanning = S::folders, looking = scanning + S::slices, producing = looking + S::records;
    if (warp() < scanning)
      worker.fold(warp());
    else if (warp() < looking)
      worker.scan(warp() - scanning);
    else if (warp() < producing)
      worker.look_back(states, warp() - looking);
    else if (lane() == 0)
      worker.produce(states);
    __syncthreads();
    if (warp() == 0) states.finish(TileRecord<Value>(0).ticket().load(0).epoch);
  }
}

/// Whether a device can run it.
inline bool is_served(Device const& device) { return device.copies && device.shared_bytes >= pipeline_shared_bytes; }

/// Whether the code that would run was compiled for such a device, too.
template <class Problem>
bool is_compiled() {
  return has_copies_in(reinterpret_cast<void const*>(pipelined_kernel<Problem>));
}

template <class Element>
CopyPlan copy_plan(Element const* data) {
  return {true, static_cast<int>(reinterpret_cast<std::uintptr_t>(data) % 128)};
}

/// How a scan's values are moved.
template <class Problem>
CopyPlans copy_plans(Problem const& problem) {
  CopyPlans plans{};
  if constexpr (can_copy_in<Problem>) plans.in = copy_plan(problem.source.array.data);
  if constexpr (can_copy_out<Problem>) plans.out = copy_plan(problem.sink.array.data);
  return plans;
}

/// Whether it is faster than plain look-back, once there are enough values.
template <class Problem>
inline constexpr bool pays = can_copy_in<Problem> && core::takes_one<typename Problem::Sink> &&
                             sizeof(typename Problem::Value) <= pipeline_value_bytes_most;

template <class Problem>
void run(Stream stream, Problem const& problem, States const& states, Device const& device) {
  if (!is_served(device) || !is_compiled<Problem>())
    throw std::invalid_argument(
        "KokkosScan: Options::grid = pipelined needs a device of compute capability 9.0 with 227 KiB of shared memory "
        "to a block, and code compiled for sm_90 or later");
  using Value              = typename Problem::Value;
  using S                  = Shape<Value>;
  std::size_t const tiles  = Tiles{problem.n, S::tile}.count();
  std::size_t const blocks = std::min(tiles, static_cast<std::size_t>(device.multiprocessors));
  launch(stream, Grid{static_cast<unsigned>(blocks), S::threads, Layout<Value>::bytes}, pipelined_kernel<Problem>,
         problem, states, copy_plans(problem));
}

}  // namespace KokkosScan::cuda::pipelined
