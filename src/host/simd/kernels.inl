// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The vector kernels. Each instruction set includes this file once, with KOKKOSSCAN_INSTRUCTION_SET its namespace and
// KOKKOSSCAN_VECTOR_BYTES the width of its registers; hence no include guard. Nothing here may call an inline function
// from outside: the linker keeps one copy of such a function, and that could be one the processor cannot run.
//
// The network is the same for all widths, and so are the bits. A group of 256 bytes is scanned in three steps: each two
// neighbours are combined (Brent and Kung 1982), those pairs of the first half in the odd lanes, those of the second
// half in the even ones, so that one vector holds the pairs of two; Sklansky's network (1960) scans the pairs, at each
// doubling every upper half with the last value of the lower half before it; and what stands between two pairs with the
// pair before it. For vectors of 64 bytes of floats this takes 8.25 instructions a vector on the two ports that have
// them, where Sklansky's network alone takes 11. Groups are chained from left to right: one chained operation to a
// group leaves the processor room for all the others.

namespace KokkosScan::host::simd {
namespace KOKKOSSCAN_INSTRUCTION_SET {
namespace {

using Size = std::size_t;

constexpr int vector_bytes = KOKKOSSCAN_VECTOR_BYTES;
constexpr int vectors      = static_cast<int>(group_bytes) / vector_bytes;  // in a group
constexpr int half         = vectors / 2;

template <class T>
constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
template <class T>
constexpr Size group_length = group_bytes / sizeof(T);

/// In the caches; past them one after the other, since memory gains by few stores at a time: sums of 32 bits, 256 MiB,
/// with one, two and four groups 0.97, 0.89 and 0.55 of a copy on a Zen 4. With 32 registers two fit. Operations on
/// integers are so fast that four pay, though some wait in memory: one thread, 2^12 of 64 bits 76 GB/s and not 67, of
/// 32 bits 68 and not 60; of floats the same.
template <class T>
constexpr int groups_at_once = vector_bytes < 64       ? 1
                               : std::is_integral_v<T> ? 4
                                                       : 2;

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

// The operators, on vectors as on single values.
template <class Op>
struct Operation;
template <>
struct Operation<Sum> {
  template <class V>
  V operator()(V left, V right) const {
    return left + right;
  }
};
template <>
struct Operation<Product> {
  template <class V>
  V operator()(V left, V right) const {
    if constexpr (std::is_integral_v<V>)
      return static_cast<V>(1U * left * right);  // two short values would meet as int, which must not overflow
    else
      return left * right;
  }
};
template <>
struct Operation<Min> {
  template <class V>
  V operator()(V left, V right) const {
    return lesser(right, left);
  }
};
template <>
struct Operation<Max> {
  template <class V>
  V operator()(V left, V right) const {
    return greater(right, left);
  }
};
template <>
struct Operation<BitAnd> {
  template <class V>
  V operator()(V left, V right) const {
    return left & right;
  }
};
template <>
struct Operation<BitOr> {
  template <class V>
  V operator()(V left, V right) const {
    return left | right;
  }
};
template <>
struct Operation<BitXor> {
  template <class V>
  V operator()(V left, V right) const {
    return left ^ right;
  }
};

template <class T>
using Lanes = std::make_integer_sequence<int, lanes<T>>;

/// An array of T may be one of another type as wide, long long for long.
template <class T>
[[gnu::always_inline]] inline T single(T const* from) {
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
[[gnu::always_inline]] inline void save(T* dest, Vector<T> value) {
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
/// Up by some lanes, behind the last ones of `low`.
template <int count, int up>
constexpr int up_by(int lane) {
  return count - up + lane;
}
constexpr int even_neighbour(int lane) { return lane & ~1; }
constexpr int odd_neighbour(int lane) { return lane | 1; }

template <int bit, class T, int... lane>
[[gnu::always_inline]] inline Vector<T> chosen(Vector<T> with, Vector<T> without, std::integer_sequence<int, lane...>) {
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
[[gnu::always_inline]] inline Vector<T> choose(Vector<T> with, Vector<T> without) {
  return chosen<bit, T>(with, without, Lanes<T>{});
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
  return choose<T, 1>(op(load_even_neighbours(first), load(first)), op(load(second), load_odd_neighbours(second)));
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
      pairs.at[v]           = choose<T, width>(op(below, pairs.at[v]), pairs.at[v]);
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
    pairs.at[v] = choose<T, 1>(pairs.at[v], op(first_half[v / half], pairs.at[v]));
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
      Vector<T> const below = shuffle < T, w == 0 ? up_behind_pairs<count> : up_by < count, 1 >> (left, pairs.at[v]);
      write(index, choose<T, 1>(pairs.at[v], op(below, load(from + index))));
    });
    for_each<half>([&](auto w) __attribute__((always_inline)) {
      constexpr int v       = g * half + w;
      constexpr int index   = index_of<T>(v) + half_length<T>;
      Vector<T> const left  = pairs.at[w == 0 ? v + half - 1 : v - 1];
      Vector<T> const below = shuffle<T, pair_of_second_half<count, w == 0 ? count - 1 : count - 2>>(left, pairs.at[v]);
      write(index, choose<T, 1>(below, op(below, load(from + index))));
    });
  });
}

/// The values of some groups: where they are, or converted.
template <class T, class From, int groups>
class Values {
 public:
  [[gnu::always_inline]] explicit Values(From const* from) {
    for_each<groups * vectors>(
        [&](auto v) __attribute__((always_inline)) { save<T>(at_ + v * lanes<T>, load_as<T>(from + v * lanes<T>)); });
  }
  [[gnu::always_inline]] T const* data() const { return at_; }

 private:
  alignas(vector_bytes) T at_[groups * group_length<T>];
};
template <class T, int groups>
class Values<T, T, groups> {
 public:
  [[gnu::always_inline]] explicit Values(T const* from) : from_(from) {}
  [[gnu::always_inline]] T const* data() const { return from_; }

 private:
  T const* from_;
};

/// The values of an incomplete group, and what may be done with them as if it were complete.
template <class T>
struct Part {
  T at[group_length<T>] = {};
  Part(T const* from, Size count) { __builtin_memcpy(at, from, count * sizeof(T)); }
  template <class From>
  Part(From const* from, Size count) {
    for (Size i = 0; i < count; ++i) at[i] = static_cast<T>(single(from + i));
  }
};

template <class T, class Op>
void combine_before(Vector<T> before, Part<T>& part, Op op) {
  for_each<vectors>([&](auto v) __attribute__((always_inline)) {
    T* const to = part.at + v * lanes<T>;
    save<T>(to, op(before, load<T>(to)));
  });
}

/// Scans a part by itself, and combines `before` with it if there is anything before it.
template <class T, class Op>
[[gnu::noinline]] void scan_part(Part<T>& part, bool has_before, Vector<T> before, Op op) {
  T const first     = part.at[0];
  T const* const in = part.at;
  scan_groups(in, scan_pairs<1>(in, op), before, op,
              [&](int index, Vector<T> result) __attribute__((always_inline)) { save<T>(part.at + index, result); });
  part.at[0] = first;
  if (has_before) combine_before<T>(before, part, op);
}

/// Streaming stores need whole registers; a result that does not begin on one is written through the caches.
template <class T>
Store possible(Store asked, T const* dest) {
  return reinterpret_cast<Size>(dest) % vector_bytes == 0 ? asked : Store::cached;
}

template <int count>
constexpr int even_pair(int lane) {
  return 2 * (lane & ~1) % (2 * count) + (lane & 1);
}
template <int count>
constexpr int odd_pair(int lane) {
  return even_pair<count>(lane) + 2;
}

/// Combines neighbours, odd and even lanes apart: those of the first vector in the lower half of the result.
template <class T, class Op>
[[gnu::always_inline]] inline Vector<T> combine_neighbours(Vector<T> first, Vector<T> second, Op op) {
  return op(shuffle<T, even_pair<lanes<T>>>(first, second), shuffle<T, odd_pair<lanes<T>>>(first, second));
}

/// The pairs of so many vectors and of those `distance` further on, combined to one vector by a balanced tree.
template <int count, class T, class Op>
[[gnu::always_inline]] inline Vector<T> reduce_vectors(T const* from, Size distance, Op op) {
  if constexpr (count > 1)
    return combine_neighbours<T>(reduce_vectors<count / 2>(from, distance, op),
                                 reduce_vectors<count / 2>(from + count / 2 * lanes<T>, distance, op), op);
  else
    return combine_pairs<T>(from, from + distance, op);
}

/// The aggregates of some groups, by the operations of the network and no others: a balanced tree.
template <int groups, class T, class Op>
[[gnu::always_inline]] inline void reduce_groups(T const* from, T (&aggregates)[groups], Op op) {
  Size const distance = groups * group_length<T> / 2;
  Vector<T> reduced   = reduce_vectors<groups * half>(from, distance, op);
  for (int pairs = lanes<T> / 2; 2 * pairs > (groups > 1 ? groups : 2); pairs /= 2)
    reduced = combine_neighbours<T>(reduced, reduced, op);
  if constexpr (groups > 1)
    for (int g = 0; g < groups; ++g) aggregates[g] = reduced[g < groups / 2 ? 2 * g + 1 : 2 * g - groups];
  else
    aggregates[0] = op(T(reduced[1]), T(reduced[0]));
}

/// Where the `at`-th of so many things is, if pages_in_turns pages take turns, `unit` things at a time. Behind the last
/// whole window of such pages they stand in order.
constexpr Size in_turns(Size at, Size all, Size page, Size unit) {
  Size const window = pages_in_turns * page;
  Size const begin  = at / window * window;
  if (begin + window > all) return at;
  Size const turn = (at - begin) / unit;
  return begin + turn % pages_in_turns * page + turn / pages_in_turns * unit + at % unit;
}

/// One vector combined from so many side by side.
template <int count, class T, class From, class Op>
[[gnu::always_inline]] inline Vector<T> reduce_straight(From const* from, Op op) {
  if constexpr (count > 1)
    return op(reduce_straight<count / 2, T>(from, op), reduce_straight<count / 2, T>(from + count / 2 * lanes<T>, op));
  else
    return load_as<T>(from);
}

template <int count, int width>
constexpr int across(int lane) {
  return (lane + width) % count;
}
/// All lanes combined.
template <class T, class Op, int width = lanes<T> / 2>
[[gnu::always_inline]] inline T reduce_lanes(Vector<T> value, Op op) {
  if constexpr (width > 0)
    return reduce_lanes<T, Op, width / 2>(op(value, shuffle<T, across<lanes<T>, width>>(value)), op);
  else
    return value[0];
}

/// The aggregates of groups combined from left to right, as the network does. Groups that come out of turn wait for
/// theirs.
template <class T, class Op>
class InOrder {
 public:
  template <class From>
  InOrder(Piece<T, From> const& piece, Size window)
      : delay_(piece.in_turns ? window : 0), any_(piece.continues), aggregate_(piece.aggregate) {}

  /// Groups side by side, `done` of the piece having come before.
  template <int groups, class From>
  [[gnu::always_inline]] void add(From const* from, Size index, Size done, Op op) {
    T aggregates[groups];
    reduce_groups(Values<T, From, groups>(from).data(), aggregates, op);
    if (delay_ == 0) return for_each<groups>([&](auto g) __attribute__((always_inline)) { chain(aggregates[g], op); });
    for (Size g = 0; g < groups; ++g) {
      waiting_[(index + g) % most] = aggregates[g];
      if (done + g >= delay_) chain_next(op);  // one of the window before, of which all are there
    }
  }
  void finish(Size done, Op op) {
    while (delay_ > 0 && chained_ < done) chain_next(op);
  }

  bool any() const { return any_; }
  T aggregate() const { return aggregate_; }

 private:
  static constexpr Size most = 2 * pages_in_turns * page_bytes / group_bytes;

  [[gnu::always_inline]] void chain(T aggregate, Op op) {
    aggregate_ = any_ ? static_cast<T>(op(aggregate_, aggregate)) : aggregate;
    any_       = true;
  }
  void chain_next(Op op) { chain(waiting_[chained_++ % most], op); }

  // The aggregate is kept here and not in the piece: through memory a link of the chain takes twice as long.
  Size const delay_;  // of a group's aggregate until it is chained, in groups
  bool any_;          // whether there is an aggregate yet
  T aggregate_;
  Size chained_ = 0;
  T waiting_[most];
};

/// Integers combine alike in any order, so lanes go on side by side, with one instruction to a vector.
template <class T, class Op>
class InAnyOrder {
 public:
  template <class From>
  InAnyOrder(Piece<T, From> const& piece, Size) : any_(piece.continues), aggregate_(piece.aggregate) {}

  template <int groups, class From>
  [[gnu::always_inline]] void add(From const* from, Size, Size done, Op op) {
    Vector<T> const reduced = reduce_straight<groups * vectors, T>(from, op);
    lanes_                  = done == 0 ? reduced : op(lanes_, reduced);
  }
  void finish(Size done, Op op) {
    if (done == 0) return;
    T const reduced = reduce_lanes<T>(lanes_, op);
    aggregate_      = any_ ? static_cast<T>(op(aggregate_, reduced)) : reduced;
    any_            = true;
  }

  bool any() const { return any_; }
  T aggregate() const { return aggregate_; }

 private:
  bool any_;
  T aggregate_;
  Vector<T> lanes_ = {};
};

/// The aggregate of a piece, some groups at a time, in turns if it is to be so.
template <class Op, class T, class From, int groups>
class Summing {
 public:
  explicit Summing(Piece<T, From>& piece) : piece_(piece), all_(piece.n / group_length<T>), sum_(piece, window) {}

  /// Goes on by so many groups, if there are that many.
  [[gnu::always_inline]] bool add_groups() {
    if (done_ + groups > all_) return false;
    add<groups>(piece_.in_turns ? in_turns(done_, all_, page, groups) : done_);
    return true;
  }

  /// What is left; then the aggregate is known.
  [[gnu::always_inline]] void finish() {
    while (add_groups()) {
    }
    if constexpr (groups > 1)
      while (done_ < all_) add<1>(done_);
    sum_.finish(done_, op_);
    piece_.aggregate = sum_.aggregate();
    if (Size const done = all_ * group_length<T>, count = piece_.n - done; count > 0) {
      Part<T> part(piece_.from + done, count);
      scan_part(part, sum_.any(), broadcast(piece_.aggregate), op_);
      piece_.aggregate = part.at[count - 1];
    }
  }

 private:
  static constexpr Size page   = page_bytes / group_bytes;
  static constexpr Size window = pages_in_turns * page;
  static_assert(page % groups == 0);

  template <int count>
  [[gnu::always_inline]] void add(Size index) {
    Size const i = index * group_length<T>;
    if (piece_.dest != nullptr)  // no address is wrong for a prefetch
      for (Size byte = 0; byte < count * group_bytes; byte += 64)
        __builtin_prefetch(reinterpret_cast<std::byte*>(piece_.dest + i) + byte, 1, 2);
    else
      ask_for_input(count);
    sum_.template add<count>(piece_.from + i, index, done_, op_);
    done_ += count;
  }

  void ask_for_input(Size count) {
    Ahead& input = piece_.ahead;
    input.due += count * input.bytes_a_group;
    for (; input.asked < input.due && input.asked < input.bytes; input.asked += 64) {
      Size const turn =
          piece_.in_turns ? in_turns(input.asked, input.bytes, page_bytes, groups * group_bytes) : input.asked;
      __builtin_prefetch(input.first + turn, 0, 2);
    }
  }

  Piece<T, From>& piece_;
  Size const all_;  // groups, whole ones
  Size done_ = 0;   // of them
  Operation<Op> op_;
  std::conditional_t<std::is_integral_v<T>, InAnyOrder<T, Operation<Op>>, InOrder<T, Operation<Op>>> sum_;
};

/// First in everything that others call: code that knows no such registers waits more than a hundred
/// cycles if something is left in their upper halves, and g++ forgets to clear them on some exits.
struct LeaveRegisters {
  ~LeaveRegisters() { leave_registers(); }
};

template <class Op, class T, class From>
void reduce(Piece<T, From>& piece) {
  LeaveRegisters const at_the_end;
  Summing<Op, T, From, (lanes<T> < 4 ? lanes<T> : 4)>(piece).finish();
}

/// Where integers are faster by a plain loop than by the network: its vectors have too few lanes, or the instruction
/// set too few operators (docs/decisions/host-kernels.md).
template <class Op, class T>
constexpr bool by_plain_loop =
    std::is_integral_v<T> &&
    (sizeof(T) == 8 ? vector_bytes < 64 : lanes<T> == 4 && !detail::orders<Op> && !std::is_same_v<Op, Product>);

/// Goes on with a chain of operations from where `from` and `dest` stand. Returns where it ends.
template <bool exclusive, class T, class From, class Op>
[[gnu::noinline]] T go_on(T chain, From const* from, T* dest, Size count, Op op) {
  auto const step = [&](Size i) __attribute__((always_inline)) {
    T const before = chain;
    chain          = static_cast<T>(op(chain, static_cast<T>(single(from + i))));
    __builtin_memcpy(dest + i, exclusive ? &before : &chain, sizeof(T));
  };
  Size i = 0;
  for (; i + 4 <= count; i += 4) for_each<4>([&](auto k) __attribute__((always_inline)) { step(i + k); });
  for (; i < count; ++i) step(i);
  return chain;
}

template <class Op, class T, class From>
void scan_by_plain_loop(Piece<T, From>& piece, T const* prefix, Store asked, Piece<T, From>* next, bool exclusive) {
  LeaveRegisters const at_the_end;
  Operation<Op> const op;
  From const* const from = piece.from;
  T* const dest          = piece.dest;
  Size const n           = piece.n;
  Store const store      = possible(asked, dest);
  Piece<T, From> none{};
  Summing<Op, T, From, 1> next_sum(next ? *next : none);

  T chain = piece.through;
  Size i  = 0;
  if (!piece.continues && prefix) chain = *prefix;
  if (!piece.continues && !prefix) {
    chain = static_cast<T>(single(from));
    if (!exclusive) __builtin_memcpy(dest, &chain, sizeof(T));
    i = 1;
  }
  for (Size end; i < n; i = end) {
    Size const group   = i / group_length<T> * group_length<T>;
    bool const is_full = i == group && group + group_length<T> <= n;
    end                = n - group < group_length<T> ? n : group + group_length<T>;
    if (next) next_sum.add_groups();
    auto const scan_to = [&](T* to) __attribute__((always_inline)) {
      chain =
          exclusive ? go_on<true>(chain, from + i, to, end - i, op) : go_on<false>(chain, from + i, to, end - i, op);
    };
    if (store == Store::streaming && is_full) {
      alignas(vector_bytes) T results[group_length<T>];
      if (i % (page_bytes / sizeof(T)) == 0) __builtin_prefetch(dest + i + page_bytes / sizeof(T), 0, 0);
      scan_to(results);
      for_each<vectors>([&](auto v) __attribute__((always_inline)) {
        stream(dest + i + v * lanes<T>, load<T>(results + v * lanes<T>));
      });
    } else {
      scan_to(dest + i);
    }
  }
  piece.through = chain;
  if (next) next_sum.finish();
}

template <class Op, class T, class From>
void scan_by_network(Piece<T, From>& piece, T const* prefix_at, Store asked, Piece<T, From>* next, bool exclusive) {
  LeaveRegisters const at_the_end;
  Operation<Op> const op;
  From const* const from = piece.from;
  T* const dest          = piece.dest;
  Size const n           = piece.n;
  Store const store      = possible(asked, dest);
  bool const has_prefix  = prefix_at != nullptr;
  bool any               = piece.continues;  // whether anything of the tile comes before
  Vector<T> const prefix = broadcast(has_prefix ? *prefix_at : static_cast<T>(single(from)));
  Vector<T> chain        = any ? broadcast(piece.aggregate) : prefix;      // the tile's scan up to here, in every lane
  Vector<T> last         = any && has_prefix ? op(prefix, chain) : chain;  // its last pair is the last result
  Piece<T, From> none{};
  Summing<Op, T, From, 1> next_sum(next ? *next : none);

  auto const scan_groups_at = [&](Size i, auto groups) __attribute__((always_inline)) {
    if (next) next_sum.add_groups();
    Values<T, From, groups> const values(from + i);
    T const first          = single(values.data());
    Pairs<T, groups> pairs = scan_pairs<groups>(values.data(), op);
    chain                  = combine_chain(any, chain, pairs, op);
    if (has_prefix)
      for_each<groups * half>([&](auto v) __attribute__((always_inline)) { pairs.at[v] = op(prefix, pairs.at[v]); });
    bool const is_alone = !any && !has_prefix;
    any                 = true;

    auto const write_all = [&](auto is_exclusive) __attribute__((always_inline)) {
      Vector<T> before = last;
      scan_groups(values.data(), pairs, last, op, [&](int index, Vector<T> result) __attribute__((always_inline)) {
        if (index == 0 && is_alone) result[0] = first;
        Vector<T> const inclusive = result;
        if (is_exclusive && index == 0) result = shuffle<T, up_behind_pairs<lanes<T>>>(before, inclusive);
        if (is_exclusive && index != 0) result = shuffle<T, up_by<lanes<T>, 1>>(before, inclusive);
        before = inclusive;
        if (store == Store::streaming)
          stream(dest + i + index, result);
        else
          save<T>(dest + i + index, result);
      });
    };
    if (exclusive)
      write_all(std::true_type{});
    else
      write_all(std::false_type{});
    last = pairs.at[groups * half - 1];
  };

  Size i = 0;
  if (asked == Store::cached) {  // a next aggregate goes on by single groups
    constexpr int groups = groups_at_once<T>;
    if constexpr (groups > 1)
      for (constexpr Size step = groups * group_length<T>; i + step <= n; i += step)
        scan_groups_at(i, std::integral_constant<int, groups>{});
  }
  Size const stretch = store == Store::streaming ? page_bytes / sizeof(T) : n;
  while (i + group_length<T> <= n) {
    // Where in memory the next page is, is found out before it is written: stores past the caches wait for that, and
    // all behind them too. To read is enough, and nothing need stay in a cache. No address is wrong for a prefetch.
    if (store == Store::streaming) __builtin_prefetch(dest + i + stretch, 0, 0);
    for (Size const end = n - i < stretch ? n : i + stretch; i + group_length<T> <= end; i += group_length<T>)
      scan_groups_at(i, std::integral_constant<int, 1>{});
  }
  piece.aggregate = chain[0];

  if (Size const count = n - i; count > 0) {
    Part<T> part(from + i, count);
    scan_part(part, any, chain, op);
    piece.aggregate = part.at[count - 1];
    if (has_prefix) combine_before<T>(prefix, part, op);
    if (T const before = last[lanes<T> - 2]; exclusive && (has_prefix || any))
      __builtin_memcpy(dest + i, &before, sizeof(T));
    __builtin_memcpy(dest + i + exclusive, part.at, (count - exclusive) * sizeof(T));
  }
  piece.through = has_prefix ? static_cast<T>(op(*prefix_at, piece.aggregate)) : piece.aggregate;
  if (next) next_sum.finish();
}

void copy_past_the_caches(std::byte* dest, std::byte const* from, Size bytes) {
  LeaveRegisters const at_the_end;
  Size const ahead = (vector_bytes - reinterpret_cast<Size>(dest) % vector_bytes) % vector_bytes;
  Size i           = ahead < bytes ? ahead : bytes;  // up to where a register begins
  __builtin_memcpy(dest, from, i);
  for (; i + vector_bytes <= bytes; i += vector_bytes)
    stream(reinterpret_cast<unsigned char*>(dest + i), load(reinterpret_cast<unsigned char const*>(from + i)));
  __builtin_memcpy(dest + i, from + i, bytes - i);
}

template <class Op, class T, class From>
constexpr auto scan() {
  if constexpr (by_plain_loop<Op, T>)
    return scan_by_plain_loop<Op, T, From>;
  else
    return scan_by_network<Op, T, From>;
}

template <class Table>
struct Compiled;
template <class... Op, class... T, class... From>
struct Compiled<Table<Entry<Op, T, From>...>> {
  static constexpr Table<Entry<Op, T, From>...> table{
      Entry<Op, T, From>{{scan<Op, T, From>(), reduce<Op, T, From>}}...};
};

}  // namespace

AllFunctions const& compiled_functions() {
  static constexpr AllFunctions all{Compiled<TileFunctions>::table, {copy_past_the_caches, finish_streaming}};
  return all;
}

}  // namespace KOKKOSSCAN_INSTRUCTION_SET
}  // namespace KokkosScan::host::simd
