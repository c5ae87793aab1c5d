// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The network that scans groups. It is the same for all widths, and so are the bits. A group of 256 bytes is scanned in
// three steps: each two neighbours are combined (Brent and Kung 1982), those pairs of the first half in the odd lanes,
// those of the second half in the even ones, so that one vector holds the pairs of two; Sklansky's network (1960) scans
// the pairs, at each doubling every upper half with the last value of the lower half before it; and what stands between
// two pairs with the pair before it. For vectors of 64 bytes of floats this takes 8.25 instructions a vector on the two
// ports that have them, where Sklansky's network alone takes 11. Groups are chained from left to right: one chained
// operation to a group leaves the processor room for all the others.
namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET {
namespace {

// Each neighbour once more: a load does this by itself, where a shuffle would need the port that the network is short
// of. The compiler must not know that the same address was loaded already, or it would shuffle.
template <class T>
[[gnu::always_inline]] inline Vector<T> load_even_neighbours(T const* from) {
  asm("" : "+r"(from));
  if constexpr (loads_duplicate && sizeof(T) == 4)
    return even_floats(load(from));
  else if constexpr (loads_duplicate && sizeof(T) == 8)
    return even_doubles(load(from));
  else
    return shuffle<T, even_neighbour>(load(from));
}
template <class T>
[[gnu::always_inline]] inline Vector<T> load_odd_neighbours(T const* from) {
  asm("" : "+r"(from));
  if constexpr (loads_duplicate && sizeof(T) == 4)
    return odd_floats(load(from));
  else
    return shuffle<T, odd_neighbour>(load(from));
}

/// Two vectors, neighbours combined: those of the first in the odd lanes, those of the second in the even ones.
template <class T, class Op>
[[gnu::always_inline]] inline Vector<T> combine_pairs(T const* first, T const* second, Op op) {
  return blend<T, 1>(op(load_even_neighbours(first), load(first)), op(load(second), load_odd_neighbours(second)));
}

/// The pairs of some groups side by side: what is done to one is done to all in turn, so that the processor finds work
/// that does not wait. Vector v of a group's first half and its fellow in the second half share a vector.
template <class T, int groups>
struct Pairs {
  Vector<T> at[groups * half];
};
/// Where the vector of a first half begins whose pairs stand in vector v.
template <class T>
constexpr int index_of(int v) {
  return (v / half * vectors + v % half) * lanes<T>;
}
template <class T>
constexpr int half_length = half * lanes<T>;

/// For the upper half of each 2 * width lanes the last pair of the lower one.
template <int width>
constexpr int last_pair_below(int lane) {
  return (lane & width) ? (lane & -2 * width) + width - 2 + (lane & 1) : lane;
}

template <int count>
constexpr int last_pair(int lane) {
  return count - 2 + (lane & 1);
}

/// The doublings within vectors, then those between vectors.
template <class T, class Op, int groups, int width = 2>
[[gnu::always_inline]] inline void double_up(Pairs<T, groups>& pairs, Op op) {
  if constexpr (width < lanes<T>) {
    for_each<groups * half>([&](auto v) __attribute__((always_inline)) {
      Vector<T> const below = shuffle<T, last_pair_below<width>>(pairs.at[v]);
      pairs.at[v]           = blend<T, width>(op(below, pairs.at[v]), pairs.at[v]);
    });
  } else {
    constexpr int apart = width / lanes<T>;
    for_each<groups * half>([&](auto v) __attribute__((always_inline)) {
      constexpr int below = (v & -2 * apart) + apart - 1;
      if constexpr (v & apart) pairs.at[v] = op(shuffle<T, last_pair<lanes<T>>>(pairs.at[below]), pairs.at[v]);
    });
  }
  if constexpr (2 * width < half * lanes<T>) double_up<T, Op, groups, 2 * width>(pairs, op);
}

template <int groups, class T, class Op>
[[gnu::always_inline]] inline Pairs<T, groups> scan_pairs(T const* from, Op op) {
  Pairs<T, groups> pairs;
  for_each<groups * half>([&](auto v) __attribute__((always_inline)) {
    T const* const first = from + index_of<T>(v);
    pairs.at[v]          = combine_pairs(first, first + half_length<T>, op);
  });
  double_up<T>(pairs, op);
  Vector<T> first_half[groups];
  for_each<groups>([&](auto g) __attribute__((always_inline)) {
    first_half[g] = shuffle<T, always<lanes<T> - 1>>(pairs.at[(g + 1) * half - 1]);
  });
  for_each<groups * half>([&](auto v) __attribute__((always_inline)) {
    pairs.at[v] = blend<T, 1>(pairs.at[v], op(first_half[v / half], pairs.at[v]));
  });
  return pairs;
}

/// Combines each group with what comes before it: `chain`, if anything does, and the groups on its left. Returns the
/// chain behind them. The last pair of a group is its aggregate; chained apart from the others it takes the fewest
/// steps from chain to chain.
template <class T, class Op, int groups>
[[gnu::always_inline]] inline Vector<T> combine_chain(bool any, Vector<T> chain, Pairs<T, groups>& pairs, Op op) {
  Vector<T> before[groups];
  for_each<groups>([&](auto g) __attribute__((always_inline)) {
    Vector<T> const aggregate = shuffle<T, always<lanes<T> - 2>>(pairs.at[(g + 1) * half - 1]);
    before[g]                 = chain;
    chain                     = any || g > 0 ? op(chain, aggregate) : aggregate;
  });
  if (any) for_each<half>([&](auto v) __attribute__((always_inline)) { pairs.at[v] = op(before[0], pairs.at[v]); });
  for_each<(groups - 1) * half>([&](auto v) __attribute__((always_inline)) {
    pairs.at[v + half] = op(before[v / half + 1], pairs.at[v + half]);
  });
  return chain;
}

/// One lane up, behind the last pair of the second half before it.
template <int count>
constexpr int up_behind_pairs(int lane) {
  return lane == 0 ? count - 2 : count - 1 + lane;
}
/// Where a second half finds its pairs: each odd lane the one that ends there, each even lane the one before it,
/// which for the first of them is in lane `first`.
template <int count, int first>
constexpr int pair_of_second_half(int lane) {
  return lane == 0 ? first : count + lane - ((lane & 1) ? 1 : 2);
}

/// From scanned pairs to scanned groups: write(index, vector) in the order of the elements, each vector of the input
/// having been read before. The last pair of `before` is what comes before them; where nothing does, lane 0 of the
/// first vector is to be replaced.
template <class T, class Op, int groups, class Write>
[[gnu::always_inline]] inline void scan_groups(T const* from, Pairs<T, groups> const& pairs, Vector<T> before, Op op,
                                               Write const& write) {
  constexpr int count = lanes<T>;
  for_each<groups>([&](auto g) __attribute__((always_inline)) {
    for_each<half>([&](auto w) __attribute__((always_inline)) {
      constexpr int v       = g * half + w;
      constexpr int index   = index_of<T>(v);
      Vector<T> const left  = v == 0 ? before : pairs.at[v == 0 ? 0 : v - 1];
      constexpr auto source = w == 0 ? up_behind_pairs<count> : one_up<count>;
      Vector<T> const below = shuffle<T, source>(left, pairs.at[v]);
      write(index, blend<T, 1>(pairs.at[v], op(below, load(from + index))));
    });
    for_each<half>([&](auto w) __attribute__((always_inline)) {
      constexpr int v       = g * half + w;
      constexpr int index   = index_of<T>(v) + half_length<T>;
      Vector<T> const left  = pairs.at[w == 0 ? v + half - 1 : v - 1];
      Vector<T> const below = shuffle<T, pair_of_second_half<count, w == 0 ? count - 1 : count - 2>>(left, pairs.at[v]);
      write(index, blend<T, 1>(below, op(below, load(from + index))));
    });
  });
}

/// The values of an incomplete group, and what may be done with them as if it were complete.
template <class T>
struct Part {
  T at[group_length<T>] = {};
  Part(T const* from, Size count) { __builtin_memcpy(at, from, count * sizeof(T)); }
  template <class From>
  Part(From const* from, Size count) {
    for (Size i = 0; i < count; ++i) at[i] = static_cast<T>(load_one(from + i));
  }
  /// What is left behind element i of n.
  template <class From>
  Part(From const* all, bool backwards, Size n, Size i) : Part(place(all, backwards, n, i, n - i), n - i) {
    if (!backwards) return;
    T in_memory[group_length<T>];
    __builtin_memcpy(in_memory, at, sizeof(at));
    turn(in_memory, at, n - i);
  }
};

template <class T, class Op>
void combine_before(Vector<T> before, Part<T>& part, Op op) {
  for_each<vectors>([&](auto v) __attribute__((always_inline)) {
    T* const to = part.at + v * lanes<T>;
    store<T>(to, op(before, load<T>(to)));
  });
}

/// Scans a part by itself, and combines `before` with it if there is anything before it.
template <class T, class Op>
[[gnu::noinline]] void scan_part(Part<T>& part, bool has_before, Vector<T> before, Op op) {
  T const first     = part.at[0];
  T const* const in = part.at;
  scan_groups(in, scan_pairs<1>(in, op), before, op,
              [&](int index, Vector<T> result) __attribute__((always_inline)) { store<T>(part.at + index, result); });
  part.at[0] = first;
  if (has_before) combine_before<T>(before, part, op);
}

}  // namespace
}  // namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET
