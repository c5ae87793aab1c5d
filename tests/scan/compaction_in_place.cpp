// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "chosen.hpp"
#include "src/host/simd/instruction_set.hpp"
#include "support/spaces.hpp"
#include "support/thrown.hpp"

// Compaction in place on hosts, by one worker and by several: what stays is not written, what is lost stays where it
// was, and a predicate that throws leaves all as it was.
namespace test {
namespace {

namespace simd = KokkosScan::host::simd;
using KokkosScan::GridScan;
using KokkosScan::Options;
using KokkosScan::Total;

template <class Exec>
class InPlace : public testing::Test {
 protected:
  using View = Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

  /// Throws of one value.
  struct IsOdd {
    int refused = -1;
    bool operator()(int value) const {
      if (value == refused) throw std::domain_error("refused " + std::to_string(value));
      return value % 2 == 1;
    }
  };

  /// Every `distance`th of them, and all of those from `begin` to `end`, are odd.
  static std::vector<int> values(std::size_t n, std::size_t distance, std::size_t begin = 0, std::size_t end = 0) {
    std::vector<int> all(n);
    for (std::size_t i = 0; i < n; ++i)
      all[i] = static_cast<int>(2 * i + (i % distance == 0 || (begin <= i && i < end) ? 1 : 0));
    return all;
  }

  template <class Where>
  static void expect_right(Where const& where, std::vector<int> const& before, std::string const& what) {
    std::vector<int> found = before, kept = before, parted = before;
    View const view(found.data(), found.size());
    std::vector<int> evens;
    std::copy_if(before.begin(), before.end(), std::back_inserter(evens), [](int value) { return value % 2 == 0; });
    std::copy(evens.begin(), evens.end(), kept.begin());
    std::stable_partition(parted.begin(), parted.end(), IsOdd{});
    std::size_t count = 0;
    KokkosScan::remove_if(where, view, IsOdd{}, Total{count});
    EXPECT_EQ(count, evens.size()) << what;
    EXPECT_TRUE(found == kept) << what << ", remove_if";
    std::copy(before.begin(), before.end(), found.begin());
    KokkosScan::stable_partition(where, view, IsOdd{}, Total{count});
    EXPECT_EQ(count, before.size() - evens.size()) << what;
    EXPECT_TRUE(found == parted) << what << ", stable_partition";
  }
};
TYPED_TEST_SUITE(InPlace, HostSpaces::Types);

constexpr std::size_t lengths[] = {1, 1000, 1024, 65'535, 70'001, 200'000};

TYPED_TEST(InPlace, of_any_length_and_by_any_choice) {
  simd::InstructionSet const usual = simd::instruction_set();
  for (std::size_t const n : lengths)
    for (std::size_t const distance : {std::size_t{1}, std::size_t{2}, std::size_t{100}, std::size_t{1'000'000}})
      for (auto const& [begin, end] :
           {std::pair{n, n}, std::pair{std::size_t{0}, n / 2}, std::pair{n / 3, n / 3 * 2}}) {
        std::vector<int> const before = this->values(n, distance, begin, end);
        std::string const what        = std::to_string(n) + ", every " + std::to_string(distance) + "th, " +
                                 std::to_string(begin) + " to " + std::to_string(end);
        for (auto const set : simd::available_instruction_sets()) {
          simd::use(set);
          this->expect_right(TypeParam(), before, what + ", " + std::string(simd::to_string(set)));
        }
        simd::use(usual);
        this->expect_right(Handle(TypeParam(), Options{}), before, what + ", options");
        this->expect_right(Handle(TypeParam(), Options{.grid = GridScan::chained}), before, what + ", chained");
      }
}

TYPED_TEST(InPlace, leaves_all_as_it_was_where_the_predicate_throws) {
  for (std::size_t const n : lengths) {
    std::vector<int> const before = this->values(n, 3);
    std::vector<int> found        = before;
    typename TestFixture::View const view(found.data(), n);
    for (std::size_t const at : {std::size_t{0}, n / 2, n - 1}) {
      typename TestFixture::IsOdd const refuses{before[at]};
      std::string const message = "refused " + std::to_string(before[at]);
      int count                 = -5;
      EXPECT_EQ(thrown_by<std::domain_error>([&] { KokkosScan::remove_if(TypeParam(), view, refuses, Total{count}); }),
                message);
      EXPECT_EQ(
          thrown_by<std::domain_error>([&] { KokkosScan::stable_partition(TypeParam(), view, refuses, Total{count}); }),
          message);
      EXPECT_EQ(count, -5) << n;
      EXPECT_TRUE(found == before) << n << ", " << at;
    }
    this->expect_right(TypeParam(), before, "behind what threw");
  }
}

/// What is before the first that moves and behind the last one lies where nobody may write.
TYPED_TEST(InPlace, does_not_write_what_stays) {
  std::size_t const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), in_page = page / sizeof(int);
  for (std::size_t const pages : {std::size_t{3}, std::size_t{150}}) {
    std::size_t const n = pages * in_page;
    void* const memory  = ::mmap(nullptr, n * sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    typename TestFixture::View const view(static_cast<int*>(memory), n);
    auto const fill_and_protect = [&](std::vector<int> const& values, std::size_t first, std::size_t last) {
      ASSERT_EQ(::mprotect(memory, n * sizeof(int), PROT_READ | PROT_WRITE), 0);
      std::copy(values.begin(), values.end(), view.data());
      ASSERT_EQ(::mprotect(memory, first * page, PROT_READ), 0);
      ASSERT_EQ(::mprotect(static_cast<std::byte*>(memory) + last * page, (pages - last) * page, PROT_READ), 0);
    };
    std::vector<int> evens(n);
    for (std::size_t i = 0; i < n; ++i) evens[i] = static_cast<int>(2 * i);
    std::size_t count = 0;
    fill_and_protect(evens, pages, pages);
    KokkosScan::remove_if(TypeParam(), view, typename TestFixture::IsOdd{}, Total{count});
    EXPECT_EQ(count, n);
    KokkosScan::stable_partition(TypeParam(), view, typename TestFixture::IsOdd{}, Total{count});
    EXPECT_EQ(count, 0U);

    std::vector<int> some   = evens;
    std::size_t const first = pages / 3, last = pages / 3 * 2;
    some[first * in_page] += 1;
    fill_and_protect(some, first, pages);
    KokkosScan::remove_if(TypeParam(), view, typename TestFixture::IsOdd{}, Total{count});
    EXPECT_EQ(count, n - 1);
    EXPECT_EQ(view(first * in_page), some[first * in_page + 1]);

    std::fill(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(first * in_page), 1);  // then an even one
    some[first * in_page]    = 0;
    some[last * in_page - 1] = 3;
    fill_and_protect(some, first, last);
    KokkosScan::stable_partition(TypeParam(), view, typename TestFixture::IsOdd{}, Total{count});
    EXPECT_EQ(count, first * in_page + 1);
    EXPECT_EQ(view(first * in_page), 3);
    EXPECT_EQ(view(first * in_page + 1), 0);
    ::munmap(memory, n * sizeof(int));
  }
}

}  // namespace
}  // namespace test
