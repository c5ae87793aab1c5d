// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "problems.hpp"
#include "support/interval.hpp"

// Lengths that stand in a View: what is scanned, what is left alone, and what the total is.
namespace test {
namespace {

using KokkosScan::Length;
using KokkosScan::Reversed;
using KokkosScan::Sum;
using KokkosScan::Total;

struct Same {
  template <class Value>
  KOKKOS_FUNCTION Value operator()(Value const& value) const {
    return value;
  }
};
template <class View>
struct Read {
  View from;
  KOKKOS_FUNCTION auto operator()(std::size_t i) const { return from(i); }
};
template <class View>
struct Write {
  View dest;
  KOKKOS_FUNCTION void operator()(std::size_t i, typename View::value_type const& result) const {
    ::new (static_cast<void*>(&dest(i))) typename View::value_type(result);
  }
};

/// What a scan of the first n makes of an array that holds its own inputs: the others are as they were. It leaves in
/// `running` what the total is. Where keys differ, runs begin.
template <class Value>
std::vector<Value> expected_of(std::vector<Value> const& from, std::size_t n, std::optional<Value> const& init,
                               bool exclusive, bool reversed, std::optional<Value>& running,
                               std::vector<int> const& keys = {}) {
  std::vector<Value> results(from);
  running = init;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t const i = reversed ? n - 1 - k : k;
    if (!keys.empty() && k > 0 && keys[i] != keys[reversed ? i + 1 : i - 1]) running = init;
    Value const through = running ? OperatorOf<Value>{}(*running, from[i]) : from[i];
    ::new (static_cast<void*>(&results[i])) Value(exclusive ? *running : through);
    running.emplace(through);
  }
  return results;
}

/// An array, and the forms in which up to so many of it can be scanned.
template <class Setup>
class Array {
  using Value  = typename Setup::Value;
  using View   = typename Setup::View;
  using Space  = typename Setup::Exec::memory_space;
  using Op     = OperatorOf<Value>;
  using Length = KokkosScan::Length<Kokkos::View<int, Space>>;

 public:
  explicit Array(std::size_t extent)
      : values_(make_values<Op, Value>(extent + 1, extent)),
        init_(values_.back()),
        keys_(extent),
        from_(values_.begin(), values_.end() - 1),
        data_(to_view<View>(from_)),
        dest_(to_view<View>(from_)) {
    for (std::size_t i = 0; i < extent; ++i) keys_[i] = static_cast<int>(i / 700);
    on_ = to_view<Kokkos::View<int*, Space>>(keys_);
  }

  template <class Where>
  void expect(Where const& where, int length, std::string const& what) {
    Kokkos::deep_copy(length_, length);
    n_    = std::min(static_cast<std::size_t>(std::max(length, 0)), from_.size());
    what_ = what + ", " + std::to_string(length) + " of " + std::to_string(from_.size());
    Length const count(length_);
    KokkosScan::exclusive_scan(where, data_, dest_, Reversed{}, init_, Op{}, Total{total_}, count);
    expect_results(init_, true, true, "exclusive, reversed");
    // Choices differ in the tiles alone; and in whose aggregates stay where they are while what is scanned moves.
    if constexpr (!has_choices<Where>) expect_other_forms(where, count);
  }

 private:
  template <class Where>
  void expect_other_forms(Where const& where, Length const& count) {
    KokkosScan::exclusive_scan(where, data_, dest_, count, init_, Op{}, Total{total_});
    expect_results(init_, true, false, "exclusive");
    KokkosScan::inclusive_scan(where, dest_, dest_, Op{}, init_, Total{total_}, count);
    expect_results(init_, false, false, "inclusive, in place");
    KokkosScan::transform_inclusive_scan(where, data_, dest_, Op{}, Same{}, init_, Reversed{}, Total{total_}, count);
    expect_results(init_, false, true, "inclusive, reversed");
    KokkosScan::inclusive_scan_by_key(where, on_, data_, dest_, count, Op{});
    expect_results({}, false, false, "inclusive, by key", true);
    KokkosScan::exclusive_scan_by_key(where, on_, data_, dest_, init_, Op{}, count, Reversed{});
    expect_results(init_, true, true, "exclusive, by key, reversed", true);
    KokkosScan::Length const most(length_, static_cast<int>(from_.size()));
    Read<View> const in{data_};
    Write<View> const out{dest_};
    KokkosScan::inclusive_scan(where, most, in, out, Op{}, init_, Total{total_});
    expect_results(init_, false, false, "inclusive, by index");
    KokkosScan::exclusive_scan("label", where, most, in, out, init_, Op{}, Reversed{}, Total{total_});
    expect_results(init_, true, true, "exclusive, by index, reversed");
  }

  void expect_results(std::optional<Value> const& init, bool exclusive, bool reversed, char const* form,
                      bool by_key = false) {
    std::optional<Value> through;
    auto const expected =
        expected_of(from_, n_, init, exclusive, reversed, through, by_key ? keys_ : std::vector<int>());
    expect_same(expected, to_vector(dest_, init_), what_ + ", " + form);
    Value found(init_);
    Kokkos::deep_copy(Kokkos::View<Value, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&found), total_);
    EXPECT_TRUE(!through || by_key || found == *through) << what_ << ", " << form << ": the total is wrong";
    Kokkos::deep_copy(dest_, data_);
    if (from_.size() > 0) Kokkos::deep_copy(total_, Kokkos::subview(data_, 0));
  }

  std::vector<Value> values_;
  Value init_;
  std::vector<int> keys_;
  std::vector<Value> from_;
  View data_, dest_;
  Kokkos::View<int*, Space> on_;
  Kokkos::View<int, Space> length_{"length"};
  Kokkos::View<Value, Space> total_{Kokkos::view_alloc("total", Kokkos::WithoutInitializing)};
  std::size_t n_ = 0;
  std::string what_;
};

template <class Setup>
class Lengths : public testing::Test {};
using LengthsSetups = Setups<Spaces, std::int8_t, float, Record>::Types;
TYPED_TEST_SUITE(Lengths, LengthsSetups);

/// Long and short ones by turns, on one Handle: what one scan leaves there, the next one finds.
TYPED_TEST(Lengths, as_many_as_there_are) {
  for_each_handle<TypeParam>([&](auto const& where, std::size_t tile, std::string const& what) {
    for (std::size_t const extent : {std::size_t{0}, std::size_t{1}, tile, 3 * tile + tile / 3}) {
      Array<TypeParam> array(extent);
      int const all = static_cast<int>(extent), one = static_cast<int>(tile);
      std::vector<int> lengths{all, 0, all + 7, 1};
      if (extent > 1) lengths.insert(lengths.end(), {all - 1, 33, all, -3});
      if (extent > tile) lengths.insert(lengths.end(), {one - 1, 2 * one + 1, one, 2 * one, one + 1});
      for (int const length : lengths) {
        array.expect(where, length, what);
        if (testing::Test::HasFailure()) return;
      }
    }
  });
}

/// Where tiles are small, so many that their aggregates are scanned tile by tile, too, or would be.
TYPED_TEST(Lengths, of_many_tiles) {
  if constexpr (std::is_same_v<typename TypeParam::Value, Affine>) {
    using Exec       = typename TypeParam::Exec;
    using Backend    = typename TypeParam::Backend;
    std::size_t call = 0;
    for (GridScan const grid : Backend::grids) {
      Handle<Exec, Backend, Options> const handle(Exec(), Options{.grid = grid});
      std::size_t const tile = Backend::template tile_length<Affine>(handle.options());
      bool const by_levels   = grid == GridScan::hierarchical && tile <= 1024;
      std::size_t const n    = by_levels ? tile * tile + tile + 17 : 40 * tile + 17;
      if (!takes<Backend, Affine>(grid, n)) continue;
      Array<TypeParam> array(n);
      for (std::size_t const length : {n / 2 + 1, n - 1, tile})
        if (is_made(call++)) array.expect(handle, static_cast<int>(length), to_string(grid));
      if (this->HasFailure()) return;
    }
  }
}

/// The operator is handed nothing but inputs, init and what was made of them: nothing of what is behind the end, be it
/// an input or the aggregate of a tile that there is not.
TYPED_TEST(Lengths, nothing_else_is_combined) {
  if constexpr (std::is_same_v<typename TypeParam::Value, Affine>) {
    using Exec    = typename TypeParam::Exec;
    using Backend = typename TypeParam::Backend;
    using Space   = typename Exec::memory_space;
    using View    = Kokkos::View<Interval*, Space>;
    for (GridScan const grid : Backend::grids) {
      Handle<Exec, Backend, Options> const handle(Exec(), Options{.grid = grid});
      std::size_t const tile = Backend::template tile_length<Interval>(handle.options()), extent = 4 * tile + 3;
      Neighbours<Space> const neighbours;
      Kokkos::View<std::size_t, Space> const length("length");
      Kokkos::View<Interval, Space> const total("total");
      View const dest("dest", extent);
      for (std::size_t const n : {2 * tile + 1, tile, std::size_t{0}, 3 * tile}) {
        auto values = neighbours.values(n);
        values.resize(extent, Interval{});
        View const from = to_view<View>(values);
        Kokkos::deep_copy(length, n);
        KokkosScan::exclusive_scan(handle, from, dest, neighbours.init(), neighbours.op(), Length{length},
                                   Total{total});
        Interval found{};
        Kokkos::deep_copy(found, total);
        EXPECT_EQ(found.last, n) << to_string(grid);
      }
      SCOPED_TRACE(to_string(grid));
      neighbours.expect_no_mistakes();
    }
  }
}

/// The last digits are those of a scan of that many elements, if the plan is the same: that of a named grid is, but for
/// one wave, whose tiles depend on the bound.
TYPED_TEST(Lengths, the_same_bits) {
  if constexpr (std::is_same_v<typename TypeParam::Value, float>) {
    using Exec    = typename TypeParam::Exec;
    using Backend = typename TypeParam::Backend;
    using View    = typename TypeParam::View;
    for (Options const& options : all_choices<Backend, float>()) {
      if (options.grid == GridScan::automatic || options.grid == GridScan::one_wave) continue;
      Handle<Exec, Backend, Options> const handle(Exec(), options);
      std::size_t const tile = Backend::template tile_length<float>(options), extent = 3 * tile + 17;
      View const from = to_view<View>(make_values<Sum, float>(extent, 5));
      View const dest("dest", extent), expected("expected", extent);
      Kokkos::View<std::uint16_t, typename Exec::memory_space> const length("length");
      for (std::size_t const n : {tile - 1, 2 * tile + 3}) {
        if (n > std::numeric_limits<std::uint16_t>::max()) continue;
        Kokkos::deep_copy(length, static_cast<std::uint16_t>(n));
        Kokkos::deep_copy(expected, 0.F);
        Kokkos::deep_copy(dest, 0.F);
        KokkosScan::inclusive_scan(handle, Kokkos::subview(from, std::pair(std::size_t{0}, n)), expected);
        KokkosScan::inclusive_scan(handle, from, dest, Length{length});
        expect_same(to_vector(expected, 0.F), to_vector(dest, 0.F),
                    to_string(options.grid) + ", " + to_string(options.block) + ", " + std::to_string(n));
      }
    }
  }
}

/// A total is the length of the next scan, and the total of that goes where its own length is; nobody waits.
TYPED_TEST(Lengths, totals_are_lengths) {
  if constexpr (std::is_same_v<typename TypeParam::Value, Affine>) {
    using Exec        = typename TypeParam::Exec;
    using Backend     = typename TypeParam::Backend;
    using View        = Kokkos::View<std::int64_t*, typename Exec::memory_space>;
    auto const expect = [&]<class Where>(Where const& where, std::size_t tile, std::string const& what) {
      std::size_t const extent = 2 * tile + 100;
      auto last                = static_cast<std::int64_t>(tile + 7);
      View const from("from", extent), dest("dest", extent);
      Kokkos::deep_copy(from, 1);
      Kokkos::View<std::int64_t, typename Exec::memory_space> const length("length");
      Kokkos::deep_copy(length, static_cast<std::int64_t>(tile));
      KokkosScan::exclusive_scan(where, from, dest, 7, Length{length}, Total{length});
      if constexpr (!has_choices<Where>) {  // they differ in the tiles alone
        KokkosScan::exclusive_scan(where, from, dest, length, Length{length}, Total{length});
        last *= 2;
      }
      KokkosScan::exclusive_scan(where, from, dest, 1, Length{length});
      std::int64_t found = 0;
      Kokkos::deep_copy(found, length);
      EXPECT_EQ(found, last) << what;
      auto const results = to_vector(dest, std::int64_t{});
      for (std::size_t i = 0; i < extent; ++i) {
        auto const behind = static_cast<std::int64_t>(i) + 1;
        ASSERT_EQ(results[i], behind <= last ? behind : 0) << what << ", element " << i;
      }
    };
    expect(Handle<Exec, Backend>(), Backend::template tile_length<std::int64_t>(KokkosScan::core::Automatic{}), "");
    for (Options const& options : all_choices<Backend, std::int64_t>())
      expect(Handle<Exec, Backend, Options>(Exec(), options), Backend::template tile_length<std::int64_t>(options),
             to_string(options.grid));
  }
}

/// The total of nothing without an init.
TYPED_TEST(Lengths, the_total_of_nothing) {
  if constexpr (std::is_same_v<typename TypeParam::Value, float>) {
    using Exec = typename TypeParam::Exec;
    typename TypeParam::View const from("from", 5000), dest("dest", 5000);
    Kokkos::View<std::uint8_t, typename Exec::memory_space> const length("length");
    float total = 3.F;
    KokkosScan::inclusive_scan(Handle<Exec, typename TypeParam::Backend>(), from, dest, KokkosScan::Product{},
                               Length{length}, Total{total});
    EXPECT_EQ(total, 1.F);
  }
}

#if !KOKKOSSCAN_TEST_ON_MODEL
using Exec    = Kokkos::DefaultExecutionSpace;
using Numbers = Kokkos::View<int*, Exec>;

template <class Integer>
int scanned(Integer length) {
  Numbers const from("from", 10), dest("dest", 12);
  Kokkos::deep_copy(from, 1);
  Kokkos::View<Integer, Exec> const count("count");
  Kokkos::deep_copy(count, length);
  Kokkos::View<Integer const, Exec> const constant(count);
  KokkosScan::inclusive_scan(Exec(), from, dest, Length{constant});
  auto const results = to_vector(dest, 0);
  return static_cast<int>(std::count_if(results.begin(), results.end(), [](int value) { return value != 0; }));
}

TEST(LengthsOfViews, of_every_type_of_integer) {
  EXPECT_EQ(scanned<std::int8_t>(3), 3);
  EXPECT_EQ(scanned<std::int8_t>(-1), 0);
  EXPECT_EQ(scanned<std::uint16_t>(65535), 10);
  EXPECT_EQ(scanned<std::int64_t>(std::numeric_limits<std::int64_t>::min()), 0);
  EXPECT_EQ(scanned<std::uint64_t>(std::numeric_limits<std::uint64_t>::max()), 10);
  EXPECT_EQ(scanned<std::size_t>(9), 9);
}

TEST(LengthsOfViews, an_upper_bound_of_ones_own) {
  Numbers const from("from", 10), dest("dest", 6);
  Kokkos::deep_copy(from, 1);
  Kokkos::View<int, Exec> const count("count");
  Kokkos::deep_copy(count, 8);
  KokkosScan::inclusive_scan(Exec(), from, dest, Length{count, 5});
  expect_same({1, 2, 3, 4, 5, 0}, to_vector(dest, 0), "dest");
  KokkosScan::inclusive_scan(Exec(), from, from, Length{count, 9L}, Reversed{});
  expect_same({8, 7, 6, 5, 4, 3, 2, 1, 1, 1}, to_vector(from, 0), "in place");
}

TEST(LengthsOfViews, wrong_calls_name_what_is_wrong) {
  Numbers const from("from", 10), dest("dest", 10), few("few", 5);
  auto const count   = Kokkos::subview(dest, 3);
  auto const in_dest = message_of([&] { KokkosScan::inclusive_scan(Exec(), from, dest, Length{count}); });
  EXPECT_NE(in_dest.find("dest and the length"), std::string::npos) << in_dest;
  auto const by_key = message_of([&] { KokkosScan::inclusive_scan_by_key(Exec(), from, from, dest, Length{count}); });
  EXPECT_NE(by_key.find("dest and the length"), std::string::npos) << by_key;
  auto const too_short = message_of([&] { KokkosScan::inclusive_scan(Exec(), from, few, Length{count}); });
  EXPECT_NE(too_short.find("dest"), std::string::npos) << too_short;
  auto const negative = message_of([&] { KokkosScan::inclusive_scan(Exec(), from, few, Length{count, -2}); });
  EXPECT_NE(negative.find("the upper bound of the length is -2"), std::string::npos) << negative;
}
#endif

}  // namespace
}  // namespace test
