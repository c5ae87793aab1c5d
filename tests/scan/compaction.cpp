// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <type_traits>

#include "chosen.hpp"

// What is chosen, in which order, how many there are, and what is left alone.
namespace test {
namespace {

using KokkosScan::Length;
using KokkosScan::Total;

template <class Setup>
class Compaction : public testing::Test {};
using CompactionSetups = Setups<Spaces, std::int8_t, double, Record>::Types;
TYPED_TEST_SUITE(Compaction, CompactionSetups);

/// Writes an index to its position, and counts how often it is called.
template <class Indices>
struct Out {
  Indices indices, calls;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t position) const {
    indices(position) = static_cast<int>(i);
    Kokkos::atomic_inc(&calls(i));
  }
};

/// The same in two halves, with an element beside its index.
template <class View, class Indices>
struct LoadBoth {
  struct Both {
    typename View::non_const_value_type value;
    int index;
  };
  View from;
  Indices calls;
  KOKKOS_FUNCTION Both operator()(std::size_t i) const {
    Kokkos::atomic_inc(&calls(i));
    return {from(i), static_cast<int>(i)};
  }
};
template <class View, class Indices>
struct StoreBoth {
  View dest;
  Indices indices;
  KOKKOS_FUNCTION void operator()(std::size_t position, typename LoadBoth<View, Indices>::Both const& both) const {
    dest(position)    = both.value;
    indices(position) = both.index;
  }
};

/// Each call on the first n elements of an array of n + 1, whose last one stays.
template <class Setup>
class Calls {
  using Value = typename Setup::Value;
  using View  = typename Setup::View;
  using Space = typename Setup::Exec::memory_space;
  using Flags = Kokkos::View<std::uint8_t*, Space>;
  using Ints  = Kokkos::View<int*, Space>;

 public:
  Calls(std::size_t n, unsigned percent)
      : n_(n),
        picks_{percent},
        values_(make_runs<Value>(n + 1, n + percent)),
        last_(values_.back()),
        from_(to_view<View>(values_)),
        dest_(to_view<View>(values_)),
        rest_(to_view<View>(values_)),
        indices_("indices", n + 1),
        calls_("calls", n + 1),
        flags_("flags", n) {
    std::vector<std::uint8_t> flags(n);
    for (std::size_t i = 0; i < n; ++i) {
      bool const chosen = picks_(values_[i]);
      flags[i]          = chosen ? static_cast<std::uint8_t>(1 + i % 3) : std::uint8_t{0};
      (chosen ? chosen_ : others_).push_back(values_[i]);
      if (chosen) places_.push_back(static_cast<int>(i));
      if (i == 0 || !(values_[i] == values_[i - 1])) unique_.push_back(values_[i]);
    }
    flags_ = to_view<Flags>(flags);
  }

  template <class Where>
  void expect_select(Where const& where, std::string const& what) {
    Kokkos::View<int, Space> const count("count");
    Kokkos::deep_copy(indices_, -1);
    Kokkos::deep_copy(calls_, 0);
    KokkosScan::select(where, n_, Picked<View>{picks_, from_}, Out<Ints>{indices_, calls_}, Total{count});
    expect_count(count, places_.size(), what + ", select");
    expect_begin(places_, indices_, -1, what + ", select");
    std::vector<int> calls(n_ + 1);
    for (int const i : places_) calls[static_cast<std::size_t>(i)] = 1;
    expect_same(calls, to_vector(calls_, 0), what + ", calls of select");

    Kokkos::deep_copy(indices_, -1);
    Kokkos::deep_copy(calls_, 0);
    KokkosScan::select(where, n_, Picked<View>{picks_, from_}, LoadBoth<View, Ints>{from_, calls_},
                       StoreBoth<View, Ints>{dest_, indices_}, Total{count});
    expect_count(count, places_.size(), what + ", select in halves");
    expect_begin(places_, indices_, -1, what + ", select in halves");
    expect_begin(chosen_, dest_, last_, what + ", select in halves");
    expect_same(calls, to_vector(calls_, 0), what + ", loads of select");
    reset();
  }

  template <class Where>
  void expect_all(Where const& where, std::string const& what) {
    View const from = Kokkos::subview(from_, std::pair<std::size_t, std::size_t>(0, n_));
    Kokkos::View<std::int64_t, Space> const count("count");
    auto const expect = [&](std::vector<Value> const& values, View const& view, char const* call) {
      expect_count(count, values.size(), what + ", " + call);
      expect_begin(values, view, last_, what + ", " + call);
      reset();
    };
    KokkosScan::copy_if(where, from, dest_, picks_, Total{count});
    expect(chosen_, dest_, "copy_if");
    KokkosScan::copy_flagged("label", where, from, flags_, dest_, Total{count});
    expect(chosen_, dest_, "copy_flagged");
    KokkosScan::unique_copy(where, from, dest_, Total{count});
    expect(unique_, dest_, "unique_copy");
    KokkosScan::partition_copy(where, from, dest_, rest_, picks_, Total{count});
    expect_begin(others_, rest_, last_, what + ", the rest of partition_copy");
    expect(chosen_, dest_, "partition_copy");
    std::size_t kept = 0;
    KokkosScan::remove_if(where, from, picks_, Total{kept});
    EXPECT_EQ(kept, others_.size()) << what << ", remove_if";
    auto removed = values_;
    std::copy(others_.begin(), others_.end(), removed.begin());
    expect_same(removed, to_vector(from_, last_), what + ", remove_if");
    reset();
    KokkosScan::stable_partition(where, from, picks_, Total{count});
    auto all = chosen_;
    all.insert(all.end(), others_.begin(), others_.end());
    expect_count(count, chosen_.size(), what + ", stable_partition");
    expect_begin(all, from_, last_, what + ", stable_partition");
    Kokkos::deep_copy(indices_, -1);
    KokkosScan::where(where, flags_, indices_, Total{count});
    expect_begin(places_, indices_, -1, what + ", where of flags");
    expect_count(count, places_.size(), what + ", where of flags");
    reset();
    Kokkos::deep_copy(indices_, -1);
    KokkosScan::where(where, n_, Picked<View>{picks_, from_}, indices_, Total{count});
    expect_begin(places_, indices_, -1, what + ", where by index");
    expect_count(count, places_.size(), what + ", where by index");
  }

 private:
  template <class Count>
  static void expect_count(Kokkos::View<Count, Space> const& view, std::size_t expected, std::string const& what) {
    Count found = -1;
    Kokkos::deep_copy(found, view);
    EXPECT_EQ(static_cast<std::size_t>(found), expected) << what;
    Kokkos::deep_copy(view, Count{-1});
  }
  /// What is behind these values is as it was.
  template <class T, class Results>
  void expect_begin(std::vector<T> const& values, Results const& view, T const& untouched, std::string const& what) {
    auto found = to_vector(view, untouched);
    ASSERT_LE(values.size(), found.size()) << what;
    if constexpr (std::is_same_v<T, Value>)
      for (std::size_t i = values.size(); i < found.size(); ++i)
        ASSERT_TRUE(found[i] == values_[i]) << what << ": element " << i << " is not as it was";
    else
      for (std::size_t i = values.size(); i < found.size(); ++i) ASSERT_TRUE(found[i] == untouched) << what;
    found.resize(values.size(), untouched);
    expect_same(values, found, what);
  }
  void reset() {
    Kokkos::View<Value const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const values(values_.data(), n_ + 1);
    Kokkos::deep_copy(from_, values);
    Kokkos::deep_copy(dest_, values);
    Kokkos::deep_copy(rest_, values);
  }

  std::size_t n_;
  Picks picks_;
  std::vector<Value> values_;
  Value last_;
  View from_, dest_, rest_;
  Ints indices_, calls_;
  Flags flags_;
  std::vector<Value> chosen_, others_, unique_;
  std::vector<int> places_;
};

TYPED_TEST(Compaction, of_whatever_is_chosen) {
  std::size_t turn = 0;
  for_each_choice<TypeParam>([&](auto const& where, std::size_t n, std::string const& what) {
    ++turn;  // four percents, so of the next length the others
    for (unsigned const percent : {50U, 0U, 100U, 3U}) {
      if (n > 33 && turn++ % 2 == 1) continue;
      Calls<TypeParam> calls(n, percent);
      std::string const these = what + ", " + std::to_string(percent) + " %";
      calls.expect_select(where, these);
      if constexpr (!has_choices<std::remove_cvref_t<decltype(where)>>)  // they differ in the tiles alone
        calls.expect_all(where, these);
      if (this->HasFailure()) return;
    }
  });
}

/// By the default backend and Affine, on Views that are longer, shorter, strided or begin anywhere.
template <class Setup>
class Compact : public testing::Test {
 protected:
  using Exec  = typename Setup::Exec;
  using Space = typename Exec::memory_space;
  using View  = Kokkos::View<int*, Space>;
  using Where = Handle<Exec, typename Setup::Backend>;

  static constexpr std::size_t n = 10'000;

  Where const where{};
  Picks const picks{40};
  std::vector<int> const values = make_runs<int>(n, 7);
  View const from               = to_view<View>(values);
  std::vector<int> chosen, others;

  Compact() {
    for (int const value : values) (picks(value) ? chosen : others).push_back(value);
  }
};
using CompactSetups = Setups<Spaces, std::int8_t>::Types;
TYPED_TEST_SUITE(Compact, CompactSetups);

TYPED_TEST(Compact, nothing_is_written_past_the_end_of_what_is_too_short) {
  for (std::size_t const extent : {std::size_t{0}, std::size_t{1}, this->chosen.size() - 1, this->chosen.size()}) {
    typename TestFixture::View const dest("dest", extent + 1), rest("rest", extent + 1);
    Kokkos::deep_copy(dest, -7);
    Kokkos::deep_copy(rest, -7);
    auto const room   = std::pair<std::size_t, std::size_t>(0, extent);
    std::size_t count = 0;
    KokkosScan::partition_copy(this->where, this->from, Kokkos::subview(dest, room), Kokkos::subview(rest, room),
                               this->picks, Total{count});
    EXPECT_EQ(count, this->chosen.size());
    auto const expect = [&](std::vector<int> expected, auto const& view) {
      expected.resize(extent);
      expected.push_back(-7);
      expect_same(expected, to_vector(view, 0), "short");
    };
    expect(this->chosen, dest);
    expect(this->others, rest);
    count = 0;
    Kokkos::deep_copy(dest, -7);
    KokkosScan::copy_if(this->where, this->from, Kokkos::subview(dest, room), this->picks, Total{count});
    EXPECT_EQ(count, this->chosen.size());
    expect(this->chosen, dest);
  }
}

TYPED_TEST(Compact, of_strided_views_and_other_types) {
  using Layout  = Kokkos::LayoutRight;
  using Columns = Kokkos::View<int* [3], Layout, typename TestFixture::Space>;
  using Doubles = Kokkos::View<double* [2], Layout, typename TestFixture::Space>;
  Columns const columns("columns", this->n);
  Doubles const results("results", this->n);
  auto const column = Kokkos::subview(columns, Kokkos::ALL, 1);
  Kokkos::deep_copy(column, this->from);
  auto const dest = Kokkos::subview(results, Kokkos::ALL, 0);
  short count     = 0;
  KokkosScan::copy_if(this->where, column, dest, this->picks, Total{count});
  ASSERT_EQ(static_cast<std::size_t>(count), this->chosen.size());
  auto const side_by_side = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), results);
  for (std::size_t i = 0; i < this->chosen.size(); ++i) ASSERT_EQ(side_by_side(i, 0), this->chosen[i]) << i;
  for (std::size_t i = 0; i < this->n; ++i) ASSERT_EQ(side_by_side(i, 1), 0.) << i;
  KokkosScan::remove_if(this->where, column, this->picks, Total{count});
  ASSERT_EQ(static_cast<std::size_t>(count), this->others.size());
  auto const kept = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), columns);
  for (std::size_t i = 0; i < this->n; ++i) {
    ASSERT_TRUE(i >= this->others.size() || kept(i, 1) == this->others[i]) << i;
    ASSERT_EQ(kept(i, 0), 0) << i;
    ASSERT_EQ(kept(i, 2), 0) << i;
  }
}

/// The count of one call is the length of the next, in one and the same View, and nobody waits in between.
TYPED_TEST(Compact, a_count_is_the_next_length) {
  using Space = typename TestFixture::Space;
  for (int const first : {10'000, 20'000, 77, 1, 0, -1}) {
    std::size_t const n                   = static_cast<std::size_t>(std::max(0, std::min(first, 10'000)));
    typename TestFixture::View const view = to_view<typename TestFixture::View>(this->values), dest("dest", this->n);
    Kokkos::View<int, Space> const count("count");
    Kokkos::deep_copy(count, first);
    Picks const thirds{66}, halves{50}, most{90};
    KokkosScan::remove_if(this->where, view, this->picks, Total{count}, Length{count});
    KokkosScan::stable_partition(this->where, view, thirds, Total{count}, Length{count});
    KokkosScan::copy_if(this->where, view, dest, halves, Length{count}, Total{count});
    KokkosScan::select(this->where, Length{count, static_cast<int>(this->n)}, Picked<decltype(dest)>{most, dest},
                       Move<decltype(view)>{dest, view}, Total{count});
    std::vector<int> expected;
    for (std::size_t i = 0; i < n; ++i) {
      int const value = this->values[i];
      if (!this->picks(value) && thirds(value) && halves(value) && most(value)) expected.push_back(value);
    }
    int found = -2;
    Kokkos::deep_copy(found, count);
    ASSERT_EQ(static_cast<std::size_t>(found), expected.size()) << first;
    auto results = to_vector(view, 0);
    results.resize(expected.size());
    expect_same(expected, results, "from " + std::to_string(first));
  }
}

TYPED_TEST(Compact, count_then_fill_takes_slots_in_order) {
  using Space = typename TestFixture::Space;
  using Longs = Kokkos::View<std::int64_t*, Space>;
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{9'999}}) {
    Longs const begins("begins", n);
    std::int64_t total = -1;
    KokkosScan::count_then_fill(this->where, n, SlotsOf{}, Fill<Longs>{begins}, Total{total});
    std::vector<std::int64_t> expected(n);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      expected[i] = sum;
      sum += SlotsOf{}(i);
    }
    EXPECT_EQ(total, sum);
    expect_same(expected, to_vector(begins, std::int64_t{}), "begins");
    KokkosScan::count_then_fill(this->where, n, SlotsOf{}, Fill<Longs>{begins}, KokkosScan::As<std::int64_t>{});
    expect_same(expected, to_vector(begins, std::int64_t{}), "begins without a total");
    KokkosScan::count_then_fill(this->where, n, IsThird{}, Fill<Longs>{begins});  // bool is counted as a number
    for (std::size_t i = 0; i < n; ++i) expected[i] = static_cast<std::int64_t>((i + 2) / 3);
    expect_same(expected, to_vector(begins, std::int64_t{}), "slots or none");
  }
}

TYPED_TEST(Compact, what_is_wrong_is_refused_in_words) {
  typename TestFixture::View const dest("dest", this->n);
  Kokkos::View<std::uint8_t*, typename TestFixture::Space> const flags("flags", 5);
  std::int8_t few = 0;
  int count       = 0;
  auto const half = Kokkos::subview(this->from, std::pair<int, int>(0, 5'000));
  EXPECT_EQ(
      message_of([&] { KokkosScan::copy_if(this->where, this->from, dest, this->picks, Total{few}); }),
      "KokkosScan::copy_if: there are up to 10000 elements, and the type of the count, Total{x}, holds at most 127");
  EXPECT_NE(message_of([&] {
              KokkosScan::copy_if(this->where, this->from, half, this->picks, Total{count});
            }).find("overlap"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              KokkosScan::partition_copy(this->where, this->from, dest, dest, this->picks, Total{count});
            }).find("overlap"),
            std::string::npos);
  EXPECT_NE(
      message_of([&] { KokkosScan::copy_flagged(this->where, this->from, flags, dest, Total{count}); }).find("flags"),
      std::string::npos);
  EXPECT_NE(message_of([&] { KokkosScan::where(this->where, -1, this->picks, dest, Total{count}); }).find("negative"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              KokkosScan::remove_if(this->where, this->from, this->picks, Total{Kokkos::subview(this->from, 3)});
            }).find("overlap"),
            std::string::npos);
  EXPECT_EQ(count, 0);
  expect_same(this->values, to_vector(this->from, 0), "from");
}

}  // namespace
}  // namespace test
