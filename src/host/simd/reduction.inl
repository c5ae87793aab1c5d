// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The aggregate of a piece without its scan, by the operations of the network and no others, or of integers in any
// order.
namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET {
namespace {

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
  [[gnu::always_inline]] void add(Piece<T, From> const& piece, Size index, Size done, Op op) {
    T aggregates[groups];
    Inputs<T, From, groups> const inputs(piece.from, piece.from_backwards, piece.n, index * group_length<T>);
    reduce_groups(Values<T, From, groups>(inputs).data(), aggregates, op);
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
  [[gnu::always_inline]] void add(Piece<T, From> const& piece, Size index, Size done, Op op) {
    Vector<T> const reduced = reduce_straight<groups * vectors, T>(piece.from + index * group_length<T>, op);
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
class Reduction {
 public:
  explicit Reduction(Piece<T, From>& piece)
      : piece_(piece), all_(piece.n / group_length<T>), aggregate_(piece, window) {}

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
    aggregate_.finish(done_, op_);
    piece_.aggregate = aggregate_.aggregate();
    if (Size const done = all_ * group_length<T>, count = piece_.n - done; count > 0) {
      Part<T> part(piece_.from, !std::is_integral_v<T> && piece_.from_backwards, piece_.n, done);
      scan_part(part, aggregate_.any(), broadcast(piece_.aggregate), op_);
      piece_.aggregate = part.at[count - 1];
    }
  }

 private:
  static constexpr Size page   = page_bytes / group_bytes;
  static constexpr Size window = pages_in_turns * page;
  static_assert(page % groups == 0);

  template <int count>
  [[gnu::always_inline]] void add(Size index) {
    if (piece_.dest != nullptr) {  // no address is wrong for a prefetch
      T* const dest =
          place(piece_.dest, piece_.dest_backwards, piece_.n, index * group_length<T>, count * group_length<T>);
      for (Size byte = 0; byte < count * group_bytes; byte += 64)
        __builtin_prefetch(reinterpret_cast<std::byte*>(dest) + byte, 1, 2);
    } else {
      prefetch_input(count);
    }
    aggregate_.template add<count>(piece_, index, done_, op_);
    done_ += count;
  }

  void prefetch_input(Size count) {
    Ahead& input = piece_.ahead;
    input.due += count * input.bytes_a_group;
    for (; input.asked < input.due && input.asked < input.bytes; input.asked += 64) {
      Size const turn =
          piece_.in_turns ? in_turns(input.asked, input.bytes, page_bytes, groups * group_bytes) : input.asked;
      __builtin_prefetch(input.backwards ? input.first + input.bytes - 64 - turn : input.first + turn, 0, 2);
    }
  }

  Piece<T, From>& piece_;
  Size const all_;  // groups, whole ones
  Size done_ = 0;   // of them
  Operation<Op> op_;
  std::conditional_t<std::is_integral_v<T>, InAnyOrder<T, Operation<Op>>, InOrder<T, Operation<Op>>> aggregate_;
};

template <class Op, class T, class From>
void reduce(Piece<T, From>& piece) {
  LeaveRegisters const at_the_end;
  Reduction<Op, T, From, (lanes<T> < 4 ? lanes<T> : 4)>(piece).finish();
}

}  // namespace
}  // namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET
