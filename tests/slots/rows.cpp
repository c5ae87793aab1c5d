// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/rows.hpp>
#include <cstdint>
#include <numeric>

#include "scan/problems.hpp"
#include "support/thrown.hpp"

// Items of ragged rows beside a loop over rows: rows of every kind, on each space by its own backend and by teams.
namespace test {
namespace {

using KokkosScan::for_each_slot;
using KokkosScan::owners;

/// Lengths of rows.
std::vector<std::size_t> make_lengths(std::string const& kind, std::size_t rows, std::size_t items) {
  Random random(rows + items);
  std::vector<std::size_t> lengths(rows);
  if (kind == "even")
    for (auto& length : lengths) length = items / rows;
  else if (kind == "one has all")
    lengths[rows / 3] = items;
  else if (kind == "the last has all")
    lengths[rows - 1] = items;
  else if (kind == "mostly empty")
    for (std::size_t k = 0; k < 5; ++k) lengths[random.below(rows)] += items / 5;
  else if (kind == "random")
    for (std::size_t k = 0; k < items; ++k) ++lengths[random.below(rows)];
  else  // a power law
    for (auto& length : lengths)
      length = static_cast<std::size_t>(static_cast<double>(items) / static_cast<double>(rows) / 8 /
                                        (random.fraction() + 1e-3));
  return lengths;
}
std::string const kinds[] = {"even", "one has all", "the last has all", "mostly empty", "random", "a power law"};

template <class Integer>
std::vector<Integer> offsets_of(std::vector<std::size_t> const& lengths, std::size_t first) {
  std::vector<Integer> offsets{static_cast<Integer>(first)};
  for (std::size_t const length : lengths) offsets.push_back(static_cast<Integer>(first += length));
  return offsets;
}
template <class Owner, class Integer>
std::vector<Owner> expected_owners(std::vector<Integer> const& offsets, std::size_t extent, Owner other) {
  std::vector<Owner> owner(extent, other);
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
    for (auto j = static_cast<std::size_t>(offsets[r]); j < std::min(extent, static_cast<std::size_t>(offsets[r + 1]));
         ++j)
      owner[j] = static_cast<Owner>(r);
  return owner;
}

/// Counts how often each item comes, and in which rows.
template <class Space>
struct Count {
  Kokkos::View<int*, Space> times;
  Kokkos::View<std::int64_t*, Space> rows;

  KOKKOS_FUNCTION void operator()(std::size_t row, std::size_t item) const {
    Kokkos::atomic_add(&times(item), 1);
    rows(item) = static_cast<std::int64_t>(row);
  }
};

/// Where an offset of rows or items stands in a View.
template <class Space, class Integer, class Where>
void expect_rows(Where const& where, std::vector<std::size_t> const& lengths, std::size_t first,
                 std::string const& what) {
  auto const offsets  = offsets_of<Integer>(lengths, first);
  auto const on       = to_view<Kokkos::View<Integer*, Space>>(offsets);
  std::size_t const n = static_cast<std::size_t>(offsets.back()) + 5;
  auto const expected = expected_owners<std::int64_t>(offsets, n, -1);
  Kokkos::View<std::int64_t*, Space> const owner("owner", n);
  Kokkos::deep_copy(owner, -1);
  owners(where, on, owner);
  expect_same(expected, to_vector(owner, std::int64_t{}), what + ", owners");
  Count<Space> const count{Kokkos::View<int*, Space>("times", n), Kokkos::View<std::int64_t*, Space>("rows", n)};
  Kokkos::deep_copy(count.rows, -1);
  for_each_slot("label", where, on, count);
  expect_same(expected, to_vector(count.rows, std::int64_t{}), what + ", rows");
  std::vector<int> once(n, 0);
  for (std::size_t j = 0; j < n; ++j) once[j] = expected[j] >= 0 ? 1 : 0;
  expect_same(once, to_vector(count.times, 0), what + ", times");
}

template <class Space, class Where>
void expect_all_rows(Where const& where, std::string const& name) {
  for (std::size_t const rows : std::vector<std::size_t>{1, 2, 3, 255, 256, 257, 2'048, 4'100, 30'011})
    for (std::size_t const items : std::vector<std::size_t>{0, 1, 7, 4'095, 8'192, 50'021})
      for (std::string const& kind : kinds) {
        std::size_t const first = (rows + items) % 3 == 0 ? 11 : 0;
        std::string const what  = name + ", " + std::to_string(rows) + " rows, " + std::to_string(items) + " items, " +
                                 kind + ", from " + std::to_string(first);
        auto const lengths = make_lengths(kind, rows, items);
        if (rows % 2 == 0)
          expect_rows<Space, std::int32_t>(where, lengths, first, what);
        else
          expect_rows<Space, std::uint64_t>(where, lengths, first, what);
        if (testing::Test::HasFailure()) return;
      }
}

TEST(Rows, of_every_kind_on_every_space) {
  Spaces::for_each([]<class Exec>() {
    using Space = typename Exec::memory_space;
    expect_all_rows<Space>(Exec(), Exec::name());
    expect_all_rows<Space>(Handle<Exec>(), std::string("a Handle of ") + Exec::name());
    expect_all_rows<Space>(Handle<Exec, KokkosScan::portable::Backend>(), std::string("by teams on ") + Exec::name());
  });
}

TEST(Rows, by_teams_of_several_threads) {
  using Exec         = Kokkos::DefaultExecutionSpace;
  using Space        = Exec::memory_space;
  constexpr bool own = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
  for (int const size : {1, 2, own ? Exec().concurrency() : 64}) {
    if (own && size > Exec().concurrency()) continue;
    for (std::string const& kind : kinds) {
      auto const offsets  = offsets_of<std::int64_t>(make_lengths(kind, 9'001, 70'003), 3);
      auto const on       = to_view<Kokkos::View<std::int64_t*, Space>>(offsets);
      std::size_t const n = static_cast<std::size_t>(offsets.back()) + 1;
      Kokkos::View<int*, Space> const owner("owner", n);
      Kokkos::deep_copy(owner, -1);
      KokkosScan::core::Contiguous<std::int64_t const> const elements{on.data()};
      using Places = KokkosScan::core::Contiguous<int>;
      KokkosScan::portable::rows::for_each_by_teams<KokkosScan::portable::rows::any_size>(
          Exec(), "rows", KokkosScan::core::Rows<KokkosScan::core::Contiguous<std::int64_t const>>{elements, 9'001},
          KokkosScan::core::PutOwner<Places>{Places{owner.data()}}, size);
      Kokkos::fence();
      expect_same(expected_owners<int>(offsets, n, -1), to_vector(owner, 0),
                  kind + ", teams of " + std::to_string(size));
    }
  }
}

TEST(Rows, none_and_an_owner_that_is_short_or_lies_in_strides) {
  using Exec  = Kokkos::DefaultExecutionSpace;
  using Space = Exec::memory_space;
  Kokkos::View<int*, Space> const owner("owner", 7);
  Kokkos::deep_copy(owner, -1);
  owners(Exec(), Kokkos::View<int*, Space>("offsets", 0), owner);
  owners(Exec(), Kokkos::View<int*, Space>("offsets", 1), owner);
  expect_same(std::vector<int>(7, -1), to_vector(owner, 0), "no rows");
  auto const offsets = to_view<Kokkos::View<int*, Space>>(std::vector<int>{2, 2, 4, 9, 12});
  owners(Exec(), offsets, owner);
  expect_same({-1, -1, 1, 1, 2, 2, 2}, to_vector(owner, 0), "an owner that is short");
  Kokkos::View<int**, Kokkos::LayoutRight, Space> const table("table", 20, 2), pairs("pairs", 5, 3);
  Kokkos::deep_copy(table, -1);
  Kokkos::deep_copy(Kokkos::subview(pairs, Kokkos::ALL, 2), offsets);
  owners(Exec(), Kokkos::subview(pairs, Kokkos::ALL, 2), Kokkos::subview(table, Kokkos::ALL, 1));
  auto const found    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), table);
  auto const expected = expected_owners<int>(std::vector<int>{2, 2, 4, 9, 12}, 20, -1);
  for (std::size_t j = 0; j < 20; ++j) {
    EXPECT_EQ(expected[j], found(j, 1)) << j;
    EXPECT_EQ(-1, found(j, 0)) << j;
  }
}

/// Nothing outside is written, no row is named that is none, whatever offsets are; on request it is said.
TEST(Rows, offsets_that_descend) {
  using Exec  = Kokkos::DefaultExecutionSpace;
  using Space = Exec::memory_space;
  Random random(7);
  for (int turn = 0; turn < 50; ++turn) {
    std::vector<int> values(1 + random.below(9'000));
    for (int& value : values) value = static_cast<int>(random.between(-50, 20'000));
    int const rows     = static_cast<int>(values.size()) - 1;
    auto const offsets = to_view<Kokkos::View<int*, Space>>(values);
    Kokkos::View<int*, Space> const all("all", 30'000), owner = Kokkos::subview(all, std::pair(5'000, 20'000));
    Kokkos::deep_copy(all, -1);
    auto const expect = [&](char const* what) {
      auto const found = to_vector(all, 0);
      for (std::size_t j = 0; j < found.size(); ++j) {
        ASSERT_LT(found[j], std::max(rows, 1)) << what;
        if (j < 5'000 || j >= 20'000) {
          ASSERT_EQ(-1, found[j]) << what;
        }
      }
    };
    owners(Exec(), offsets, owner);
    expect("own");
    owners(Handle<Exec, KokkosScan::portable::Backend>(), offsets, owner);
    expect("by teams");
  }
  auto const wrong = to_view<Kokkos::View<int*, Space>>(std::vector<int>{0, 4, 3, 9});
  Kokkos::View<int*, Space> const owner("owner", 9);
  KokkosScan::Options options;
  options.check = true;
  Handle<Exec, KokkosScan::driver::Backend<Exec>, KokkosScan::Options> const checks(Exec(), options);
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] { owners(checks, wrong, owner); }), {"row 1 is from 4 to 3"}));
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] { for_each_slot(checks, wrong, Count<Space>{}); }),
                   {"KokkosScan::for_each_slot", "row 1 is from 4 to 3"}));
}

TEST(Rows, wrong_calls_name_what_is_wrong) {
  using Exec  = Kokkos::DefaultExecutionSpace;
  using Space = Exec::memory_space;
  Kokkos::View<int*, Space> const offsets("offsets", 302);
  Kokkos::View<std::int8_t*, Space> const narrow("narrow", 10);
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] { owners(Exec(), offsets, narrow); }),
                   {"KokkosScan::owners", "301 rows", "127"}));
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>(
                       [&] { owners("mine", Exec(), offsets, Kokkos::subview(offsets, std::pair(5, 30))); }),
                   {"mine", "offsets", "owner", "overlap"}));
}

}  // namespace
}  // namespace test
