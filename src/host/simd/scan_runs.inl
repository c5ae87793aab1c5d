// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Scans by key: one for each run of a piece. Rows of 64 bytes are scanned by the network of Kogge and Stone (1973), in
// which a value is combined with another only if no run begins behind that one; then each row with what comes before
// it. Where runs begin is a word of bits, and so are the choices of each step: no branch depends on the keys. A row has
// so many bytes for all widths of registers, so the bits of the results are the same.
namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET {
namespace {

using Bits = std::uint64_t;  // one for an element, the first one the lowest

constexpr int row_bytes   = 64;
constexpr int row_vectors = row_bytes / vector_bytes;
template <class T>
constexpr int row_length      = row_bytes / static_cast<int>(sizeof(T));
constexpr int elements_a_word = 64;

template <class T>
struct Row {
  Vector<T> at[row_vectors];
};

template <class T, int... lane>
[[gnu::always_inline]] inline auto mask_of(Bits bits, std::integer_sequence<int, lane...>) {
  using Mask      = decltype(Vector<T>{} < Vector<T>{});
  using Lane      = std::remove_cvref_t<decltype(Mask{}[0])>;
  Mask const each = {static_cast<Lane>(Lane{1} << lane)...};
  return ((Mask{} + static_cast<Lane>(bits)) & each) != 0;
}
/// What is so many elements before, of those that have it in their vector or in the one before.
template <int count, int distance>
constexpr int before_by(int lane) {
  return count + lane - distance;
}
template <int distance, class T>
[[gnu::always_inline]] inline Vector<T> shifted(Vector<T> low, Vector<T> high) {
  return shuffle<T, before_by<lanes<T>, distance>>(low, high);
}

/// The choices for the elements of a word. In step k an element combines with the one 2^k before, unless a run begins
/// in between or the row does.
template <class T>
class Choices {
 public:
  static constexpr int steps  = std::countr_zero(static_cast<unsigned>(row_length<T>));
  static constexpr int begins = steps, continues = steps + 1,
                       whole = steps + 2;  // a run begins; the row's first does not; none does

  /// The compiler must not know what stands in memory: a mask is loaded from there by one instruction, where four would
  /// take it out of a register.
  [[gnu::always_inline]] explicit Choices(Bits begin) {
    bits_[0] = ~begin & ~first;
    for_each<steps - 1>([&](auto k)
                            __attribute__((always_inline)) { bits_[k + 1] = bits_[k] & (bits_[k] << (1 << k)); });
    bits_[begins]    = begin;
    bits_[continues] = (((begin | last) - first) ^ last) & ~begin;  // up to where the first run of the row begins
    Bits const empty = bits_[continues] & last;
    bits_[whole]     = empty | (empty - (empty >> (row_length<T> - 1)));
    asm("" : "+r"(hidden_) : "m"(bits_));
  }

  /// The lanes whose bits are set from one vector, the rest from the other; the first lane is element i.
  template <int choice, int i>
  [[gnu::always_inline]] Vector<T> choose(Vector<T> with, Vector<T> without) const {
    if constexpr (has_masks)
      return masked(reinterpret_cast<std::byte const*>(hidden_ + choice) + i / 8, with, without);
    else
      return mask_of<T>(bits_[choice] >> i, Lanes<T>{}) ? with : without;
  }

 private:
  static constexpr Bits first = ~Bits{0} / (~Bits{0} >> (64 - row_length<T>));  // elements of rows
  static constexpr Bits last  = first << (row_length<T> - 1);
  Bits bits_[steps + 3];
  Bits const* hidden_ = bits_;
};

template <int k, int i, class T, class Op>
[[gnu::always_inline]] inline void step(Row<T>& row, Choices<T> const& choices, Op op) {
  for_each<row_vectors>([&](auto from_last) __attribute__((always_inline)) {
    constexpr int v = row_vectors - 1 - from_last;
    constexpr int d = (1 << k) / lanes<T>;
    if constexpr (v >= d) {
      Vector<T> below = row.at[v - d];
      if constexpr (d == 0) below = shifted<(1 << k), T>(row.at[v > 0 ? v - 1 : 0], row.at[v]);
      row.at[v] = choices.template choose<k, i + v * lanes<T>>(op(below, row.at[v]), row.at[v]);
    }
  });
}

template <class Op, class T>
class RunScan {
 public:
  explicit RunScan(Runs<T>& piece, T const* prefix, Store how)
      : piece_(piece),
        writes_(piece.dest != nullptr),
        is_exclusive_(piece.init != nullptr),
        has_prefix_(prefix != nullptr),
        any_(piece.continues),
        open_(!piece.began),
        how_(how) {
    T const none = static_cast<T>(load_one(piece.from));  // any value
    chain_       = broadcast(any_ ? piece.aggregate : none);
    prefix_      = broadcast(has_prefix_ ? *prefix : none);
    init_        = broadcast(is_exclusive_ ? *piece.init : none);
    last_        = !any_ ? prefix_ : has_prefix_ && open_ ? op_(prefix_, chain_) : chain_;
  }

  /// So many elements as a word has bits. Without the prefix they go to `alone`, too, if that is not null.
  [[gnu::always_inline]] void scan_word(T const* from, Bits begins, T* dest, T* alone) {
    Choices<T> const choices(begins);
    for_each<elements_a_word / row_length<T>>([&](auto r) __attribute__((always_inline)) {
      constexpr int i = r * row_length<T>;
      bool const any  = (begins >> i & (~Bits{0} >> (64 - row_length<T>))) != 0;
      scan<i>(from + i, any, choices, dest + (writes_ ? i : 0), alone ? alone + i : nullptr);
    });
  }

  void finish() const {
    Vector<T> const chain = chain_;  // one lane of a member would keep it in memory
    piece_.aggregate      = chain[0];
    piece_.continues      = any_;
    piece_.began          = !open_;
  }

 private:
  template <int i>
  [[gnu::always_inline]] void scan(T const* from, bool begins, Choices<T> const& choices, T* dest, T* alone) {
    using C = Choices<T>;
    Row<T> row;
    for_each<row_vectors>([&](auto v) __attribute__((always_inline)) { row.at[v] = load(from + v * lanes<T>); });
    if (is_exclusive_) combine<C::begins, i>(choices, init_, row);
    for_each<C::steps>([&](auto k) __attribute__((always_inline)) { step<k, i>(row, choices, op_); });
    Vector<T> const aggregate = shuffle<T, always<lanes<T> - 1>>(row.at[row_vectors - 1]);
    if (any_) combine<C::continues, i>(choices, chain_, row);
    chain_ = any_ ? choices.template choose<C::whole, i>(op_(chain_, aggregate), aggregate) : aggregate;
    any_   = true;
    if (alone) write(row, alone, Store::cached);
    if (writes_ && open_ && has_prefix_) combine<C::continues, i>(choices, prefix_, row);
    open_ = open_ && !begins;
    if (!writes_) return;
    if (!is_exclusive_) return write(row, dest, how_);
    Row<T> before;
    for_each<row_vectors>([&](auto v) __attribute__((always_inline)) {
      Vector<T> const low = v == 0 ? last_ : row.at[v == 0 ? 0 : v - 1];
      before.at[v]        = choices.template choose<C::begins, i + v * lanes<T>>(init_, shifted<1, T>(low, row.at[v]));
    });
    last_ = row.at[row_vectors - 1];
    write(before, dest, how_);
  }

  /// What stands left of some elements, combined with them.
  template <int choice, int i>
  [[gnu::always_inline]] void combine(Choices<T> const& choices, Vector<T> left, Row<T>& row) {
    for_each<row_vectors>([&](auto v) __attribute__((always_inline)) {
      row.at[v] = choices.template choose<choice, i + v * lanes<T>>(op_(left, row.at[v]), row.at[v]);
    });
  }

  [[gnu::always_inline]] static void write(Row<T> const& row, T* dest, Store how) {
    for_each<row_vectors>([&](auto v) __attribute__((always_inline)) {
      if (how == Store::streaming)
        stream(dest + v * lanes<T>, row.at[v]);
      else
        store<T>(dest + v * lanes<T>, row.at[v]);
    });
  }

  Operation<Op> op_;
  Runs<T>& piece_;
  bool const writes_, is_exclusive_, has_prefix_;
  bool any_;   // whether anything of the tile comes before
  bool open_;  // whether no run has begun in the tile
  Store const how_;
  Vector<T> chain_, prefix_, init_;
  Vector<T> last_;  // its last lane is the last result
};

[[gnu::always_inline]] inline Size count_of(Bits bits) { return static_cast<Size>(__builtin_popcountll(bits)); }

/// Of so many elements whether each differs from the one before, which the first has, too.
template <class T>
Size find_changes(T const* from, Size n, Bits* bits) {
  LeaveRegisters const at_the_end;
  Size count = 0, i = 0;
  for (; i + elements_a_word <= n; i += elements_a_word) {
    Bits word = 0;
    for_each<elements_a_word / lanes<T>>([&](auto v) __attribute__((always_inline)) {
      T const* const at = from + i + v * lanes<T>;
      word |= static_cast<Bits>(differ(load(at - 1), load(at))) << (v * lanes<T>);
    });
    bits[i / elements_a_word] = word;
    count += count_of(word);
  }
  if (i == n) return count;
  Bits word = 0;
  for (Size k = i; k < n; ++k) word |= static_cast<Bits>(load_one(from + k - 1) != load_one(from + k)) << (k - i);
  bits[i / elements_a_word] = word;
  return count + count_of(word);
}

template <class Op, class T>
void scan_runs(Runs<T>& piece, T const* prefix, Store asked) {
  LeaveRegisters const at_the_end;
  constexpr Size word = elements_a_word;
  Size const n        = piece.n;
  T const* const from = piece.from;
  T* const dest       = piece.dest;
  Store const how     = possible(asked, dest);
  RunScan<Op, T> scan(piece, prefix, how);
  Size i = 0;
  for (; i + word <= n; i += word) {
    if (how == Store::streaming && i % (page_bytes / sizeof(T)) == 0)
      __builtin_prefetch(dest + i + page_bytes / sizeof(T), 0, 0);
    scan.scan_word(from + i, piece.begins[i / word], dest ? dest + i : nullptr, nullptr);
  }
  scan.finish();
  if (Size const count = n - i; count > 0) {
    T values[word], alone[word];
    for (Size k = 0; k < word; ++k) values[k] = load_one(from + i + (k < count ? k : 0));
    Bits const here  = piece.begins[i / word] & (~Bits{0} >> (word - count));
    bool const began = piece.began || here != 0;
    RunScan<Op, T> rest(piece, prefix, Store::cached);
    rest.scan_word(values, here, dest ? values : nullptr, alone);
    if (dest) __builtin_memcpy(dest + i, values, count * sizeof(T));
    piece.aggregate = alone[count - 1];
    piece.began     = began;
  }
}

}  // namespace
}  // namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET
