// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <stdexcept>

#include "../groups.hpp"
#include "../transfer.hpp"

//  Pipelined look-back: decoupled look-back in which each block works on several tiles at a time
//  paper       Merrill and Garland 2016; Yan, Long and Zhang 2013, whose blocks stay on their multiprocessors, too
//  launches    1
//  bytes       2 n
//  operations  n for the totals, n for the results, and some 300 a tile to look back
//  steps       those of a tile, two looks back, and a chain with a link to 1024 tiles
//  progress    a block that has a tile must be able to go on; tiles come from a counter. Compute capability 9.0
//
// A block keeps a ring of tiles in shared memory, each at another stage: on its way in; folded, its total published;
// looking back; scanned in place; on its way out. Three kinds of warps meet at phases, and no barrier holds all of
// them: one hands out the tiles and has them copied in, some compute, and for each place of the ring one looks back.
namespace KokkosScan::cuda::pipelined {

/// As many values as one access to shared memory moves.
template <class Value>
union Single {
  static constexpr int count = 1;
  char nothing;
  Value value[1];

  __device__ Single() : nothing(0) {}
};
template <class Value>
using Unit = std::conditional_t<16 % sizeof(Value) == 0, Pack<Value>, Single<Value>>;

/// A tile is divided among the warps that compute, a slice among the lanes.
template <class Value>
struct Shape {
  static constexpr int warps   = pipeline_warps;
  static constexpr int stages  = pipeline_stages;
  static constexpr int delay   = pipeline_delay;
  static constexpr int unit    = Unit<Value>::count;
  static constexpr int units   = pipeline_units(sizeof(Unit<Value>));
  static constexpr int items   = units * unit;  // of a thread
  static constexpr int slice   = warp_size * items;
  static constexpr int tile    = warps * slice;
  static constexpr int threads = (warps + stages + 1) * warp_size;
};

constexpr int round16(std::size_t bytes) { return static_cast<int>(driver::round_up(bytes, 16)); }

/// What one place of the ring consists of, in shared memory.
template <class Value>
class Stage {
  using S                            = Shape<Value>;
  static constexpr int values_byte   = 0;
  static constexpr int prefixes_byte = values_byte + S::tile * static_cast<int>(sizeof(Value));
  static constexpr int totals_byte   = prefixes_byte + round16(S::warps * sizeof(Maybe<Value>));
  static constexpr int phases_byte   = totals_byte + round16(S::warps * sizeof(Value));
  static constexpr int number_byte   = phases_byte + 4 * 8;

 public:
  static constexpr int bytes = static_cast<int>(driver::round_up(number_byte + 4, 128));

  __device__ explicit Stage(int place) : first_(place * bytes) {}

  __device__ Shared<std::uint32_t> number() const { return at<std::uint32_t>(number_byte); }  // of the tile
  __device__ Shared<Value> values() const { return at<Value>(values_byte); }
  __device__ Shared<Value> slice(int warp) const { return values().template from<Value>(warp * S::slice); }
  __device__ Shared<Value> totals() const { return at<Value>(totals_byte); }                    // of the slices
  __device__ Shared<Maybe<Value>> prefixes() const { return at<Maybe<Value>>(prefixes_byte); }  // of the slices

  __device__ Phase filled() const { return phase(0); }   // the tile is here
  __device__ Phase folded() const { return phase(1); }   // the totals of its slices are
  __device__ Phase found() const { return phase(2); }    // their prefixes are
  __device__ Phase emptied() const { return phase(3); }  // the place is free again

  __device__ void begin() const {
    filled().begin(1);
    folded().begin(S::warps);
    found().begin(1);
    emptied().begin(S::warps);
  }

 private:
  template <class T>
  __device__ Shared<T> at(int byte) const {
    return shared_memory<T>(first_ + byte);
  }
  __device__ Phase phase(int which) const { return Phase(at<std::uint64_t>(phases_byte + 8 * which)); }

  int first_;
};

/// Tile i of a block has place i % stages of the ring; the parity of its phases changes from turn to turn.
template <class Value>
struct Turn {
  int place       = 0;
  unsigned parity = 0;

  __device__ Stage<Value> stage() const { return Stage<Value>(place); }
  __device__ void next() {
    if (++place < Shape<Value>::stages) return;
    place = 0;
    parity ^= 1;
  }
};

/// How far a part of so many values is filled, if it begins there.
__device__ inline int filled_part(int n, int begin, int length) {
  int const rest = n - begin;
  return rest < 0 ? 0 : rest < length ? rest : length;
}

/// Whether whole tiles can be copied in and out, which takes contiguous and aligned values as they are. Other tiles are
/// read and written value by value.
struct Copies {
  bool in, out;
};

template <class Scan>
inline constexpr bool can_copy_in = std::is_same_v<typename Scan::Transform, Unchanged> &&
                                    (std::is_same_v<typename Scan::Inputs, Contiguous<typename Scan::Value>> ||
                                     std::is_same_v<typename Scan::Inputs, Contiguous<typename Scan::Value const>>);
template <class Scan>
inline constexpr bool can_copy_out = std::is_same_v<typename Scan::Outputs, Contiguous<typename Scan::Value>>;

enum : std::uint32_t { no_tile = ~0U };

/// What comes before tile k; tells the others its total. Called by all lanes of a warp. Everything is looked at until
/// it is known and never again: what is polled takes the way of what is scanned.
template <class Value, class Join>
__device__ Maybe<Value> find_before(Groups<Value> const& all, Join const& join, std::uint32_t k, Value const& total,
                                    Maybe<Value> const& init) {
  std::uint32_t const g = k / warp_size, h = g / warp_size;
  int const place         = static_cast<int>(k % warp_size);
  int const group_place   = static_cast<int>(g % warp_size);
  bool const speaks       = lane() == 0;
  bool const ends_group   = place == warp_size - 1;  // and speaks for it
  bool const ends_another = ends_group && group_place == warp_size - 1;
  if (!ends_group && speaks) all.tile(k).publish(Known::total, total);

  // A first look at what is needed last: mostly it is known by now.
  Place<Value> groups, before;
  auto const look_at_group = [&] { return all.group(h * warp_size + static_cast<std::uint32_t>(lane())).look(groups); };
  auto const look_before   = [&] { return all.group_of_groups(h - 1).look(before); };
  Known group_known        = lane() < group_place ? look_at_group() : Known::total;
  Known before_known       = h > 0 ? look_before() : Known::prefix;

  Place<Value> tiles;
  all.wait_for_tiles(g, place, tiles);
  if (lane() == place) tiles.put(total);
  tiles                          = scan_warp(tiles, place + 1, join);
  Place<Value> const group_total = shuffle(tiles, place);
  if (ends_group && !ends_another && speaks) all.group(g).publish(Known::total, group_total.value);

  for (; group_known == Known::nothing; group_known = look_at_group()) pause();
  if (lane() == group_place && ends_group) groups.put(group_total.value);
  __syncwarp();
  groups = scan_warp(groups, ends_group ? group_place + 1 : group_place, join);
  for (; before_known == Known::nothing; before_known = look_before()) pause();
  __syncwarp();
  Maybe<Value> result = h > 0 ? Maybe<Value>(before.value) : init;

  Place<Value> const groups_total = shuffle(groups, warp_size - 1);
  if (ends_another && speaks) all.group_of_groups(h).publish(Known::prefix, join(result, groups_total.value));
  Place<Value> const before_group = shuffle(groups, group_place > 0 ? group_place - 1 : 0);
  Place<Value> const before_tile  = shuffle(tiles, place > 0 ? place - 1 : 0);
  if (group_place > 0) result.put(join(result, before_group.value));
  if (place > 0) result.put(join(result, before_tile.value));
  return result;
}

/// The work of each kind of warp.
template <class Scan>
class Worker {
  using Value = typename Scan::Value;
  using S     = Shape<Value>;

 public:
  __device__ Worker(Scan const& scan, Copies copies)
      : scan_(scan), copies_(copies), count_(static_cast<std::uint32_t>(Tiles{scan.n, S::tile}.count())) {}

  /// Takes tiles from the counter until there are no more, one ahead, and has them copied in. One thread.
  __device__ void bring(States const& states) const {
    std::uint32_t const takes = count_ + gridDim.x;  // each block takes one that is none
    std::uint32_t next        = states.take_tile(takes);
    Turn<Value> turn;
    for (int i = 0, ends = 0; ends < S::stages; ++i, turn.next()) {
      std::uint32_t const k = next;
      if (k < count_) next = states.take_tile(takes);
      if (i >= S::stages) turn.stage().emptied().wait(turn.parity ^ 1);
      if (k < count_) {
        turn.stage().number().store(0, k);
        fill(turn.stage(), k);
      } else {
        turn.stage().number().store(0, no_tile);
        turn.stage().filled().arrive();
        ++ends;
      }
    }
  }

  /// Looks back for the tiles of one place of the ring. One warp.
  __device__ void look_back(States const& states, std::uint32_t epoch, int place) const {
    Groups<Value> const groups(states, epoch);
    Stage<Value> const stage(place);
    for (unsigned parity = 0;; parity ^= 1) {
      stage.filled().wait(parity);
      std::uint32_t const k = stage.number().load(0);
      if (k == no_tile) return;
      stage.folded().wait(parity);
      int const slices = (length(k) + S::slice - 1) / S::slice;

      Place<Value> through;
      if (lane() < slices) through.put(stage.totals().load(lane()));
      through                         = scan_warp(through, slices, joiner());
      Place<Value> const total        = shuffle(through, slices - 1);
      Place<Value> const before_slice = shuffle_up(through, 1);
      Maybe<Value> const before_tile  = find_before(groups, joiner(), k, total.value, scan_.init);
      if (lane() < slices)
        stage.prefixes().store(lane(), lane() > 0 ? Maybe<Value>(join(before_tile, before_slice.value)) : before_tile);
      __syncwarp();
      if (lane() == 0) stage.found().arrive();
    }
  }

  /// Folds each tile and, some tiles later, scans it. All warps that compute.
  __device__ void compute() const {
    Place<Value> before[S::delay + 1];  // in this lane's slice, for each tile between its fold and its scan
    Turn<Value> in, out;
    bool ended     = false;
    int to_be_left = -1;  // the place whose values may still be on their way out
    for (int i = 0;; ++i) {
#pragma unroll
      for (int d = S::delay; d > 0; --d) before[d] = before[d - 1];
      if (!ended) {
        in.stage().filled().wait(in.parity);
        std::uint32_t const k = in.stage().number().load(0);
        ended                 = k == no_tile;
        if (!ended) before[0] = fold(in.stage(), k);
        in.next();
      }
      if (to_be_left >= 0 && lane() == 0) {
        wait_until_copied_out();
        Stage<Value>(to_be_left).emptied().arrive();
      }
      if (i < S::delay) continue;
      std::uint32_t const k = out.stage().number().load(0);
      if (k == no_tile) return;
      out.stage().found().wait(out.parity);
      scan(out.stage(), k, before[S::delay]);
      to_be_left = out.place;
      out.next();
    }
  }

 private:
  __device__ Value join(Value const& left, Value const& right) const { return scan_.join(left, right); }
  __device__ Value join(Maybe<Value> const& left, Value const& right) const { return scan_.join(left, right); }
  __device__ auto joiner() const {
    return [this](auto const& left, Value const& right) { return scan_.join(left, right); };
  }

  __device__ static std::size_t begin(std::uint32_t k) { return static_cast<std::size_t>(k) * S::tile; }
  __device__ int length(std::uint32_t k) const {
    std::size_t const rest = scan_.n - begin(k);
    return rest < S::tile ? static_cast<int>(rest) : S::tile;
  }

  /// Starts the copy of a tile into its place, if it is to be copied.
  __device__ void fill(Stage<Value> const& stage, std::uint32_t k) const {
    if constexpr (can_copy_in<Scan>)
      if (copies_.in) {
        Value const* const from = scan_.from.data + begin(k);
        int const n             = length(k);
        auto const bytes        = static_cast<unsigned>(n * sizeof(Value) / 16 * 16);
        for (int i = static_cast<int>(bytes / sizeof(Value)); i < n; ++i) stage.values().store(i, from[i]);
        stage.filled().arrive_before(bytes);
        if (bytes > 0) copy_in(stage.values(), from, bytes, stage.filled());
        return;
      }
    stage.filled().arrive();
  }

  /// Brings the values of a slice in, one by one. All lanes.
  __device__ void bring_slice(Shared<Value> slice, std::size_t begin, int n) const {
    constexpr int at_once = sizeof(Value) <= 8 ? 8 : 2;  // loads on their way
    for (int first = lane(); first < n; first += at_once * warp_size) {
      Place<Value> own[at_once];
#pragma unroll
      for (int u = 0; u < at_once; ++u)
        if (first + u * warp_size < n) own[u].put(scan_.input(begin + static_cast<std::size_t>(first + u * warp_size)));
#pragma unroll
      for (int u = 0; u < at_once; ++u)
        if (first + u * warp_size < n) slice.store(first + u * warp_size, own[u].value);
    }
  }

  /// Calls f(units, u, values in it) for the values of a lane, `rest` being how many stand in the slice from its first
  /// on. Most pieces are full: their loop needs no tests. (To ask whether min(max(rest, 0), items) == items is no way
  /// to find that out: for sm_90, ptxas of CUDA 13.0 makes one instruction of it, whose predicate says rest >= 0.)
  template <class F>
  __device__ static void for_each_unit(Shared<Value> piece, int rest, F const& f) {
    auto const units = piece.template from<Unit<Value>>(0);
    if (rest >= S::items) {
#pragma unroll
      for (int u = 0; u < S::units; ++u) f(units, u, S::unit);
    } else {
      for (int u = 0; u * S::unit < rest; ++u) f(units, u, filled_part(rest, u * S::unit, S::unit));
    }
  }

  /// Of a unit that is not full the values that are there: nobody has written the others.
  __device__ static Unit<Value> load_unit(Shared<Unit<Value>> units, int u, int count) {
    if (count == S::unit) return units.load(u);
    auto const values = units.template from<Value>(u);
    Unit<Value> own;
#pragma unroll
    for (int v = 0; v < S::unit; ++v)
      if (v < count) put(own, v, values.load(v));
    return own;
  }
  /// No lambda: as one, nvcc 13.0 cannot parse it for an aggregate.
  __device__ static void put(Unit<Value>& unit, int v, Value const& value) {
    ::new (static_cast<void*>(&unit.value[v])) Value(value);
  }

  /// The total of this warp's slice of a tile; returns what stands before this lane's piece in it, if there is
  /// anything.
  __device__ Place<Value> fold(Stage<Value> const& stage, std::uint32_t k) const {
    int const n      = filled_part(length(k), warp() * S::slice, S::slice);
    auto const slice = stage.slice(warp());
    if (!can_copy_in<Scan> || !copies_.in) {
      bring_slice(slice, begin(k) + static_cast<std::size_t>(warp() * S::slice), n);
      __syncwarp();
    }
    Place<Value> total;
    for_each_unit(slice.template from<Value>(lane() * S::items), n - lane() * S::items,
                  [&](auto const& units, int u, int count) {
                    Unit<Value> const own = load_unit(units, u, count);
#pragma unroll
                    for (int v = 0; v < S::unit; ++v)
                      if (v < count) total.put(u == 0 && v == 0 ? own.value[v] : join(total.value, own.value[v]));
                  });
    int const lanes = (n + S::items - 1) / S::items;
    total           = scan_warp(total, lanes, joiner());
    if (lane() == lanes - 1) stage.totals().store(warp(), total.value);
    __syncwarp();
    if (lane() == 0) stage.folded().arrive();
    return shuffle_up(total, 1);
  }

  /// The results of this warp's slice, in its place, and on their way out.
  __device__ void scan(Stage<Value> const& stage, std::uint32_t k, Place<Value> const& before_piece) const {
    int const n      = filled_part(length(k), warp() * S::slice, S::slice);
    int const rest   = n - lane() * S::items;
    auto const slice = stage.slice(warp());

    Place<Value> running;
    bool any = false;
    if (rest > 0) {
      Maybe<Value> const before_slice = stage.prefixes().load(warp());
      any                             = lane() > 0 || before_slice;
      if (lane() > 0)
        running.put(join(before_slice, before_piece.value));
      else if (before_slice)
        running.put(*before_slice);
    }
    for_each_unit(slice.template from<Value>(lane() * S::items), rest, [&](auto const& units, int u, int count) {
      Unit<Value> own = load_unit(units, u, count);
#pragma unroll
      for (int v = 0; v < S::unit; ++v)
        if (v < count) {
          Value const value = own.value[v];
          if constexpr (Scan::kind == Kind::exclusive) put(own, v, running.value);
          running.put(u == 0 && v == 0 && !any ? value : join(running.value, value));
          if constexpr (Scan::kind == Kind::inclusive) put(own, v, running.value);
        }
      units.store(u, own);
    });
    bool const has_last =
        rest > 0 && warp() * S::slice + lane() * S::items + (rest < S::items ? rest : S::items) == length(k);
    if (scan_.total && k + 1 == count_ && has_last) ::new (static_cast<void*>(scan_.total)) Value(running.value);

    fence_for_copies();
    __syncwarp();
    send_slice(slice, begin(k) + static_cast<std::size_t>(warp() * S::slice), n);
  }

  __device__ void send_slice(Shared<Value> slice, std::size_t begin, int n) const {
    int copied = 0;
    if constexpr (can_copy_out<Scan>)
      if (copies_.out) {
        auto const bytes = static_cast<unsigned>(n * sizeof(Value) / 16 * 16);
        copied           = static_cast<int>(bytes / sizeof(Value));
        if (lane() == 0 && bytes > 0) copy_out(scan_.dest.data + begin, slice, bytes);
      }
    for (int i = copied + lane(); i < n; i += warp_size)
      ::new (static_cast<void*>(&scan_.dest[begin + static_cast<std::size_t>(i)])) Value(slice.load(i));
    __syncwarp();  // lane 0 will say that the place is free
  }

  Scan const& scan_;
  Copies copies_;
  std::uint32_t count_;
};

template <class Scan>
__global__ void __launch_bounds__(Shape<typename Scan::Value>::threads, 1)
    pipelined_kernel(Scan const scan, States const states, Copies const copies) {
  if constexpr (has_copies) {
    using Value = typename Scan::Value;
    using S     = Shape<Value>;

    std::uint32_t const epoch = states.epoch();
    if (threadIdx.x == 0) {
      for (int place = 0; place < S::stages; ++place) Stage<Value>(place).begin();
      publish_phases();
    }
    __syncthreads();

    Worker<Scan> const worker(scan, copies);
    if (warp() < S::warps)
      worker.compute();
    else if (warp() < S::warps + S::stages)
      worker.look_back(states, epoch, warp() - S::warps);
    else if (lane() == 0)
      worker.bring(states);
    __syncthreads();
    states.finish(gridDim.x, epoch, shared_memory<std::uint32_t>(S::stages * Stage<Value>::bytes));
  }
}

/// Whether this device can run it, and our code for it.
template <class Scan>
bool is_served(Device const& device) {
  if (!device.copies) return false;
  static bool const compiled = has_copies_in(reinterpret_cast<void const*>(pipelined_kernel<Scan>));
  return compiled;
}

template <class Scan>
void run(Stream stream, Scan const& scan, States const& states, Device const& device) {
  if (!is_served<Scan>(device))
    throw std::invalid_argument(
        "KokkosScan: Options::grid = pipelined needs a device of compute capability 9.0 and code compiled for it, "
        "sm_90 or later");
  using Value              = typename Scan::Value;
  using S                  = Shape<Value>;
  std::size_t const tiles  = Tiles{scan.n, S::tile}.count();
  std::size_t const blocks = std::min(tiles, static_cast<std::size_t>(device.multiprocessors));
  Copies copies{};
  if constexpr (can_copy_in<Scan>) copies.in = starts_a_pack(scan.from.data);
  if constexpr (can_copy_out<Scan>) copies.out = starts_a_pack(scan.dest.data);
  launch(stream, Grid{static_cast<unsigned>(blocks), S::threads, S::stages * Stage<Value>::bytes + 128},
         pipelined_kernel<Scan>, scan, states, copies);
}

}  // namespace KokkosScan::cuda::pipelined
