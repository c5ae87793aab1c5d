// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Vectors of values: how they are loaded, converted, stored and shuffled, and the operators on them.
namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET {
namespace {

using Size = std::size_t;

constexpr int vectors = static_cast<int>(group_bytes) / vector_bytes;  // in a group
constexpr int half    = vectors / 2;

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

/// x < y ? x : y, and x > y ? x : y. An instruction set that knows these has overloads of its own.
template <class V>
[[gnu::always_inline]] inline V lesser(V x, V y) {
  return x < y ? x : y;
}
template <class V>
[[gnu::always_inline]] inline V greater(V x, V y) {
  return x > y ? x : y;
}

/// The operators, on vectors as on single values.
template <class Op>
struct Operation {
  template <class V>
  V operator()(V left, V right) const {
    if constexpr (std::is_same_v<Op, Sum>)
      return left + right;
    else if constexpr (std::is_same_v<Op, Product> && std::is_integral_v<V>)
      return static_cast<V>(1U * left * right);  // two short values would meet as int, which must not overflow
    else if constexpr (std::is_same_v<Op, Product>)
      return left * right;
    else if constexpr (std::is_same_v<Op, Min>)
      return lesser(right, left);
    else if constexpr (std::is_same_v<Op, Max>)
      return greater(right, left);
    else if constexpr (std::is_same_v<Op, BitAnd>)
      return left & right;
    else if constexpr (std::is_same_v<Op, BitOr>)
      return left | right;
    else if constexpr (std::is_same_v<Op, BitXor>)
      return left ^ right;
  }
};

template <class T>
using Lanes = std::make_integer_sequence<int, lanes<T>>;

/// An array of T may be one of another type as wide, long long for long.
template <class T>
[[gnu::always_inline]] inline T load_one(T const* from) {
  typedef T Any __attribute__((may_alias));
  return *reinterpret_cast<Any const*>(from);
}

template <class T>
[[gnu::always_inline]] inline Vector<T> load(T const* from) {
  return *reinterpret_cast<typename VectorOf<T>::unaligned const*>(from);
}

/// As many as a vector of T has lanes, converted to T.
template <class T, class From>
[[gnu::always_inline]] inline Vector<T> load_as(From const* from) {
  if constexpr (std::is_same_v<T, From>) {
    return load(from);
  } else {
    typedef From Narrow __attribute__((vector_size(lanes<T> * sizeof(From)), aligned(alignof(From)), may_alias));
    return __builtin_convertvector(*reinterpret_cast<Narrow const*>(from), Vector<T>);
  }
}

template <class T>
[[gnu::always_inline]] inline void store(T* dest, Vector<T> value) {
  *reinterpret_cast<typename VectorOf<T>::unaligned*>(dest) = value;
}

template <class T>
[[gnu::always_inline]] inline Vector<T> broadcast(T value) {
  return value - Vector<T>{};  // and not +, which would lose the sign of a negative zero
}

/// A vector of the lanes that `source` names for each lane; those of `high` count on from those of `low`.
template <int (*source)(int), class T, int... lane>
[[gnu::always_inline]] inline Vector<T> shuffled(Vector<T> low, Vector<T> high, std::integer_sequence<int, lane...>) {
  return __builtin_shufflevector(low, high, source(lane)...);
}
template <class T, int (*source)(int)>
[[gnu::always_inline]] inline Vector<T> shuffle(Vector<T> low, Vector<T> high) {
  return shuffled<source, T>(low, high, Lanes<T>{});
}
template <class T, int (*source)(int)>
[[gnu::always_inline]] inline Vector<T> shuffle(Vector<T> value) {
  return shuffled<source, T>(value, value, Lanes<T>{});
}

template <int fixed>
constexpr int always(int) {
  return fixed;
}
/// Behind the last lane of `low`.
template <int count>
constexpr int one_up(int lane) {
  return count - 1 + lane;
}
constexpr int even_neighbour(int lane) { return lane & ~1; }
constexpr int odd_neighbour(int lane) { return lane | 1; }

template <int bit, class T, int... lane>
[[gnu::always_inline]] inline Vector<T> blended(Vector<T> with, Vector<T> without,
                                                std::integer_sequence<int, lane...>) {
  // Registers of 64 bytes have masks, and the compiler makes one instruction of an operation and the choice.
  if constexpr (vector_bytes == 64) {
    using Mask          = decltype(with < without);
    constexpr Mask mask = {((lane & bit) ? -1 : 0)...};
    return mask ? with : without;
  } else {
    return __builtin_shufflevector(without, with, ((lane & bit) ? lanes<T> + lane : lane)...);
  }
}
/// The lanes whose number has the bit from one vector, the rest from the other.
template <class T, int bit>
[[gnu::always_inline]] inline Vector<T> blend(Vector<T> with, Vector<T> without) {
  return blended<bit, T>(with, without, Lanes<T>{});
}

/// f(0), f(1), ... with constants: what stands in registers cannot be indexed by a variable.
template <class F, int... v>
[[gnu::always_inline]] inline void unroll(F const& f, std::integer_sequence<int, v...>) {
  (f(std::integral_constant<int, v>{}), ...);
}
template <int count, class F>
[[gnu::always_inline]] inline void for_each(F const& f) {
  unroll(f, std::make_integer_sequence<int, count>{});
}

template <int count>
constexpr int from_the_end(int lane) {
  return count - 1 - lane;
}
/// Copies so many elements, the last one first. Out of line, so that it is compiled once for a size of elements and
/// what goes forwards has none of it.
template <class Bits>
[[gnu::noinline]] void turn_bits(Bits const* from, Bits* to, Size count, Store how) {
  Size i = 0;
  for (; i + lanes<Bits> <= count; i += lanes<Bits>) {
    Vector<Bits> const turned = shuffle<Bits, from_the_end<lanes<Bits>>>(load(from + (count - i - lanes<Bits>)));
    if (how == Store::streaming)
      stream(to + i, turned);
    else
      store<Bits>(to + i, turned);
  }
  for (; i < count; ++i) {
    Bits const one = load_one(from + (count - 1 - i));
    __builtin_memcpy(to + i, &one, sizeof(Bits));
  }
}
template <class T>
[[gnu::always_inline]] inline void turn(T const* from, T* to, Size count, Store how = Store::cached) {
  using Bits = typename detail::Integer<sizeof(T), false>::type;
  turn_bits(reinterpret_cast<Bits const*>(from), reinterpret_cast<Bits*>(to), count, how);
}

/// Where so many elements lie of which the first is element i of n.
template <class T>
[[gnu::always_inline]] inline T* place(T* all, bool backwards, Size n, Size i, Size count) {
  return all + (backwards ? n - i - count : i);
}

/// The input of some groups in the order of the scan: where it is, or turned.
template <class T, class From, int groups>
class Inputs {
 public:
  [[gnu::always_inline]] Inputs(From const* all, bool backwards, Size n, Size i)
      : from_(place(all, backwards, n, i, count)) {
    if (backwards) {
      if constexpr (count * sizeof(From) % vector_bytes == 0)
        for_each<count / lanes<From>>([&](auto v) __attribute__((always_inline)) {
          store<From>(turned_ + v * lanes<From>,
                      shuffle<From, from_the_end<lanes<From>>>(load(from_ + (count - lanes<From> - v * lanes<From>))));
        });
      else
        turn(from_, turned_, count);
      from_ = turned_;
    }
  }
  [[gnu::always_inline]] From const* data() const { return from_; }

 private:
  static constexpr Size count = groups * group_length<T>;
  From const* from_;
  alignas(vector_bytes) From turned_[count];
};

/// The values of some groups: their input as it is, or converted.
template <class T, class From, int groups>
class Values {
 public:
  [[gnu::always_inline]] explicit Values(Inputs<T, From, groups> const& inputs) {
    From const* const from = inputs.data();
    for_each<groups * vectors>(
        [&](auto v) __attribute__((always_inline)) { store<T>(at_ + v * lanes<T>, load_as<T>(from + v * lanes<T>)); });
  }
  [[gnu::always_inline]] T const* data() const { return at_; }

 private:
  alignas(vector_bytes) T at_[groups * group_length<T>];
};
template <class T, int groups>
class Values<T, T, groups> {
 public:
  [[gnu::always_inline]] explicit Values(Inputs<T, T, groups> const& inputs) : from_(inputs.data()) {}
  [[gnu::always_inline]] T const* data() const { return from_; }

 private:
  T const* from_;
};

/// Streaming stores need whole registers; a result that does not begin on one, or taken backwards end on one, is
/// written through the caches.
template <class T>
Store possible(Store asked, T const* begin) {
  return reinterpret_cast<Size>(begin) % vector_bytes == 0 ? asked : Store::cached;
}

/// First in everything that others call: code that knows no such registers waits more than a hundred
/// cycles if something is left in their upper halves, and g++ forgets to clear them on some exits.
struct LeaveRegisters {
  ~LeaveRegisters() { leave_registers(); }
};

}  // namespace
}  // namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET
