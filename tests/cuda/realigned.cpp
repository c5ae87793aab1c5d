// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_native/realigned.hpp"

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "scans.hpp"
#include "seeds.hpp"
#include "src/core/by_key.hpp"

// Elements narrower than a word, in arrays that begin at any byte: what one wave and the pipeline load and store by
// units all the same.
namespace test {
namespace {

using namespace KokkosScan;
using core::Kind;

// ---- units

template <int size>
struct alignas(size) Bytes {
  unsigned char byte[size];
};

/// Bytes that are all different, from an address with that alignment on.
struct alignas(16) Room {
  std::array<unsigned char, 64> byte;
  Room() { std::iota(byte.begin(), byte.end(), static_cast<unsigned char>(1)); }
};

template <int size>
void expect_shifts() {
  using Unit = Bytes<size>;
  Room const room;
  constexpr int units = 4;
  for (int shift = 0; shift < size; ++shift) {
    cuda::UnitWords<Unit> row[units];
    std::memcpy(row, room.byte.data(), sizeof(row));
    auto const pair = cuda::between(row[1], row[2], shift).unit();
    cuda::with_whole_words<Unit>(shift, [&](auto whole) { cuda::shift_down<whole.value>(row, shift); });
    EXPECT_EQ(std::memcmp(&pair, &room.byte[size + shift], size), 0) << "two units, shift " << shift;
    EXPECT_EQ(std::memcmp(row, &room.byte[shift], (units - 1) * size), 0) << "a row of units, shift " << shift;
  }
}

/// At both ends of an array that is anywhere in or around a unit, no byte of others is read or written.
template <int size>
void expect_ends() {
  using Unit = Bytes<size>;
  Room const before;
  for (int begin = 0; begin <= 3 * size; ++begin)
    for (int end = begin; end <= 3 * size; ++end) {
      Room room;
      unsigned char* const unit = &room.byte[size];
      model::Guarded const below(&room, static_cast<std::size_t>(begin)),
          above(&room.byte[static_cast<std::size_t>(end)], room.byte.size() - static_cast<std::size_t>(end));
      auto const loaded = cuda::load_within<Unit>(unit, &room.byte[0] + begin, &room.byte[0] + end).unit();
      ASSERT_FALSE(below.has_been_touched() || above.has_been_touched()) << begin << " to " << end;
      for (int b = 0; b < size; ++b) {
        bool const inside = size + b >= begin && size + b < end;
        ASSERT_EQ(loaded.byte[b], inside ? unit[b] : 0) << "byte " << b << " of " << begin << " to " << end;
      }
    }
  for (int cut = 1; cut < size; ++cut)
    for (bool const is_end : {false, true}) {
      Room room;
      cuda::UnitWords<Unit> words;
      std::memset(&words, 0xee, sizeof(words));
      int const begin = is_end ? 0 : cut, end = is_end ? cut : size;
      cuda::store_bytes(&room.byte[size], words, begin, end);
      for (int b = 0; b < 64; ++b) {
        bool const inside = b >= size + begin && b < size + end;
        auto const i      = static_cast<std::size_t>(b);
        ASSERT_EQ(room.byte[i], inside ? 0xee : before.byte[i]) << "byte " << b << " of " << begin << " to " << end;
      }
    }
}

TEST(Realigned, units_of_4_bytes) { expect_shifts<4>(), expect_ends<4>(); }
TEST(Realigned, units_of_8_bytes) { expect_shifts<8>(), expect_ends<8>(); }
TEST(Realigned, units_of_16_bytes) { expect_shifts<16>(), expect_ends<16>(); }

// ---- scans

/// From an array into an array.
template <class Value_, class Input_, class Stored_, class Op, bool backward = false>
struct Scan {
  using Value  = Value_;
  using Input  = Input_;
  using Stored = Stored_;
  template <class Element>
  using Array = std::conditional_t<backward, core::Backward<Element>, core::Contiguous<Element>>;
  template <Kind kind>
  using Problem = core::ArrayScan<kind, Value, Array<Input const>, Array<Stored>, Op>;
};

/// Any numbers.
template <class Element>
std::vector<Element> any_elements(std::size_t n, std::uint32_t salt) {
  std::vector<Element> elements(n);
  for (std::size_t i = 0; i < n; ++i) {
    auto const bits = (i + 7 * salt) * 2654435761U >> 5;
    std::memcpy(static_cast<void*>(&elements[i]), &bits, sizeof(Element));
  }
  return elements;
}

/// Whether a scan of n elements is right, and leaves alone what stands beside its arrays. An exclusive one has an init.
template <Kind kind, class Value, class Input, class Stored, class Op, bool backward, class Run>
bool is_right(Scan<Value, Input, Stored, Op, backward>, std::size_t n, std::uint32_t salt, Offsets const& offsets,
              Run const& run) {
  auto const inputs = any_elements<Input>(n, salt);
  std::vector<Stored> expected(n);
  Value running{};
  bool any = kind == Kind::exclusive;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t const i = backward ? n - 1 - k : k;
    auto const own      = static_cast<Value>(inputs[i]);
    auto const through  = any ? static_cast<Value>(Op{}(running, own)) : own;
    expected[i]         = static_cast<Stored>(kind == Kind::exclusive ? running : through);
    running             = through;
    any                 = true;
  }
  Displaced<Input> const from(inputs, offsets.from);
  Displaced<Stored> const apart(std::vector<Stored>(n), offsets.dest);
  Stored* dest = apart.data();
  if constexpr (std::is_same_v<Input, Stored>)
    if (offsets.in_place) dest = from.data();
  std::size_t const first = backward ? n - 1 : 0;
  Value total{};
  using Init = core::Maybe<Value>;
  typename Scan<Value, Input, Stored, Op, backward>::template Problem<kind> const problem{
      {{from.data() + first}, {}}, {{dest + first}}, n, {}, kind == Kind::exclusive ? Init(Value{}) : Init(), &total};
  run(problem);
  return total == running && std::equal(expected.begin(), expected.end(), dest) && from.has_been_left_alone_outside() &&
         apart.has_been_left_alone_outside();
}

/// Sums by key: two arrays, of which the keys begin at a third byte.
template <class Key, class T>
struct ByKey {
  using Value  = core::Keyed<T>;
  using Input  = T;
  using Stored = T;
  template <Kind>
  using Problem = core::Problem<
      Value,
      core::FromKeyedArray<T, core::Contiguous<Key const>, core::Contiguous<T const>, Sum, core::EqualTo, core::NoInit>,
      core::WithinRuns<T, Sum>, core::ToArrayByKey<T, core::Contiguous<T>>, core::NoInit>;
};

template <Kind kind, class Key, class T, class Run>
bool is_right(ByKey<Key, T>, std::size_t n, std::uint32_t salt, Offsets const& offsets, Run const& run) {
  auto const inputs = any_elements<T>(n, salt);
  std::vector<Key> keys(n);
  std::vector<T> expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i]     = static_cast<Key>(i * i / 64 + salt);
    expected[i] = i > 0 && keys[i] == keys[i - 1] ? static_cast<T>(expected[i - 1] + inputs[i]) : inputs[i];
  }
  Displaced<Key> const ids(keys, (offsets.from + 3 * offsets.dest + 11) % 128 / alignof(Key) * alignof(Key));
  Displaced<T> const from(inputs, offsets.from), apart(std::vector<T>(n), offsets.dest);
  T* const dest = offsets.in_place ? from.data() : apart.data();
  run(typename ByKey<Key, T>::template Problem<kind>{
      {{ids.data()}, {from.data()}, {}, {}, {}, {}}, {{dest}}, n, {}, {}, nullptr});
  return std::equal(expected.begin(), expected.end(), dest) && ids.has_been_left_alone_outside() &&
         from.has_been_left_alone_outside() && apart.has_been_left_alone_outside();
}

/// Memory for the states of scans, one after the other.
class States {
 public:
  explicit States(std::size_t tiles) : lines_(cuda::States::bytes(tiles) / sizeof(Line) + 1) {}
  cuda::States get() { return cuda::States::in(lines_.data(), lines_.size() * sizeof(Line)); }

 private:
  struct alignas(128) Line {
    unsigned char bytes[128] = {};
  };
  std::vector<Line> lines_;
};

/// Each offset of `from` with each of `dest`, as far as elements allow, each pair with another of the lengths; f(n,
/// offsets) says whether that is right.
template <class Scan, class F>
void for_all_offsets(std::vector<std::size_t> const& lengths, F const& f) {
  std::size_t call = 0;
  for (std::size_t from = 0; from < 16; from += alignof(typename Scan::Input))
    for (std::size_t dest = 0; dest < 16; dest += alignof(typename Scan::Stored)) {
      std::size_t const far = (from * 5 + dest * 3) % 8 * 16;  // from a multiple of 128
      Offsets offsets{far + from, 112 - far + dest, from == dest && far % 32 == 0};
      std::size_t const n = lengths[call % lengths.size()];
      if (!is_made(call++)) continue;
      ASSERT_TRUE(f(n, offsets)) << n << " elements, bytes " << offsets.from << " and " << offsets.dest
                                 << (offsets.in_place ? ", in place" : "");
    }
}

/// In one wave of blocks of two warps; what a block can take in one round by one that does so, too.
template <class Scan, Kind kind>
void expect_one_wave(std::uint64_t seeds) {
  using Value = typename Scan::Value;
  using Part  = cuda::one_wave::Part<typename Scan::template Problem<kind>, cuda::one_wave::Shape<Value>::rounds>;
  constexpr int rounds = cuda::one_wave::Shape<Value>::rounds, threads = 2 * cuda::warp_size;
  constexpr std::size_t part = Part::length, unit = part / rounds / cuda::warp_size, round = unit * threads;
  States states(8);
  std::uint32_t salt = 0;
  for_each_seed(seeds, [&] {
    for_all_offsets<Scan>({1, unit, round / 2, round - 1, round, part - 1, part, part + 1, 2 * part, 2 * part + unit,
                           3 * part, 4 * part + round, 5 * part + 33 * unit + 1},
                          [&](std::size_t n, Offsets const& offsets) {
                            for (int const r : {rounds, 1})
                              if (bool const right = (r == 1 && n > round) ||
                                                     is_right<kind>(Scan{}, n, ++salt, offsets,
                                                                    [&](auto const& problem) {
                                                                      cuda::one_wave::run(nullptr, problem,
                                                                                          states.get(), {threads, r});
                                                                    });
                                  !right)
                                return false;
                            return true;
                          });
  });
}

template <class Scan, Kind kind>
void expect_pipeline(std::uint64_t seeds) {
  using S = cuda::pipelined::Shape<typename Scan::Value>;
  States states(64);
  std::uint32_t salt = 0;
  for_each_seed(seeds, [&] {
    for_all_offsets<Scan>({1, S::unit + 1, S::piece, S::piece + 1, S::slice - 1, S::slice, S::slice + 1,
                           S::slice + 2 * S::piece, S::slice + 5 * S::piece - 1, 2 * S::slice - 3, S::tile},
                          [&](std::size_t n, Offsets const& offsets) {
                            return is_right<kind>(Scan{}, n, ++salt, offsets, [&](auto const& problem) {
                              cuda::pipelined::run(nullptr, problem, states.get(), cuda::current_device());
                            });
                          });
  });
}

/// By each with one kind of scan: how a tile is scanned has nothing to do with where its units begin.
template <class Scan>
void expect_scans() {
  expect_one_wave<Scan, Kind::inclusive>(1);
  expect_pipeline<Scan, Kind::exclusive>(1);
}
template <class Scan>
void expect_scans_of_other_kinds() {
  expect_one_wave<Scan, Kind::exclusive>(1);
  expect_pipeline<Scan, Kind::inclusive>(1);
}

using Pair  = AffineOf<std::uint8_t>;  // two bytes that may begin at any
using Byte  = std::uint8_t;
using Short = std::uint16_t;
using Word  = std::uint32_t;

TEST(Realigned, scans_of_bytes) {
  expect_scans<Scan<Nibbles, Nibbles, Nibbles, FollowedBy>>();
  expect_scans_of_other_kinds<Scan<Nibbles, Nibbles, Nibbles, FollowedBy>>();
}
TEST(Realigned, sums_of_bytes) { expect_scans_of_other_kinds<Scan<std::int8_t, std::int8_t, std::int8_t, Sum>>(); }
TEST(Realigned, scans_of_pairs_of_bytes) {
  expect_scans<Scan<Pair, Pair, Pair, FollowedBy>>();
  expect_scans_of_other_kinds<Scan<Pair, Pair, Pair, FollowedBy>>();
}
TEST(Realigned, sums_of_2_bytes) { expect_scans_of_other_kinds<Scan<Short, Short, Short, Sum>>(); }
TEST(Realigned, from_the_far_end) {
  expect_scans<Scan<Nibbles, Nibbles, Nibbles, FollowedBy, true>>();
  expect_scans<Scan<Pair, Pair, Pair, FollowedBy, true>>();
  expect_scans_of_other_kinds<Scan<Word, Byte, Byte, Sum, true>>();
}
TEST(Realigned, accumulated_in_wider_values) {
  expect_scans<Scan<Short, Byte, Short, Sum>>();  // in units of 8 bytes
  expect_scans_of_other_kinds<Scan<Word, Short, Word, Sum>>();
  expect_scans<Scan<Word, Byte, Word, Sum>>();  // of 4 bytes
  expect_scans_of_other_kinds<Scan<std::uint64_t, Short, std::uint64_t, Sum>>();
  expect_scans<Scan<std::uint64_t, Byte, std::uint64_t, Sum>>();  // of 2, which go one by one
}
TEST(Realigned, by_key) {
  expect_one_wave<ByKey<Byte, Byte>, Kind::inclusive>(1);
  expect_pipeline<ByKey<Byte, Byte>, Kind::inclusive>(1);
  expect_one_wave<ByKey<Word, Short>, Kind::inclusive>(1);
  expect_pipeline<ByKey<Short, Short>, Kind::inclusive>(1);
}
TEST(Realigned, stored_in_narrower_elements) {
  expect_scans<Scan<Short, Short, Byte, Sum>>();
  expect_scans_of_other_kinds<Scan<Word, Word, Byte, Sum>>();
  expect_scans<Scan<Word, Byte, Short, Sum>>();
}

}  // namespace
}  // namespace test
