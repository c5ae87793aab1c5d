// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <type_traits>

#include "chosen.hpp"

// What is chosen, in which order, how many there are, and what is left alone.
namespace test {
namespace {

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

}  // namespace
}  // namespace test
