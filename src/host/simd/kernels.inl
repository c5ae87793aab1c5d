// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The vector kernels. Each instruction set includes this file once, with KOKKOSSCAN_INSTRUCTION_SET its namespace and
// KOKKOSSCAN_VECTOR_BYTES the width of its registers; hence no include guard. Nothing here may call an inline function
// from outside: the linker keeps one copy of such a function, and that could be one the processor cannot run.
//
// The network is the same for all widths, and so are the bits. A group of 256 bytes is scanned by Sklansky's network
// (Sklansky 1960): at each doubling, every upper half joins the last value of the lower half before it. Groups are
// chained from left to right: one chained operation to a group leaves the processor room for all the others.

namespace KokkosScan::host::simd {
namespace KOKKOSSCAN_INSTRUCTION_SET {
namespace {

using Size = std::size_t;

constexpr int vector_bytes = KOKKOSSCAN_VECTOR_BYTES;
constexpr int group_bytes  = 256;
constexpr int vectors      = group_bytes / vector_bytes;  // in a group

template <class T>
constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
template <class T>
constexpr Size group_length = group_bytes / sizeof(T);

template <class T>
struct VectorOf {
  typedef T type __attribute__((vector_size(vector_bytes)));
  typedef T unaligned __attribute__((vector_size(vector_bytes), aligned(alignof(T)), may_alias));
};
template <class T>
using Vector = typename VectorOf<T>::type;

// The operators, on vectors as on single values.
template <class Op>
struct Join;
template <>
struct Join<Sum> {
  template <class V>
  V operator()(V left, V right) const {
    return left + right;
  }
};
template <>
struct Join<Product> {
  template <class V>
  V operator()(V left, V right) const {
    if constexpr (std::is_integral_v<V>)
      return static_cast<V>(1U * left * right);  // two short values would meet as int, which must not overflow
    else
      return left * right;
  }
};
template <>
struct Join<Min> {
  template <class V>
  V operator()(V left, V right) const {
    return right < left ? right : left;
  }
};
template <>
struct Join<Max> {
  template <class V>
  V operator()(V left, V right) const {
    return left < right ? right : left;
  }
};
template <>
struct Join<BitAnd> {
  template <class V>
  V operator()(V left, V right) const {
    return left & right;
  }
};
template <>
struct Join<BitOr> {
  template <class V>
  V operator()(V left, V right) const {
    return left | right;
  }
};
template <>
struct Join<BitXor> {
  template <class V>
  V operator()(V left, V right) const {
    return left ^ right;
  }
};

template <class T>
using Lanes = std::make_integer_sequence<int, lanes<T>>;

template <class T>
[[gnu::always_inline]] inline Vector<T> load(T const* from) {
  return *reinterpret_cast<typename VectorOf<T>::unaligned const*>(from);
}

template <class T>
[[gnu::always_inline]] inline void save(T* dest, Vector<T> value) {
  *reinterpret_cast<typename VectorOf<T>::unaligned*>(dest) = value;
}

template <class T>
[[gnu::always_inline]] inline Vector<T> broadcast(T value) {
  return value - Vector<T>{};  // and not +, which would lose the sign of a negative zero
}

template <class T, int... lane>
[[gnu::always_inline]] inline Vector<T> broadcast_last(Vector<T> value, std::integer_sequence<int, lane...>) {
  return __builtin_shufflevector(value, value, ((void)lane, lanes<T> - 1)...);
}

/// The lanes of `value` one place up, behind the last lane of `before`.
template <class T, int... lane>
[[gnu::always_inline]] inline Vector<T> shift_in(Vector<T> before, Vector<T> value,
                                                 std::integer_sequence<int, lane...>) {
  return __builtin_shufflevector(before, value, (lanes<T> - 1 + lane)...);
}

/// One doubling within a vector.
template <int half, class T, class Op, int... lane>
[[gnu::always_inline]] inline Vector<T> double_up(Vector<T> value, Op join, std::integer_sequence<int, lane...>) {
  Vector<T> const before =
      __builtin_shufflevector(value, value, ((lane & half) ? (lane & -2 * half) + half - 1 : lane)...);
  Vector<T> const joined = join(before, value);
  // Registers of 64 bytes have masks, and the compiler makes one instruction of the join and the choice.
  if constexpr (vector_bytes == 64) {
    using Mask           = decltype(value < value);
    constexpr Mask upper = {((lane & half) ? -1 : 0)...};
    return upper ? joined : value;
  } else {
    return __builtin_shufflevector(value, joined, ((lane & half) ? lanes<T> + lane : lane)...);
  }
}

template <class T, class Op, int half = 1>
[[gnu::always_inline]] inline Vector<T> scan_vector(Vector<T> value, Op join) {
  if constexpr (half < lanes<T>)
    return scan_vector<T, Op, 2 * half>(double_up<half, T>(value, join, Lanes<T>{}), join);
  else
    return value;
}

/// f(0), f(1), ... with constants: what stands in registers cannot be indexed by a variable.
template <class F, int... v>
[[gnu::always_inline]] inline void unroll(F const& f, std::integer_sequence<int, v...>) {
  (f(std::integral_constant<int, v>{}), ...);
}
template <class F>
[[gnu::always_inline]] inline void for_each_vector(F const& f) {
  unroll(f, std::make_integer_sequence<int, vectors>{});
}

template <class T>
struct Group {
  Vector<T> at[vectors];
};

/// The doublings between vectors: the upper vectors of each 2 * half join the last value of the lower ones.
template <class T, class Op, int half = 1>
[[gnu::always_inline]] inline void scan_across(Group<T>& group, Op join) {
  if constexpr (half < vectors) {
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      constexpr int lower = (v & -2 * half) + half - 1;
      if constexpr (v & half) group.at[v] = join(broadcast_last<T>(group.at[lower], Lanes<T>{}), group.at[v]);
    });
    scan_across<T, Op, 2 * half>(group, join);
  }
}

template <class T, class Op>
[[gnu::always_inline]] inline void scan_group(Group<T>& group, Op join) {
  for_each_vector([&](auto v) __attribute__((always_inline)) { group.at[v] = scan_vector<T>(group.at[v], join); });
  scan_across<T>(group, join);
}

template <class T, class Op>
[[gnu::always_inline]] inline void join_group(Vector<T> before, Group<T>& group, Op join) {
  for_each_vector([&](auto v) __attribute__((always_inline)) { group.at[v] = join(before, group.at[v]); });
}

template <class T>
[[gnu::always_inline]] inline Group<T> load_group(T const* from) {
  Group<T> group;
  for_each_vector([&](auto v) __attribute__((always_inline)) { group.at[v] = load(from + v * lanes<T>); });
  return group;
}

template <class T>
[[gnu::always_inline]] inline void save_group(T* dest, Group<T> const& group) {
  for_each_vector([&](auto v) __attribute__((always_inline)) { save<T>(dest + v * lanes<T>, group.at[v]); });
}

template <class T>
[[gnu::always_inline]] inline void save_group(T* dest, Group<T> const& group, Store store) {
  if (store == Store::streaming)
    for_each_vector([&](auto v) __attribute__((always_inline)) { stream(dest + v * lanes<T>, group.at[v]); });
  else
    save_group(dest, group);
}

template <class T>
Group<T> load_part(T const* from, Size count) {
  T values[group_length<T>] = {};
  __builtin_memcpy(values, from, count * sizeof(T));
  return load_group<T>(values);
}

template <class T>
void save_part(T* dest, Group<T> const& group, Size count) {
  T values[group_length<T>];
  save_group<T>(values, group);
  __builtin_memcpy(dest, values, count * sizeof(T));
}

/// The value at one place; for the end of a tile, where the last group may be incomplete.
template <class T>
T value_at(Group<T> const& group, Size place) {
  T values[group_length<T>];
  save_group<T>(values, group);
  return values[place];
}

/// Streaming stores need whole registers; a result that does not begin on one is written through the caches.
template <class T>
Store possible(Store asked, T const* dest) {
  return reinterpret_cast<Size>(dest) % vector_bytes == 0 ? asked : Store::cached;
}

/// Brings the group at `place` of what comes next into the second-level cache, while this one is being written. No
/// address is wrong for a prefetch.
template <class T>
[[gnu::always_inline]] inline void prefetch_group(T const* ahead, Size place) {
  if (ahead != nullptr)
    for (int byte = 0; byte < group_bytes; byte += 64)
      __builtin_prefetch(reinterpret_cast<char const*>(ahead + place) + byte, 0, 2);
}

template <bool exclusive, class Op, class T>
T scan_tile(T const* from, T* dest, Size n, T const* prefix_place, Store asked, T const* ahead) {
  Join<Op> const join;
  Store const store      = possible(asked, dest);
  bool const has_prefix  = prefix_place != nullptr;
  Vector<T> const prefix = broadcast(has_prefix ? *prefix_place : from[0]);
  Vector<T> chain        = prefix;  // the local scan up to here, in every lane
  Vector<T> last         = prefix;  // its last lane is what an exclusive scan has next

  // From the local scan of a group to what is written.
  auto const finish = [&](Group<T>& group) __attribute__((always_inline)) {
    if (has_prefix) join_group<T>(prefix, group, join);
    if constexpr (exclusive)
      for_each_vector([&](auto v) __attribute__((always_inline)) {
        Vector<T> const next = group.at[v];
        group.at[v]          = shift_in<T>(last, next, Lanes<T>{});
        last                 = next;
      });
  };

  Size i = 0;
  for (; i + group_length<T> <= n; i += group_length<T>) {
    prefetch_group(ahead, i);
    Group<T> group = load_group(from + i);
    scan_group(group, join);
    if (i > 0) join_group<T>(chain, group, join);
    chain = broadcast_last<T>(group.at[vectors - 1], Lanes<T>{});
    finish(group);
    save_group(dest + i, group, store);
  }
  T total = chain[0];
  if (i < n) {
    Group<T> group = load_part(from + i, n - i);
    scan_group(group, join);
    if (i > 0) join_group<T>(chain, group, join);
    total = value_at(group, n - i - 1);
    finish(group);
    save_part(dest + i, group, n - i);
  }
  if (store == Store::streaming) finish_streaming();
  return total;
}

/// The joins of neighbours: of the first vector's in the lower half, of the second's in the upper.
template <class T, class Op, int... lane>
[[gnu::always_inline]] inline Vector<T> join_neighbours(Vector<T> first, Vector<T> second, Op join,
                                                        std::integer_sequence<int, lane...>) {
  return join(__builtin_shufflevector(first, second, (2 * lane)...),
              __builtin_shufflevector(first, second, (2 * lane + 1)...));
}

/// The last value of a scanned group, by the joins that the network makes of it and no others: a balanced tree.
template <int width, class T, class Op>
[[gnu::always_inline]] inline T fold_vectors(Group<T>& group, Op join) {
  if constexpr (width > 1) {
    for_each_vector([&](auto v) __attribute__((always_inline)) {
      if constexpr (v < width / 2)
        group.at[v] = join_neighbours<T>(group.at[2 * v], group.at[2 * v + 1], join, Lanes<T>{});
    });
    return fold_vectors<width / 2>(group, join);
  } else {
    for (int left = lanes<T>; left > 1; left /= 2)
      group.at[0] = join_neighbours<T>(group.at[0], group.at[0], join, Lanes<T>{});
    return group.at[0][0];
  }
}

template <class Op, class T>
T total_of_tile(T const* from, Size n, T* dest) {
  Join<Op> const join;
  T total = from[0];
  Size i  = 0;
  for (; i + group_length<T> <= n; i += group_length<T>) {
    if (dest != nullptr)
      for (int byte = 0; byte < group_bytes; byte += 64)
        __builtin_prefetch(reinterpret_cast<char*>(dest + i) + byte, 1, 2);
    Group<T> group = load_group(from + i);
    T const sum    = fold_vectors<vectors>(group, join);
    total          = i > 0 ? static_cast<T>(join(total, sum)) : sum;
  }
  if (i < n) {
    Group<T> group = load_part(from + i, n - i);
    scan_group(group, join);
    T const sum = value_at(group, n - i - 1);
    total       = i > 0 ? static_cast<T>(join(total, sum)) : sum;
  }
  return total;
}

template <class Table>
struct Compiled;
template <class... Op, class... T>
struct Compiled<Table<Entry<Op, T>...>> {
  static constexpr Table<Entry<Op, T>...> table{
      Entry<Op, T>{{scan_tile<false, Op, T>, scan_tile<true, Op, T>, total_of_tile<Op, T>}}...};
};

}  // namespace

AllFunctions const& compiled_functions() { return Compiled<AllFunctions>::table; }

}  // namespace KOKKOSSCAN_INSTRUCTION_SET
}  // namespace KokkosScan::host::simd
