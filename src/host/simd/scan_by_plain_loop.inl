// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The scan of a piece of integers by a plain loop, a group at a time where it goes past the caches.
namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET {
namespace {

/// Where integers are faster by a plain loop than by the network: its vectors have too few lanes, or the instruction
/// set too few operators (docs/decisions/host-kernels.md).
template <class Op, class T>
constexpr bool by_plain_loop =
    std::is_integral_v<T> &&
    (sizeof(T) == 8 ? vector_bytes < 64 : lanes<T> == 4 && !detail::orders<Op> && !std::is_same_v<Op, Product>);

/// Goes on with a chain of operations from where `from` and `dest` stand. Returns where it ends.
template <bool exclusive, class T, class From, class Op>
[[gnu::noinline]] T scan_chain(T chain, From const* from, T* dest, Size count, Op op) {
  auto const step = [&](Size i) __attribute__((always_inline)) {
    T const before = chain;
    chain          = static_cast<T>(op(chain, static_cast<T>(load_one(from + i))));
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
  bool const backwards   = piece.dest_backwards;
  Store const how        = possible(asked, backwards ? dest + n : dest);
  Piece<T, From> none{};
  Reduction<Op, T, From, 1> next_reduction(next ? *next : none);

  T chain = piece.through;
  Size i  = 0;
  if (!piece.continues && prefix) chain = *prefix;
  if (!piece.continues && !prefix) {
    chain = static_cast<T>(load_one(place(from, piece.from_backwards, n, 0, 1)));
    if (!exclusive) __builtin_memcpy(place(dest, backwards, n, 0, 1), &chain, sizeof(T));
    i = 1;
  }
  for (Size end; i < n; i = end) {
    Size const group   = i / group_length<T> * group_length<T>;
    bool const is_full = i == group && group + group_length<T> <= n;
    end                = n - group < group_length<T> ? n : group + group_length<T>;
    if (next) next_reduction.add_groups();
    From const* in = from + i;
    From turned[group_length<T>];
    if (piece.from_backwards) {
      turn(from + (n - end), turned, end - i);
      in = turned;
    }
    auto const scan_to = [&](T* to) __attribute__((always_inline)) {
      chain = exclusive ? scan_chain<true>(chain, in, to, end - i, op) : scan_chain<false>(chain, in, to, end - i, op);
    };
    alignas(vector_bytes) T results[group_length<T>];
    if (backwards) {
      scan_to(results);
      turn(results, dest + (n - end), end - i, is_full ? how : Store::cached);
    } else if (how == Store::streaming && is_full) {
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
  if (next) next_reduction.finish();
}

}  // namespace
}  // namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET
