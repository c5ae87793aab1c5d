// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contraction.hpp"
#include "support/record_bits.hpp"

namespace contraction {

using Cases = testing::Types<Case<Kokkos::complex<float>, Product>, Case<Kokkos::complex<double>, Product>,
                             Case<Matrix<float>, Then>, Case<Matrix<double>, Then>, Case<Affine, Then>,
                             Case<double, LogSumExp>, Case<float, Compound>>;
TYPED_TEST_SUITE(Contraction, Cases);

TYPED_TEST(Contraction, does_not_depend_on_the_number_of_threads) {
  for (std::size_t const n : lengths()) {
    auto const from = this->values(n);
    typename TestFixture::View const dest("dest", n);
    auto const expected = this->scan(this->one_worker, from, dest);
    // Spaces whose threads are as many for all instances compare by these.
    test::record_bits(expected.data(), expected.size() * sizeof(expected[0]));
    this->for_each_instance(
        [&](auto const& exec, std::string const& what) { this->expect_same(exec, from, dest, expected, what); });
    this->expect_same(Exec(), from, from, expected, "in place");
    if (this->HasFailure()) return;
  }
}

/// Columns of the same values go several at a time and one by one, in pieces that others reduce.
TYPED_TEST(Contraction, is_the_same_in_each_column) {
  using Value               = typename TypeParam::Value;
  using Table               = Kokkos::View<Value**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  std::size_t const columns = 21, rows = host::least_bytes_in_pieces / sizeof(Value) / columns + 1;
  auto const values = this->values(rows);
  Table const from("from", rows, columns), by_one("by one", rows, columns), dest("dest", rows, columns);
  for (std::size_t k = 0; k < from.size(); ++k) from.data()[k] = values(k / columns);
  inclusive_scan(this->one_worker, from, by_one, Axis{0}, typename TypeParam::Op{});
  for (std::size_t k = 0; k < from.size() && !this->HasFailure(); ++k)
    EXPECT_TRUE(same_bits(by_one.data()[k], by_one.data()[k / columns * columns])) << "column " << k % columns;
  this->for_each_instance([&](auto const& exec, std::string const& what) {
    inclusive_scan(exec, from, dest, Axis{0}, typename TypeParam::Op{});
    EXPECT_EQ(std::memcmp(dest.data(), by_one.data(), dest.size() * sizeof(Value)), 0) << what;
  });
}

}  // namespace contraction
