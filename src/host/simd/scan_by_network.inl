// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The scan of a piece by the network: groups from left to right, and what is left of one.
namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET {
namespace {

/// In the caches; past them one after the other, since memory gains by few stores at a time: sums of 32 bits, 256 MiB,
/// with one, two and four groups 0.97, 0.89 and 0.55 of a copy on a Zen 4. With 32 registers two fit. Operations on
/// integers are so fast that four pay, though some wait in memory: one thread, 2^12 of 64 bits 76 GB/s and not 67, of
/// 32 bits 68 and not 60; of floats the same.
template <class T>
constexpr int groups_at_once = vector_bytes < 64       ? 1
                               : std::is_integral_v<T> ? 4
                                                       : 2;

template <class Op, class T, class From>
void scan_by_network(Piece<T, From>& piece, T const* prefix_at, Store asked, Piece<T, From>* next, bool exclusive) {
  LeaveRegisters const at_the_end;
  Operation<Op> const op;
  From const* const from    = piece.from;
  bool const from_backwards = piece.from_backwards;
  T* const dest             = piece.dest;
  Size const n              = piece.n;
  bool const backwards      = piece.dest_backwards;
  Store const how           = possible(asked, backwards ? dest + n : dest);
  bool const has_prefix     = prefix_at != nullptr;
  bool any                  = piece.continues;  // whether anything of the tile comes before
  Vector<T> const prefix    = broadcast(has_prefix ? *prefix_at : static_cast<T>(load_one(from)));
  Vector<T> chain           = any ? broadcast(piece.aggregate) : prefix;  // the tile's scan up to here, in every lane
  Vector<T> last            = any && has_prefix ? op(prefix, chain) : chain;  // its last pair is the last result
  bool const is_simple      = how == Store::cached && !backwards;
  Piece<T, From> none{};
  Reduction<Op, T, From, 1> next_reduction(next ? *next : none);

  auto const scan_groups_at = [&](Size i, auto groups) __attribute__((always_inline)) {
    if (next) next_reduction.add_groups();
    Inputs<T, From, groups> const inputs(from, from_backwards, n, i);
    Values<T, From, groups> const values(inputs);
    T const first          = load_one(values.data());
    Pairs<T, groups> pairs = scan_pairs<groups>(values.data(), op);
    chain                  = combine_chain(any, chain, pairs, op);
    if (has_prefix)
      for_each<groups * half>([&](auto v) __attribute__((always_inline)) { pairs.at[v] = op(prefix, pairs.at[v]); });
    bool const is_alone = !any && !has_prefix;
    any                 = true;
    T* const to         = place(dest, backwards, n, i, groups * group_length<T>);

    auto const write_all = [&](auto is_exclusive) __attribute__((always_inline)) {
      Vector<T> before = last;
      scan_groups(values.data(), pairs, last, op, [&](int index, Vector<T> result) __attribute__((always_inline)) {
        if (index == 0 && is_alone) result[0] = first;
        Vector<T> const inclusive = result;
        if (is_exclusive && index == 0) result = shuffle<T, up_behind_pairs<lanes<T>>>(before, inclusive);
        if (is_exclusive && index != 0) result = shuffle<T, one_up<lanes<T>>>(before, inclusive);
        before = inclusive;
        if (is_simple) return store<T>(to + index, result);
        T* at = to + index;
        if (backwards) {
          at     = to + (groups * group_length<T> - lanes<T> - static_cast<Size>(index));
          result = shuffle<T, from_the_end<lanes<T>>>(result);
        }
        if (how == Store::streaming)
          stream(at, result);
        else
          store<T>(at, result);
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
  Size const stretch = how == Store::streaming ? page_bytes / sizeof(T) : n;
  while (i + group_length<T> <= n) {
    // Where in memory the next page is, is found out before it is written: stores past the caches wait for that, and
    // all behind them too. To read is enough, and nothing need stay in a cache. No address is wrong for a prefetch.
    if (how == Store::streaming)
      __builtin_prefetch(backwards ? dest + (n - i) - stretch - 1 : dest + i + stretch, 0, 0);
    for (Size const end = n - i < stretch ? n : i + stretch; i + group_length<T> <= end; i += group_length<T>)
      scan_groups_at(i, std::integral_constant<int, 1>{});
  }
  piece.aggregate = chain[0];

  if (Size const count = n - i; count > 0) {
    Part<T> part(from, from_backwards, n, i);
    scan_part(part, any, chain, op);
    piece.aggregate = part.at[count - 1];
    if (has_prefix) combine_before<T>(prefix, part, op);
    bool const has_first = !exclusive || has_prefix || any;  // else the first element is left as it is
    T results[group_length<T> + 1];
    results[0] = last[lanes<T> - 2];
    __builtin_memcpy(results + 1, part.at, sizeof(part.at));
    T const* const begin = results + (exclusive ? !has_first : 1);
    if (Size const m = count - !has_first; backwards)
      turn(begin, dest, m);
    else
      __builtin_memcpy(dest + i + !has_first, begin, m * sizeof(T));
  }
  piece.through = has_prefix ? static_cast<T>(op(*prefix_at, piece.aggregate)) : piece.aggregate;
  if (next) next_reduction.finish();
}

}  // namespace
}  // namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET
