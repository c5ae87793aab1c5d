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

}  // namespace contraction
