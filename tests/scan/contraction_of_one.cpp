// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contraction.hpp"
#include "src/portable/backend.hpp"
#include "support/backend_choices.hpp"

namespace contraction {

/// One type stands for all where it takes long to compile.
using ContractionOfOne = Contraction<Case<Kokkos::complex<float>, Product>>;

TEST_F(ContractionOfOne, strides_have_the_same_bits) {
  using Strided = Kokkos::View<Value*, Kokkos::LayoutStride, Kokkos::HostSpace>;
  for (std::size_t const n : lengths()) {
    auto const from = this->values(n);
    View const dest("dest", n);
    auto const expected = this->scan(this->one_worker, from, dest);
    Strided const apart("apart", Kokkos::LayoutStride(n, 3));
    Kokkos::deep_copy(apart, from);
    this->for_each_instance([&](auto const& exec, std::string const& what) {
      Kokkos::deep_copy(apart, from);
      this->expect_same(exec, apart, apart, expected, what);
    });
    if (this->HasFailure()) return;
  }
}

/// Whatever combines the tiles, those of one block algorithm have the same bits; the portable backend has teams, whose
/// members share the steps of a network.
TEST_F(ContractionOfOne, grids_have_the_same_bits) {
  std::size_t const n = repetitions() >= 20 ? 200'000 : 40'000;
  auto const from     = this->values(n);
  View const dest("dest", n);
  auto const expect_alike = [&]<class Backend>(std::type_identity<Backend>) {
    auto const by = [&]<class Instance>(Instance const& exec, Options const& options) {
      return Handle<Instance, Backend, Options>(exec, options);
    };
    for (Options const& options : test::all_choices<Backend>()) {
      GridScan const reference = core::takes_a_block(options.grid) ? GridScan::hierarchical : options.grid;
      auto const expected = this->scan(by(this->one_worker, {.grid = reference, .block = options.block}), from, dest);
      this->for_each_instance([&](auto const& exec, std::string const& what) {
        this->expect_same(
            by(exec, options), from, dest, expected,
            to_string(options.grid) + ", " + to_string(options.block) + ", " + Backend::name + ", " + what);
      });
      if (this->HasFailure()) return;
    }
  };
  expect_alike(std::type_identity<driver::Backend<Exec>>());
  expect_alike(std::type_identity<portable::Backend>());
}

}  // namespace contraction
