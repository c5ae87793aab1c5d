// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include "../../core/operators.hpp"

// What the compiled part of the host backend offers to the templates: the work on one tile, for arithmetic types and
// the library's own operators, and stores past the caches for everything else.
namespace KokkosScan::host::simd {

/// How a result is written. Streaming goes past the caches, and pays when the result is larger than they are.
enum class Store : bool { cached, streaming };

/// The input of a tile whose aggregate is found. Memory is asked for it meanwhile, bit by bit, since it takes only a
/// few requests at a time, and some while before it is read.
struct Ahead {
  bool backwards            = false;  // it is read from its end
  std::byte const* first    = nullptr;
  std::size_t bytes         = 0;
  std::size_t bytes_a_group = 0;  // of what makes group_bytes of the values that are summed
  std::size_t due           = 0;  // bytes to be asked for by now
  std::size_t asked         = 0;  // bytes; those before the first value of this are not asked for
};
inline constexpr std::size_t group_bytes = 256;

/// A tile, or a piece of one that is handed in one piece after the other: n >= 1 elements, which convert to T. Only the
/// last piece may have a length that is no multiple of piece_multiple. What is taken backwards begins with what stands
/// last in memory; an aggregate of integers is found in the order of memory all the same.
template <class T, class From = T>
struct Piece {
  From const* from;
  std::size_t n;
  T* dest;  // may be `from`
  bool from_backwards, dest_backwards;
  bool continues;  // whether the tile began with another piece
  T aggregate;     // of the tile up to here; before the call, up to the piece
  T through;       // the same behind the prefix, of what is scanned; integers may have no aggregate then
  bool in_turns;   // to reduce only: whether a few pages take turns (tuning.hpp); then the piece is a whole tile
  Ahead ahead;     // to reduce only, if dest is null
};

inline constexpr std::size_t piece_multiple = 256;

/// The work on a piece, of which all find the aggregate, by the same operations. `prefix`, what comes before the tile,
/// may be null. If `next` is not null its aggregate is found meanwhile: memory is best at reading and writing at once.
/// Whoever asked for streaming finishes it (Streaming) behind the last piece.
template <class T, class From = T>
struct Functions {
  /// dest[i] = prefix op local(i), where local is the inclusive scan of the tile alone; or, if it is to be exclusive,
  /// dest[0] = prefix, dest[i] = prefix op local(i - 1). Without a prefix dest[0] of a tile is then left to whoever
  /// combines it.
  void (*scan)(Piece<T, From>& piece, T const* prefix, Store store, Piece<T, From>* next, bool exclusive);
  /// Nothing is written, but what the result will overwrite is fetched into the cache; or, if `dest` is null, the
  /// input.
  void (*reduce)(Piece<T, From>& piece);
};

/// Values by key, a tile or a piece of one that is handed in one piece after the other; only the last piece may have a
/// length that is no multiple of piece_multiple.
template <class T>
struct Runs {
  T const* from;
  std::uint64_t const* begins;  // a bit for each whether a run begins with it
  std::size_t n;
  T* dest;         // may be `from`; null where nothing is wanted but the aggregate
  T const* init;   // what stands before the first of each run, of an exclusive scan; null for an inclusive one
  bool continues;  // whether the tile began with another piece; after the call it does
  bool began;      // whether a run has begun in the tile up to here
  T aggregate;     // of what follows the begin of the last run, or of the tile up to here
};

/// The scan of the runs of a piece; `prefix`, what comes before the tile in the run that it begins in, may be null.
template <class T>
struct RunFunctions {
  void (*scan)(Runs<T>& piece, T const* prefix, Store store);
};

/// Writing past the caches.
struct Streaming {
  /// Copies to `dest`, of any alignment. Whole lines of the cache are what it is good for.
  void (*copy)(std::byte* dest, std::byte const* from, std::size_t bytes);
  /// All that this thread has streamed is written before what it writes later. It waits, so once for each tile.
  void (*finish)();
};

namespace detail {

template <std::size_t bytes, bool is_signed>
struct Integer;
template <>
struct Integer<1, false> {
  using type = std::uint8_t;
};
template <>
struct Integer<2, false> {
  using type = std::uint16_t;
};
template <>
struct Integer<4, false> {
  using type = std::uint32_t;
};
template <>
struct Integer<8, false> {
  using type = std::uint64_t;
};
template <>
struct Integer<1, true> {
  using type = std::int8_t;
};
template <>
struct Integer<2, true> {
  using type = std::int16_t;
};
template <>
struct Integer<4, true> {
  using type = std::int32_t;
};
template <>
struct Integer<8, true> {
  using type = std::int64_t;
};

template <class Op>
inline constexpr bool orders = std::is_same_v<Op, Min> || std::is_same_v<Op, Max>;

template <class Op>
inline constexpr bool counts = std::is_same_v<Op, Sum> || std::is_same_v<Op, Product>;

template <class Op>
inline constexpr bool combines_bits =
    std::is_same_v<Op, BitAnd> || std::is_same_v<Op, BitOr> || std::is_same_v<Op, BitXor>;

}  // namespace detail

/// The type that T is compiled as: where the sign makes no difference, as unsigned.
template <class Op, class T>
struct CompiledAs {
  using type = void;
};
template <class Op, class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8 &&
           (detail::orders<Op> || detail::counts<Op> || detail::combines_bits<Op>))
struct CompiledAs<Op, T> : detail::Integer<sizeof(T), detail::orders<Op> && std::is_signed_v<T>> {};
template <class Op, class T>
  requires((std::is_same_v<T, float> || std::is_same_v<T, double>) && (detail::orders<Op> || detail::counts<Op>))
struct CompiledAs<Op, T> {
  using type = T;
};

/// Whether there are compiled functions for this operator and type.
template <class Op, class T>
inline constexpr bool is_compiled = !std::is_void_v<typename CompiledAs<Op, T>::type>;

/// The type that inputs are compiled as: their own, or one that people add up in a wider type.
template <class Op, class T, class From>
struct CompiledFrom {
  using type = void;
};
template <class Op, class T>
struct CompiledFrom<Op, T, T> : CompiledAs<Op, T> {};
template <class T, class From>
  requires(std::is_integral_v<T> && sizeof(T) == 8 && std::is_integral_v<From> && sizeof(From) == 4)
struct CompiledFrom<Sum, T, From> : detail::Integer<4, std::is_signed_v<From>> {};
template <>
struct CompiledFrom<Sum, double, float> {
  using type = float;
};

/// Whether there are compiled functions for this operator and type, and for such inputs.
template <class Op, class T, class From>
inline constexpr bool is_compiled_from = !std::is_void_v<typename CompiledFrom<Op, T, From>::type>;

/// One entry of the table.
template <class Op, class T, class From = T>
struct Entry {
  Functions<T, From> functions;
};

template <class... Entries>
struct Table : Entries... {};

// All that is compiled, once for each instruction set.
using TileFunctions =
    Table<Entry<Sum, std::uint8_t>, Entry<Sum, std::uint16_t>, Entry<Sum, std::uint32_t>, Entry<Sum, std::uint64_t>,
          Entry<Sum, float>, Entry<Sum, double>, Entry<Product, std::uint8_t>, Entry<Product, std::uint16_t>,
          Entry<Product, std::uint32_t>, Entry<Product, std::uint64_t>, Entry<Product, float>, Entry<Product, double>,
          Entry<Min, std::uint8_t>, Entry<Min, std::uint16_t>, Entry<Min, std::uint32_t>, Entry<Min, std::uint64_t>,
          Entry<Min, std::int8_t>, Entry<Min, std::int16_t>, Entry<Min, std::int32_t>, Entry<Min, std::int64_t>,
          Entry<Min, float>, Entry<Min, double>, Entry<Max, std::uint8_t>, Entry<Max, std::uint16_t>,
          Entry<Max, std::uint32_t>, Entry<Max, std::uint64_t>, Entry<Max, std::int8_t>, Entry<Max, std::int16_t>,
          Entry<Max, std::int32_t>, Entry<Max, std::int64_t>, Entry<Max, float>, Entry<Max, double>,
          Entry<BitAnd, std::uint8_t>, Entry<BitAnd, std::uint16_t>, Entry<BitAnd, std::uint32_t>,
          Entry<BitAnd, std::uint64_t>, Entry<BitOr, std::uint8_t>, Entry<BitOr, std::uint16_t>,
          Entry<BitOr, std::uint32_t>, Entry<BitOr, std::uint64_t>, Entry<BitXor, std::uint8_t>,
          Entry<BitXor, std::uint16_t>, Entry<BitXor, std::uint32_t>, Entry<BitXor, std::uint64_t>,
          Entry<Sum, std::uint64_t, std::int32_t>, Entry<Sum, std::uint64_t, std::uint32_t>, Entry<Sum, double, float>>;

/// Where an array changes: for each of n elements a bit whether it differs from the one before; the first has one, too.
/// Returns how many do.
struct Changes {
  std::size_t (*of_4_bytes)(std::uint32_t const* from, std::size_t n, std::uint64_t* bits);
  std::size_t (*of_8_bytes)(std::uint64_t const* from, std::size_t n, std::uint64_t* bits);
};

/// What is chosen of some elements: those whose bit is set, or is not. No more than so many are taken, the first ones.
struct Chosen {
  std::uint64_t const* marks;
  std::uint64_t inverted;  // all bits, where those are chosen whose bit is not set; else 0
  std::size_t count;       // as many as are chosen, or less
};

/// Compaction: nothing is read but what is marked, and nothing written behind what is chosen. `to` may be `from`, or
/// before it.
template <class T>
struct Compaction {
  void (*copy)(T const* from, Chosen const& chosen, T* to);
  /// Writes the place of each, the first element's being `first`.
  void (*indices)(T first, Chosen const& chosen, T* to);
  /// to[i] = from[i] - from[i - 1] for each i < n, and from[-1] is there.
  void (*differences)(T const* from, std::size_t n, T* to);
};

struct Compactions {
  Compaction<std::uint32_t> of_4_bytes;
  Compaction<std::uint64_t> of_8_bytes;
  /// Bytes of 0 and 1 as bits, whole words of them. Returns how many are 1.
  std::size_t (*mark)(unsigned char const* bytes, std::size_t words, std::uint64_t* marks);
  /// How many bits are set.
  std::size_t (*count)(std::uint64_t const* marks, std::size_t words);
};

template <class Op, class T>
struct RunEntry {
  RunFunctions<T> functions;
};
using AllRunFunctions =
    Table<RunEntry<Sum, std::uint32_t>, RunEntry<Sum, std::uint64_t>, RunEntry<Sum, float>, RunEntry<Sum, double>>;

/// Whether there is such a function for scans by key.
template <class Op, class T>
inline constexpr bool is_compiled_by_key = false;
template <class Op, class T>
  requires is_compiled<Op, T>
inline constexpr bool is_compiled_by_key<Op, T> =
    std::is_base_of_v<RunEntry<Op, typename CompiledAs<Op, T>::type>, AllRunFunctions>;

struct AllFunctions {
  TileFunctions tiles;
  AllRunFunctions runs;
  Changes changes;
  Compactions compactions;
  Streaming streaming;
};

/// Those for the instruction set in use (instruction_set.hpp).
AllFunctions const& all_functions();

template <class Op, class T, class From = T>
Functions<T, From> const& functions() {
  return static_cast<Entry<Op, T, From> const&>(all_functions().tiles).functions;
}

template <class Op, class T>
RunFunctions<T> const& run_functions() {
  return static_cast<RunEntry<Op, T> const&>(all_functions().runs).functions;
}

}  // namespace KokkosScan::host::simd
