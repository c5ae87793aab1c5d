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

/// Whatever combines the tiles, those of one block algorithm have the same bits.
TEST_F(ContractionOfOne, grids_have_the_same_bits) {
  std::size_t const n = repetitions() >= 20 ? 200'000 : 40'000;
  auto const from     = this->values(n);
  View const dest("dest", n);
  for (Options const& options : test::all_choices<driver::Backend<Exec>>()) {
    GridScan const reference = core::takes_a_block(options.grid) ? GridScan::hierarchical : options.grid;
    auto const expected =
        this->scan(Handle(this->one_worker, Options{.grid = reference, .block = options.block}), from, dest);
    this->for_each_instance([&](auto const& exec, std::string const& what) {
      this->expect_same(Handle(exec, options), from, dest, expected,
                        to_string(options.grid) + ", " + to_string(options.block) + ", " + what);
    });
    if (this->HasFailure()) return;
  }
}

/// The portable backend has teams, whose members share the steps of a network.
TEST_F(ContractionOfOne, portable_teams_have_the_same_bits) {
  std::size_t const n = repetitions() >= 20 ? 200'000 : 40'000;
  auto const from     = this->values(n);
  View const dest("dest", n);
  for (Options const& options : test::all_choices<portable::Backend>()) {
    auto const by = [&](auto const& exec) {
      return Handle<std::decay_t<decltype(exec)>, portable::Backend, Options>(exec, options);
    };
    auto const expected = this->scan(by(this->one_worker), from, dest);
    this->for_each_instance([&](auto const& exec, std::string const& what) {
      this->expect_same(by(exec), from, dest, expected,
                        "portable, " + to_string(options.grid) + ", " + to_string(options.block) + ", " + what);
    });
    if (this->HasFailure()) return;
  }
}

}  // namespace contraction
