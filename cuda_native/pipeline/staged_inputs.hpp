// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>
#include <utility>

#include "realigned_piece.hpp"
#include "staged_marks.hpp"
#include "tiled_scan.hpp"

namespace KokkosScan::cuda::pipelined {

/// The inputs of tiles: how they come into a stage, and how they are read there.
template <class Problem>
class StagedInputs {
  using Value  = typename Problem::Value;
  using S      = ShapeOf<Problem>;
  using L      = Layout<Problem>;
  using Staged = typename L::Staged;
  template <std::size_t k>
  using ArrayAt = typename Staged::template At<k>;
  template <std::size_t k>
  using ElementAt = typename ArrayAt<k>::Element;

  static constexpr auto all_arrays = std::make_index_sequence<Staged::count>();

 public:
  __device__ explicit StagedInputs(TiledScan<Problem> const& scan) : scan_(scan), marks_(scan) {}

  /// Starts the copies of a tile into its stage, those of each slice behind wait(slice). One thread does so for a whole
  /// block: with few instructions, or memory waits for it (docs/decisions/cuda-pipeline-slices.md).
  template <class Wait>
  __device__ void copy_tile(Stage<Problem> const& stage, TileRecord<Problem> const& record, std::uint32_t k,
                            Wait const& wait) const {
    int const alike = copied_alike(k);
    if constexpr (can_copy_in<Problem>) {
      Copies const first = copies(stage, k, 0, S::slice, true, all_arrays);
#pragma unroll
      for (int slice = 0; slice < S::slices; ++slice) {
        if (slice >= alike) break;
        wait(slice);
        start(first, slice, record.full(slice), all_arrays, slice == 0 ? marks_.bytes(k) : 0);
        if (slice == 0) marks_.copy(stage, k, record.full(0));
      }
    }
#pragma unroll 1
    for (int slice = alike; slice < S::slices; ++slice) {
      if constexpr (can_copy_in<Problem>) {
        int const n = scan_.length(k, slice);
        if (n > 0) {
          Copies const own = copies(stage, k, slice, n, goes_on(k, slice, n), all_arrays);
          wait(slice);
          start(own, 0, record.full(slice), all_arrays, slice == 0 ? marks_.bytes(k) : 0);
          if (slice == 0) marks_.copy(stage, k, record.full(0));
          continue;
        }
      }
      record.full(slice).arrive();
    }
  }

  /// Loads what is not copied of a slice. All lanes.
  __device__ void load_rest(Stage<Problem> const& stage, std::uint32_t k, int which, int n) const {
    if (is_copied() && scan_.begin(k, which) > 0 && goes_on(k, which, n)) return;
    load_rest(stage, k, which, n, all_arrays);
    if (!begin_at_16_bytes(all_arrays)) fence_for_copies();  // the next ones write here, too
    __syncwarp();
  }

  /// The marks of the calling lane's piece, if it is full.
  __device__ PieceMarks<Problem> marks(Stage<Problem> const& stage, std::uint32_t k, int which) const {
    return marks_.load(stage, k, index(k, which, 0));
  }
  /// Some values of the calling lane's piece, from value `first` on: (j) is value first + j.
  __device__ auto values(Stage<Problem> const& stage, std::uint32_t k, int which, int first, std::size_t count) const {
    if constexpr (sees_marks) {
      std::size_t const place = index(k, which, first);
      return [this, own = piece<0>(stage, which), first, place, marks = marks_.load(stage, k, place, count)](int j) {
        return scan_.problem.source.make(place + static_cast<std::size_t>(j), (marks >> j & 1) != 0,
                                         own.load((first + j) * ArrayAt<0>::step));
      };
    } else {
      return [this, stage, k, which, first](int j) { return load(stage, k, which, first + j, all_arrays); };
    }
  }
  /// What is kept, where elements are chosen, of a unit in a piece that has `rest` elements.
  __device__ PieceUnit<Problem> load_chosen(Stage<Problem> const& stage, std::uint32_t k, int which, int u,
                                            int rest) const {
    PieceUnit<Problem> own;
#pragma unroll
    for (int v = 0; v < S::unit; ++v)
      if (int const i = u * S::unit + v; i < rest) own.put(v, load_chosen(stage, k, which, i, all_arrays));
    return own;
  }
  /// Calls f(u, unit) for the units of a full piece, as they are kept.
  template <class F>
  __device__ void load_units(Stage<Problem> const& stage, std::uint32_t k, int which, F const& f) const {
    if (has_units(all_arrays))
      load_units(stage, k, which, f, [&]<std::size_t a>(int u) { return elements<true, a>(stage, which, u); });
    else if constexpr (realigns_any)
      load_realigned(stage, k, which, f, all_arrays);
    else
      load_units(stage, k, which, f, [&]<std::size_t a>(int u) { return elements<false, a>(stage, which, u); });
  }

 private:
  static constexpr bool staged_as_values = !can_copy_in<Problem> || core::is_plain<typename Problem::Source>;
  static constexpr bool sees_previous    = [] {
    if constexpr (can_copy_in<Problem>)
      return Problem::Source::sees_previous;
    else
      return false;
  }();
  static constexpr bool sees_marks = !staged_as_values && core::sees_marks<typename Problem::Source>;
  template <std::size_t k>
  using UnitAt = std::conditional_t<staged_as_values, Unit<Value>, ElementUnit<ElementAt<k>, S::unit>>;

  /// Whether there are units that are realigned where they are not aligned.
  template <std::size_t k>
  static constexpr bool realigns     = can_copy_in<Problem> && can_realign<UnitAt<k>, ElementAt<k>>;
  static constexpr bool realigns_any = []<std::size_t... k>(std::index_sequence<k...>) {
    return (realigns<k> || ...);
  }(all_arrays);

  template <std::size_t k>
  __device__ ArrayAt<k> array() const {
    return ArrayAt<k>(scan_.plans.in[k]);
  }
  __device__ bool is_copied() const { return scan_.plans.in[0].copied; }

  /// Whether the units of pieces are aligned, in all arrays.
  template <std::size_t... k>
  __device__ bool has_units(std::index_sequence<k...>) const {
    return !can_copy_in<Problem> || (array<k>().template has_units<UnitAt<k>>() && ...);
  }

  /// Whether behind the n values of a slice there are enough to fill the 16 bytes that they may share.
  __device__ bool goes_on(std::uint32_t k, int which, int n) const {
    return scan_.begin(k, which) + static_cast<std::size_t>(n + most_in_16_bytes) <= scan_.problem.n;
  }
  /// How many slices of a tile, from its first on, are copied with what shares 16 bytes with them on both sides: all,
  /// but at the ends of the arrays.
  __device__ int copied_alike(std::uint32_t k) const {
    if (!is_copied() || (k == 0 && (sees_previous || !begin_at_16_bytes(all_arrays)))) return 0;
    std::size_t const rest = scan_.problem.n - scan_.begin(k);
    return rest >= S::tile + std::size_t{most_in_16_bytes} ? S::slices
           : rest < std::size_t{most_in_16_bytes}          ? 0
                                                           : static_cast<int>(rest - most_in_16_bytes) / S::slice;
  }
  /// Whether only the last slice of all shares 16 bytes with what is not its own.
  template <std::size_t... k>
  __device__ bool begin_at_16_bytes(std::index_sequence<k...>) const {
    return ((scan_.plans.in[k].shift % 16 == 0) && ...);
  }
  /// Elements of the smallest size.
  static constexpr int most_in_16_bytes = []<std::size_t... k>(std::index_sequence<k...>) {
    int most = 0;
    ((most = (15 + ArrayAt<k>::size) / ArrayAt<k>::size > most ? (15 + ArrayAt<k>::size) / ArrayAt<k>::size : most),
     ...);
    return most;
  }(all_arrays);

  /// The copies of a slice, one of each array.
  struct Copy {
    unsigned char const* from;
    Shared<unsigned char> to;
    unsigned bytes;
  };
  struct Copies {
    Copy of[Staged::count];
  };
  template <std::size_t... k>
  __device__ Copies copies(Stage<Problem> const& stage, std::uint32_t tile, int which, int n, bool goes_on,
                           std::index_sequence<k...>) const {
    return {{copy_of<k>(stage, tile, which, n, goes_on)...}};
  }
  template <std::size_t k>
  __device__ Copy copy_of(Stage<Problem> const& stage, std::uint32_t tile, int which, int n, bool goes_on) const {
    auto const extent    = array<k>().extent(scan_.begin(tile, which), n);
    Copied const copied  = array<k>().copied_in(extent, goes_on);
    auto const& elements = scan_.problem.source.template array_at<static_cast<int>(k)>();
    return {ArrayAt<k>::template address<unsigned char const>(elements, extent, copied),
            stage.template at<unsigned char>(which, Staged::template first_byte<k> + copied.begin),
            static_cast<unsigned>(copied.bytes())};
  }
  /// Starts copies that are `slices` further on, before others of so many bytes.
  template <std::size_t... k>
  __device__ static void start(Copies const& copies, int slices, Barrier full, std::index_sequence<k...>,
                               unsigned others) {
    full.arrive_and_expect((copies.of[k].bytes + ...) + others);
    (start<k>(copies, slices, full), ...);
  }
  template <std::size_t k>
  __device__ static void start(Copies const& copies, int slices, Barrier full) {
    auto const& [from, to, bytes] = copies.of[k];
    if (bytes > 0)
      copy_in(to.from(slices * Staged::bytes), from + slices * S::slice * ArrayAt<k>::step * ArrayAt<k>::size, bytes,
              full);
  }

  template <std::size_t... k>
  __device__ void load_rest(Stage<Problem> const& stage, std::uint32_t tile, int which, int n,
                            std::index_sequence<k...>) const {
    (load_rest_of<k>(stage, tile, which, n), ...);
  }
  template <std::size_t k>
  __device__ void load_rest_of(Stage<Problem> const& stage, std::uint32_t tile, int which, int n) const {
    using Element         = ElementAt<k>;
    constexpr int at_once = sizeof(Element) <= 8 ? 8 : 2;  // loads on their way
    Uninitialized<Element> own[at_once];
    auto const extent = array<k>().extent(scan_.begin(tile, which), n);
    auto const to     = stage.template at<Element>(which, Staged::template first_byte<k> + extent.byte);
    for_the_rest<at_once, ArrayAt<k>::size>(
        array<k>().copied_in(extent, goes_on(tile, which, n)), extent.byte, extent.n,
        [&](int j, int i) { own[j].put(element<k>(extent.index(i))); },
        [&](int j, int i) { to.store(i, own[j].value); });
    if constexpr (realigns<k>)
      if (!array<k>().template has_units<UnitAt<k>>())
        fill_beside(stage.template at<unsigned char>(which, Staged::template first_byte<k>), extent.byte,
                    extent.byte + extent.n * ArrayAt<k>::size);
  }
  template <std::size_t k>
  __device__ ElementAt<k> element(std::size_t i) const {
    if constexpr (can_copy_in<Problem>)
      return scan_.problem.source.template array_at<static_cast<int>(k)>()[i];
    else
      return scan_.problem.source.load(i);
  }

  /// Element 0 of the calling lane's piece.
  template <std::size_t k>
  __device__ Shared<ElementAt<k>> piece(Stage<Problem> const& stage, int which) const {
    int const byte = Staged::template first_byte<k> + array<k>().byte(0);
    return stage.template at<ElementAt<k>>(which, byte).from(lane() * S::piece * ArrayAt<k>::step);
  }
  __device__ bool is_first(std::uint32_t k, int which) const {
    return sees_previous && k == 0 && which == 0 && lane() == 0;
  }
  template <std::size_t... k>
  __device__ Value load(Stage<Problem> const& stage, std::uint32_t tile, int which, int i,
                        std::index_sequence<k...>) const {
    if constexpr (staged_as_values) {
      return (piece<k>(stage, which).load(i * ArrayAt<k>::step), ...);
    } else if constexpr (sees_previous) {
      bool const first = is_first(tile, which) && i == 0;
      return scan_.problem.source.make(first, piece<0>(stage, which).load((first ? i : i - 1) * ArrayAt<0>::step),
                                       piece<k>(stage, which).load(i * ArrayAt<k>::step)...);
    } else {
      return scan_.problem.source.make(piece<k>(stage, which).load(i * ArrayAt<k>::step)...);
    }
  }
  template <std::size_t... k>
  __device__ ChosenUnit<Problem, 1> load_chosen(Stage<Problem> const& stage, std::uint32_t tile, int which, int i,
                                                std::index_sequence<k...>) const {
    bool const first = is_first(tile, which) && i == 0;
    Uninitialized<ElementAt<0>> previous;
    if constexpr (sees_previous) previous.put(piece<0>(stage, which).load((first ? i : i - 1) * ArrayAt<0>::step));
    return chosen<1>(first, previous, one<k>(piece<k>(stage, which).load(i * ArrayAt<k>::step))...);
  }
  template <std::size_t k>
  __device__ static ElementUnit<ElementAt<k>, 1> one(ElementAt<k> const& element) {
    ElementUnit<ElementAt<k>, 1> unit;
    unit.put(0, element);
    return unit;
  }
  template <int count, class... Units>
  __device__ ChosenUnit<Problem, count> chosen(bool is_first, Uninitialized<ElementAt<0>>& previous,
                                               Units const&... units) const {
    ChosenUnit<Problem, count> own;
    own.choose(scan_.problem.source, is_first, previous, units...);
    return own;
  }
  /// The index of element i in the piece of the calling lane.
  __device__ std::size_t index(std::uint32_t tile, int which, int i) const {
    return scan_.begin(tile, which) + static_cast<std::size_t>(lane() * S::piece + i);
  }

  /// read<a>(u) reads the elements of unit u from array a.
  template <class F, class Read>
  __device__ void load_units(Stage<Problem> const& stage, std::uint32_t k, int which, F const& f,
                             Read const& read) const {
    Uninitialized<ElementAt<0>> previous;
    bool first = is_first(k, which);
    if constexpr (sees_previous) previous.put(piece<0>(stage, which).load(first ? 0 : -ArrayAt<0>::step));
#pragma unroll
    for (int u = 0; u < S::units; ++u) {
      f(u, load_unit(u, first, previous, read, all_arrays));
      first = false;
    }
  }
  template <class Read, std::size_t... k>
  __device__ PieceUnit<Problem> load_unit(int u, bool is_first, Uninitialized<ElementAt<0>>& previous, Read const& read,
                                          std::index_sequence<k...>) const {
    if constexpr (staged_as_values || keeps_elements<Problem>)
      return (read.template operator()<k>(u), ...);
    else if constexpr (keeps_chosen<Problem>)
      return chosen<S::unit>(is_first, previous, read.template operator()<k>(u)...);
    else
      return make_unit<typename Problem::Source, Value>(scan_.problem.source, is_first, previous,
                                                        read.template operator()<k>(u)...);
  }
  /// The elements of a unit: at once, where they lie as one.
  template <bool at_once, std::size_t k>
  __device__ UnitAt<k> elements(Stage<Problem> const& stage, int which, int u) const {
    constexpr int step = ArrayAt<k>::step;
    auto const own     = piece<k>(stage, which);
    if constexpr (at_once) {
      return turned<ArrayAt<k>::backward, S::unit>(
          own.template from<UnitAt<k>>(step > 0 ? 0 : 1 - S::unit).load(u * step));
    } else {
      UnitAt<k> unit;
#pragma unroll
      for (int v = 0; v < S::unit; ++v) unit.put(v, own.load((u * S::unit + v) * step));
      return unit;
    }
  }

  template <std::size_t k>
  struct PieceOf {
    RealignedInputs<UnitAt<k>, S::units, ArrayAt<k>> piece;
  };
  template <std::size_t k>
    requires(!realigns<k>)
  struct PieceOf<k> {};
  template <std::size_t... k>
  struct PiecesOf : PieceOf<k>... {};
  template <class F, std::size_t... k>
  __device__ void load_realigned(Stage<Problem> const& stage, std::uint32_t tile, int which, F const& f,
                                 std::index_sequence<k...>) const {
    PiecesOf<k...> pieces{realigned_piece<k>(stage, which)...};
    load_units(stage, tile, which, f, [&]<std::size_t a>(int u) {
      if constexpr (realigns<a>)
        return static_cast<PieceOf<a>&>(pieces).piece.get(u);
      else
        return elements<false, a>(stage, which, u);
    });
  }
  template <std::size_t k>
  __device__ PieceOf<k> realigned_piece(Stage<Problem> const& stage, int which) const {
    if constexpr (realigns<k>)
      return {{piece<k>(stage, which), array<k>().template behind_units<UnitAt<k>>()}};
    else
      return {};
  }

  TiledScan<Problem> scan_;
  StagedMarks<Problem> marks_;
};

}  // namespace KokkosScan::cuda::pipelined
