// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "model_backend.hpp"
#include "seeds.hpp"
#include "support/random.hpp"

// What is chosen where it is kept in registers and leaves by copies: elements of every size, at any address.
namespace test {
namespace {

using KokkosScan::GridScan;
using KokkosScan::Handle;
using KokkosScan::Options;
using KokkosScan::Total;
using Exec = Kokkos::DefaultHostExecutionSpace;

template <class Element>
using Array = Kokkos::View<Element*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

/// 12 and 16 bytes.
template <int words>
struct Several {
  std::uint32_t word[words];
  bool operator==(Several const&) const = default;
};
template <int words>
struct alignas(16) Aligned : Several<words> {};

template <class Element>
Element element_of(std::uint64_t bits) {
  Element element;
  for (std::size_t k = 0; k < sizeof(Element); ++k)
    reinterpret_cast<unsigned char*>(&element)[k] = static_cast<unsigned char>(bits >> (k % 8 * 8));
  return element;
}

/// Chooses by the lowest bits of an element.
struct LessThan {
  unsigned of_sixteen;
  template <class Element>
  bool operator()(Element const& element) const {
    return (*reinterpret_cast<unsigned char const*>(&element) & 15U) < of_sixteen;
  }
};

/// n elements that begin so many behind a multiple of 128 bytes, and what is around them.
template <class Element>
class Placed {
 public:
  Placed(std::size_t n, std::size_t offset, Element const& all)
      : memory_((n + 2 * margin) * sizeof(Element) + 128), n_(n), all_(all) {
    auto const address = reinterpret_cast<std::uintptr_t>(memory_.data()) + margin * sizeof(Element);
    begin_             = reinterpret_cast<Element*>((address + 127) / 128 * 128) + offset;
    for (std::size_t i = 0; i < n + 16; ++i) begin_[i] = all;
    for (std::size_t i = 1; i <= 16; ++i) begin_[-static_cast<std::ptrdiff_t>(i)] = all;
  }
  Array<Element> view() const { return Array<Element>(begin_, n_); }
  void expect(std::vector<Element> const& begin, std::string const& what) const {
    for (std::size_t i = 0; i < n_ + 16; ++i)
      ASSERT_TRUE(begin_[i] == (i < begin.size() && i < n_ ? begin[i] : all_)) << what << ": element " << i;
    for (std::size_t i = 1; i <= 16; ++i)
      ASSERT_TRUE(begin_[-static_cast<std::ptrdiff_t>(i)] == all_) << what << ": " << i << " before the first";
  }

 private:
  static constexpr std::size_t margin = 48;
  std::vector<unsigned char> memory_;
  Element* begin_;
  std::size_t n_;
  Element all_;
};

/// Elements in short runs, what is to be found of them, and where that goes.
template <class Element, class Flag>
class Case {
 public:
  using Where = Handle<Exec, ModelBackend, Options>;

  Case(std::size_t n, unsigned of_sixteen, std::size_t from_offset, std::size_t dest_offset, std::size_t room)
      : chooses_{of_sixteen},
        all_(element_of<Element>(0x9191919191919191U)),
        from_(n, from_offset, all_),
        flags_(n, from_offset, Flag{}),
        values_(n, dest_offset, 0),
        dest_offset_(dest_offset),
        room_(room) {
    Random random(n + of_sixteen);
    for (std::size_t i = 0; i < n; ++i) {
      bool const goes_on = i > 0 && random.below(3) == 0;
      from_.view()(i)    = goes_on ? from_.view()(i - 1) : element_of<Element>(random());
      Element const own  = from_.view()(i);
      bool const is      = chooses_(own);
      flags_.view()(i)   = static_cast<Flag>(is ? 3 : 0);
      values_.view()(i)  = static_cast<int>(random.below(1000));
      (is ? chosen_ : others_).push_back(own);
      if (i == 0 || !(own == from_.view()(i - 1))) {
        unique_.push_back(own);
        lengths_.push_back(0);
        sums_.push_back(0);
      }
      ++lengths_.back();
      sums_.back() += values_.view()(i);
    }
  }

  void expect_compaction(Where const& where) {
    expect(
        chosen_, [&](auto dest, auto count) { KokkosScan::copy_if(where, from_.view(), dest, chooses_, count); },
        "copy_if");
    expect(
        chosen_,
        [&](auto dest, auto count) { KokkosScan::copy_flagged(where, from_.view(), flags_.view(), dest, count); },
        "copy_flagged");
    expect(
        unique_, [&](auto dest, auto count) { KokkosScan::unique_copy(where, from_.view(), dest, count); },
        "unique_copy");
    Placed<Element> const rest(room_, dest_offset_ / 2, all_);
    expect(
        chosen_,
        [&](auto dest, auto count) {
          KokkosScan::partition_copy(where, from_.view(), dest, rest.view(), chooses_, count);
        },
        "partition_copy");
    rest.expect(others_, "the rest of partition_copy");
  }
  void expect_runs(Where const& where) {
    Placed<int> const lengths(room_, dest_offset_ / 2, -1);
    expect(
        unique_,
        [&](auto dest, auto count) { KokkosScan::run_length_encode(where, from_.view(), dest, lengths.view(), count); },
        "run_length_encode");
    lengths.expect(lengths_, "lengths");
    Placed<std::int64_t> const sums(room_, dest_offset_ / 2, -1);
    expect(
        unique_,
        [&](auto dest, auto count) {
          KokkosScan::reduce_by_key(where, from_.view(), values_.view(), dest, sums.view(), count);
        },
        "reduce_by_key");
    sums.expect(sums_, "sums");
  }

 private:
  template <class Call>
  void expect(std::vector<Element> const& results, Call const& call, char const* what) {
    Placed<Element> const dest(room_, dest_offset_, all_);
    std::int64_t count = -1;
    call(dest.view(), Total{count});
    EXPECT_EQ(static_cast<std::size_t>(count), results.size()) << what;
    dest.expect(results, what);
  }

  LessThan chooses_;
  Element all_;
  Placed<Element> from_;
  Placed<Flag> flags_;
  Placed<int> values_;
  std::size_t dest_offset_, room_;
  std::vector<Element> chosen_, others_, unique_;
  std::vector<int> lengths_;
  std::vector<std::int64_t> sums_;
};

template <class Element, class Flag = std::uint8_t>
void expect_anywhere(GridScan grid) {
  for_each_seed(seeds_of(2, 1), [&] {
    using S = KokkosScan::cuda::pipelined::Shape<Element>;
    Handle<Exec, ModelBackend, Options> const handle(Exec(), Options{.grid = grid});
    std::size_t turn = 0;
    for (std::size_t const n : {1, S::piece + 1, S::slice, S::tile - 1, 2 * S::tile + S::slice + 5, 4 * S::tile + 17})
      for (unsigned const of_sixteen : {8U, 16U, 0U, 1U}) {
        if (!is_made(++turn)) continue;
        std::size_t const from = turn * 5 % 16, dest = turn * 7 % 16, extent = static_cast<std::size_t>(n) + 1;
        SCOPED_TRACE(to_string(grid) + ", " + std::to_string(sizeof(Element)) + " bytes, n " + std::to_string(n) +
                     ", " + std::to_string(of_sixteen) + " of 16, from " + std::to_string(from) + ", dest " +
                     std::to_string(dest));
        Case<Element, Flag> tried(static_cast<std::size_t>(n), of_sixteen, from, dest,
                                  turn % 3 == 2 ? extent / 3 : extent);
        tried.expect_compaction(handle);
        if (of_sixteen == 8) tried.expect_runs(handle);
        if (testing::Test::HasFailure()) return;
      }
  });
}

/// Chooses each third element, but only when it is asked for the first time, as code may that rounds in each place in
/// another way.
struct OnlyAtFirst {
  std::vector<int>* calls;
  bool operator()(int element) const { return ++(*calls)[static_cast<std::size_t>(element)] == 1 && element % 3 == 0; }
};

TEST(Compaction, by_choices_that_are_made_once) {
  for_each_seed(2, [] {
    for (GridScan const grid : {GridScan::pipelined, GridScan::one_wave, GridScan::lookback}) {
      Handle<Exec, ModelBackend, Options> const handle(Exec(), Options{.grid = grid});
      for (int const n : {KokkosScan::cuda::pipelined::Shape<int>::tile + 77, 40'000}) {
        std::vector<int> calls(static_cast<std::size_t>(n));
        Kokkos::View<int*, Kokkos::HostSpace> const from("from", n), chosen("chosen", n), rest("rest", n);
        for (int i = 0; i < n; ++i) from(i) = i;
        int count = 0;
        KokkosScan::partition_copy(handle, from, chosen, rest, OnlyAtFirst{&calls}, Total{count});
        ASSERT_EQ(count, (n + 2) / 3) << to_string(grid);
        for (int i = 0; i < n; ++i)
          ASSERT_EQ(i % 3 == 0 ? chosen(i / 3) : rest(i - i / 3 - 1), i) << to_string(grid) << ", element " << i;
      }
    }
  });
}

/// Writes each index that is chosen to its place, and counts how often it is called.
struct WritesIndex {
  int *indices, *calls;
  void operator()(std::size_t i, std::size_t place) const {
    indices[place] = static_cast<int>(i);
    ++calls[i];
  }
};

/// The same in two halves, with `words` more words to each element.
template <int words>
struct LoadsIndex {
  struct Loaded {
    int index, more[words];
  };
  int const* numbers;
  Loaded operator()(std::size_t i) const {
    Loaded loaded{numbers[i], {}};
    for (int w = 0; w < words; ++w) loaded.more[w] = numbers[i] * (w + 2);
    return loaded;
  }
};
template <int words>
struct StoresIndex {
  int* indices;
  void operator()(std::size_t place, typename LoadsIndex<words>::Loaded const& loaded) const {
    indices[place] = loaded.index;
    for (int w = 0; w < words; ++w)
      if (loaded.more[w] != loaded.index * (w + 2)) indices[place] = -2;
  }
};
constexpr int marked_tile = KokkosScan::cuda::MarkedTile::length;

/// Loaded at once are eight elements of a thread, one of them, or some.
template <int words>
void expect_in_halves() {
  for_each_seed(2, [] {
    Handle<Exec, ModelBackend, Options> const handle(Exec(), Options{.grid = GridScan::lookback});
    for (int const n : {1, 33, marked_tile, 2 * marked_tile + 100})
      for (int const each : {1, 3, n, n + 1}) {
        std::vector<int> numbers(static_cast<std::size_t>(n)), indices(static_cast<std::size_t>(n) + 1, -1);
        std::iota(numbers.begin(), numbers.end(), 0);
        int count = -1;
        KokkosScan::select(
            handle, n, [=](std::size_t i) { return (i + 1) % static_cast<std::size_t>(each) == 0; },
            LoadsIndex<words>{numbers.data()}, StoresIndex<words>{indices.data()}, Total{count});
        ASSERT_EQ(count, n / each) << n << " elements, each " << each;
        for (int k = 0; k <= n; ++k)
          ASSERT_EQ(indices[static_cast<std::size_t>(k)], k < count ? (k + 1) * each - 1 : -1) << n << ", " << each;
      }
  });
}
TEST(Compaction, in_halves_of_8_bytes) { expect_in_halves<1>(); }
TEST(Compaction, in_halves_of_16_bytes) { expect_in_halves<3>(); }
TEST(Compaction, in_halves_of_40_bytes) { expect_in_halves<9>(); }

TEST(Compaction, by_index_in_tiles_of_marks) {
  for_each_seed(4, [] {
    Handle<Exec, ModelBackend, Options> const handle(Exec(), Options{.grid = GridScan::lookback});
    constexpr int tile = marked_tile;
    for (int const n : {1, 31, 33, 300, tile - 1, tile, tile + 1, 3 * tile + 100, 40 * tile + 7})
      for (int const each : {1, 2, 5, n, n + 1}) {
        std::vector<int> indices(static_cast<std::size_t>(n) + 1, -1), calls(static_cast<std::size_t>(n));
        int count = -1;
        KokkosScan::select(
            handle, n, [=](std::size_t i) { return (i + 1) % static_cast<std::size_t>(each) == 0; },
            WritesIndex{indices.data(), calls.data()}, Total{count});
        ASSERT_EQ(count, n / each) << n << " elements, each " << each;
        for (int k = 0; k <= n; ++k)
          ASSERT_EQ(indices[static_cast<std::size_t>(k)], k < count ? (k + 1) * each - 1 : -1) << n << ", " << each;
        for (int i = 0; i < n; ++i)
          ASSERT_EQ(calls[static_cast<std::size_t>(i)], (i + 1) % each == 0 ? 1 : 0)
              << "calls for " << i << " of " << n;
      }
  });
}

/// Slow builds take elements narrower than a word, and some that are no power of two.
template <class... Elements>
void expect_anywhere_all(GridScan grid) {
  (expect_anywhere<Elements>(grid), ...);
}

#if !KOKKOSSCAN_TEST_OTHER_TYPES
TEST(Compaction, by_copies) { expect_anywhere_all<std::int16_t, Several<3>>(GridScan::pipelined); }
TEST(Compaction, in_one_wave) { expect_anywhere_all<std::int8_t>(GridScan::one_wave); }
TEST(Compaction, by_look_back) { expect_anywhere_all<Several<3>>(GridScan::lookback); }
#else
TEST(Compaction, by_copies) {
  expect_anywhere_all<std::int8_t, Aligned<4>>(GridScan::pipelined);
  expect_anywhere<std::int32_t, std::int32_t>(GridScan::pipelined);
}
TEST(Compaction, in_one_wave) {
  expect_anywhere_all<Several<3>, Aligned<4>>(GridScan::one_wave);
  expect_anywhere<std::int32_t, std::int32_t>(GridScan::one_wave);
}
TEST(Compaction, by_look_back) { expect_anywhere_all<std::int8_t>(GridScan::lookback); }
#if KOKKOSSCAN_TEST_FIRST_TYPES
TEST(Compaction, by_copies_of_three) { expect_anywhere_all<Several<3>>(GridScan::pipelined); }
TEST(Compaction, of_bytes_in_one_wave) { expect_anywhere_all<std::int8_t>(GridScan::one_wave); }
TEST(Compaction, of_three_by_look_back) { expect_anywhere_all<Several<3>>(GridScan::lookback); }
TEST(Compaction, by_copies_of_half_words_and_of_two_words) {
  expect_anywhere<std::int16_t, std::int16_t>(GridScan::pipelined);
  expect_anywhere<std::int64_t, std::int32_t>(GridScan::pipelined);
}
TEST(Compaction, of_two_words_in_one_wave) { expect_anywhere<std::int64_t, std::int32_t>(GridScan::one_wave); }
#endif
#endif

}  // namespace
}  // namespace test
