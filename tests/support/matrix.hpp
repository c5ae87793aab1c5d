// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <typeinfo>
#include <vector>

#include "scan_case.hpp"
#include "spaces.hpp"

// The matrix of value types and operators. Each type meets both kinds with each of its operators; init, offsets and in
// place vary from length to length so that every pair of them meets.
namespace test {

/// The i-th of all combinations that a call may have.
template <Kind kind, class T>
Call<T> varied(std::size_t i, std::size_t n, std::optional<T> const& init) {
  Call<T> call;
  call.shape.n           = n;
  call.shape.lie         = i % 2 == 0 ? Lie::apart : Lie::in_place;
  call.shape.from_offset = i % 5;
  call.shape.dest_offset = i % 7;
  call.total_to          = TotalTo::view;
  call.init              = kind == Kind::exclusive || i / 2 % 2 == 0 ? init : std::nullopt;
  return call;
}

/// Scans of both kinds over these lengths, and of each kind once in place and once apart.
template <class T, class Op, class ExecOrHandle>
void expect_scans(ExecOrHandle const& exec, std::vector<std::size_t> const& lengths) {
  SCOPED_TRACE(testing::Message() << "operator " << typeid(Op).name() << " on " << typeid(T).name());
  std::size_t i = 0;
  for (std::size_t const n : lengths) {
    std::vector<T> values = make_values<Op, T>(n + 1, 1000 * n + sizeof(T));
    std::optional<T> const init(values.back());
    values.pop_back();
    for (std::size_t const variant : {i, i + 1}) {
      expect_scan<Kind::inclusive, T, ContiguousViewTotal>(exec, values, varied<Kind::inclusive>(variant, n, init),
                                                           Op{});
      expect_scan<Kind::exclusive, T, ContiguousViewTotal>(exec, values, varied<Kind::exclusive>(variant, n, init),
                                                           Op{});
      if (testing::Test::HasFailure()) return;  // the first says enough
    }
    i += 3;
  }
}

/// The row of the matrix for one value type.
template <class T, class... Ops, class ExecOrHandle>
void expect_operators(ExecOrHandle const& exec) {
  using Exec         = std::remove_cvref_t<decltype(KokkosScan::driver::instance(exec))>;
  auto const lengths = edge_lengths(automatic_tile<Exec, T>());
  for_each_instruction_set([&] { (expect_scans<T, Ops>(exec, lengths), ...); });
}

}  // namespace test
