// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "problem_setups.hpp"  // of the target: whose backends are tested
#include "support/backend_choices.hpp"
#include "support/monoids.hpp"
#include "support/random.hpp"
#include "support/values.hpp"

// What scans by key, by index and from the far end are tested with: every backend with every choice it serves, values
// whose operator does not commute, lengths around the edges of tiles.
namespace test {

template <class Value>
using OperatorOf = std::conditional_t<Monoid<Value>, Then, KokkosScan::Sum>;

/// A View that holds these values; Value need have no default constructor.
template <class View, class Value = typename View::value_type>
View to_view(std::vector<Value> const& values) {
  View const view(Kokkos::view_alloc("values", Kokkos::WithoutInitializing), values.size());
  Kokkos::deep_copy(
      view, Kokkos::View<Value const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), values.size()));
  return view;
}
template <class View, class Value = typename View::non_const_value_type>
std::vector<Value> to_vector(View const& view, Value const& any) {
  std::vector<Value> values(view.extent(0), any);
  Kokkos::deep_copy(Kokkos::View<Value*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), values.size()),
                    view);
  return values;
}

template <class Value>
void expect_same(std::vector<Value> const& expected, std::vector<Value> const& found, std::string const& what) {
  ASSERT_EQ(expected.size(), found.size()) << what;
  Value const *const right = expected.data(), *const given = found.data();
  for (std::size_t i = 0, n = expected.size(); i < n; ++i)  // an assertion for each would take longer than a scan
    if (!(right[i] == given[i])) FAIL() << what << ": element " << i << " of " << n << " is wrong";
}

/// What a call that is wrong says of itself.
inline std::string message_of(auto const& call) {
  try {
    call();
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "nothing thrown";
}

template <class ExecOrHandle>
inline constexpr bool has_choices = false;
template <class Exec, class Backend>
inline constexpr bool has_choices<Handle<Exec, Backend, Options>> = true;

/// How many times try_choices was called.
inline std::size_t tries = 0;

/// Calls try_lengths(handle, tile, what) with all choices; slow builds make a few of them, in each test others.
template <class Setup, class F>
void try_choices(F const& try_lengths) {
  using Value      = typename Setup::Value;
  using Backend    = typename Setup::Backend;
  using Choosing   = Handle<typename Setup::Exec, Backend, Options>;
  std::size_t call = tries++;
  for (Options const& options : all_choices<Backend, Value>()) {
    if (!is_made(call++)) continue;
    try_lengths(Choosing(typename Setup::Exec(), options), Backend::template tile_length<Value>(options),
                to_string(options.grid) + ", " + to_string(options.block));
    if (testing::Test::HasFailure()) return;
  }
}

/// Calls try_lengths(handle, tile, what) with a backend and, for Affine, with all choices that it serves.
template <class Setup, class F>
void for_each_handle(F const& try_lengths) {
  using Exec    = typename Setup::Exec;
  using Backend = typename Setup::Backend;
  using Value   = typename Setup::Value;
  try_lengths(Handle<Exec, Backend>(), Backend::template tile_length<Value>(KokkosScan::core::Automatic{}),
              "no choice");
  if constexpr (std::is_same_v<Value, Affine>) try_choices<Setup>(try_lengths);
}

/// Calls f(where, n, what) for lengths around the edges of tiles.
template <class ExecOrHandle, class F>
void for_each_length(ExecOrHandle const& where, std::size_t tile, std::string const& what, F const& f) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{33}, tile - 1, tile, tile + 1,
                              2 * tile + 1, (takes_short_inputs ? 3 : 7) * tile + tile / 3}) {
    f(where, n, what + ", n " + std::to_string(n));
    if (testing::Test::HasFailure()) return;
  }
}

/// The same with every backend and choice.
template <class Setup, class F>
void for_each_choice(F const& f) {
  for_each_handle<Setup>(
      [&](auto const& where, std::size_t tile, std::string const& what) { for_each_length(where, tile, what, f); });
}

}  // namespace test
