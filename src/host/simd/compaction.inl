// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compaction: of elements that lie side by side, or of their indices, those whose bit is set, one behind the other. An
// instruction set that moves the chosen lanes of a vector to its begin (can_compress) stores whole vectors, of which
// the next ones overwrite what is behind the chosen lanes; where this would reach past the end, no more than they.
namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET {
namespace {

constexpr Bits all_bits = ~Bits{0};

/// Elements as they lie.
template <class T>
struct Elements {
  T const* from;

  [[gnu::always_inline]] T one(Size i) const {
    T element;
    __builtin_memcpy(&element, from + i, sizeof(T));
    return element;
  }
  [[gnu::always_inline]] Vector<T> some(Size i) const { return load(from + i); }
};
/// What would lie there if each element were its own index, less a fixed one.
template <class T>
struct Indices {
  T first;

  [[gnu::always_inline]] T one(Size i) const { return static_cast<T>(first + static_cast<T>(i)); }
  [[gnu::always_inline]] Vector<T> some(Size i) const { return counted(one(i), Lanes<T>{}); }

 private:
  template <int... lane>
  [[gnu::always_inline]] static Vector<T> counted(T begin, std::integer_sequence<int, lane...>) {
    return broadcast(begin) + Vector<T>{static_cast<T>(lane)...};
  }
};

/// Stores a vector's worth, and says where the next one goes. The lowest bits are those of the vector.
template <class T, class From>
[[gnu::always_inline]] inline T* copy_chosen_of_vector(From const& from, Size i, Bits bits, T* to) {
  bits &= all_bits >> (elements_a_word - lanes<T>);
  store<T>(to, compressed(from.some(i), bits));
  return to + count_of(bits);
}

/// The same of a word, for all of which there is room.
template <class T, class From>
[[gnu::always_inline]] inline T* copy_chosen_of_word(From const& from, Size i, Bits word, T* to) {
  if (word == all_bits) {
    for_each<elements_a_word / lanes<T>>(
        [&](auto v) __attribute__((always_inline)) { store<T>(to + v * lanes<T>, from.some(i + v * lanes<T>)); });
    return to + elements_a_word;
  }
  if constexpr (can_compress) {
    for_each<elements_a_word / lanes<T>>([&](auto v) __attribute__((always_inline)) {
      to = copy_chosen_of_vector(from, i + v * lanes<T>, word >> (v * lanes<T>), to);
    });
  } else {
    for (Size k = 0; k < elements_a_word; ++k) {
      T const element = from.one(i + k);
      __builtin_memcpy(to, &element, sizeof(T));
      to += word >> k & 1;
    }
  }
  return to;
}

template <class T, class From>
void copy_chosen(From const& from, Chosen const& chosen, T* to) {
  LeaveRegisters const at_the_end;
  T* const end          = to + chosen.count;
  auto const has_room   = [&](int count) { return end - to >= count; };  // and so many elements are left, then
  constexpr Size sparse = 12;                                            // so few are taken one by one
  for (Size i = 0; to != end; i += elements_a_word) {
    Bits bits = chosen.marks[i / elements_a_word] ^ chosen.inverted;
    if (has_room(elements_a_word) && (can_compress || count_of(bits) > sparse)) {
      to = copy_chosen_of_word(from, i, bits, to);
      continue;
    }
    if constexpr (can_compress)
      for (int k = 0; k < elements_a_word && has_room(lanes<T>); k += lanes<T>) {
        to   = copy_chosen_of_vector(from, i + static_cast<Size>(k), bits >> k, to);
        bits = k + lanes<T> < elements_a_word ? bits & all_bits << (k + lanes<T>) : 0;
      }
    for (; bits != 0 && to != end; bits &= bits - 1) {
      T const element = from.one(i + static_cast<Size>(__builtin_ctzll(bits)));
      __builtin_memcpy(to++, &element, sizeof(T));
    }
  }
}

template <class T>
void copy_elements(T const* from, Chosen const& chosen, T* to) {
  copy_chosen(Elements<T>{from}, chosen, to);
}
template <class T>
void write_indices(T first, Chosen const& chosen, T* to) {
  copy_chosen(Indices<T>{first}, chosen, to);
}

/// to[i] = from[i] - from[i - 1], which the first has, too.
template <class T>
void write_differences(T const* from, Size n, T* to) {
  LeaveRegisters const at_the_end;
  Size i = 0;
  for (; i + lanes<T> <= n; i += lanes<T>) store<T>(to + i, load(from + i) - load(from + i - 1));
  for (; i < n; ++i) {
    T const difference = static_cast<T>(from[i] - from[i - 1]);
    __builtin_memcpy(to + i, &difference, sizeof(T));
  }
}

/// Bytes of 0 and 1 as bits, whole words of them. Returns how many are 1.
Size mark_bytes(unsigned char const* bytes, Size words, Bits* marks) {
  LeaveRegisters const at_the_end;
  Size count = 0;
  for (Size w = 0; w < words; ++w, bytes += elements_a_word) {
    Bits word = 0;
    for_each<elements_a_word / vector_bytes>([&](auto v) __attribute__((always_inline)) {
      word |= ones(load(bytes + v * vector_bytes)) << (v * vector_bytes);
    });
    marks[w] = word;
    count += count_of(word);
  }
  return count;
}
Size count_marks(Bits const* marks, Size words) {
  Size count = 0;
  for (Size w = 0; w < words; ++w) count += count_of(marks[w]);
  return count;
}

}  // namespace
}  // namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET
