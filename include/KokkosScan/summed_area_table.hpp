// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/arguments.hpp>
#include <KokkosScan/handle.hpp>

#include "../../src/core/compensated.hpp"
#include "../../src/driver/function.hpp"
#include "../../src/driver/summed_area.hpp"

// Sums over boxes of images and volumes, each by a few entries of one table.
namespace KokkosScan {

/// dest(i, j) = the sum of from(k, l) over all k <= i and l <= j; of rank 3 likewise.
///
///   summed_area_table(exec, from, dest)
///
/// Views of rank 2 or 3 and any layout; dest has the extents of from, or larger ones, and may be from. Sums have the
/// value type of dest, or with As<T>{} behind dest are made in T for each axis and then stored. What a box of floats is
/// off by grows with the table, not with the box: As<double>{} makes the sums better, a dest of double or of
/// Compensated<float> what is stored, too.
inline constexpr driver::Function<driver::SummedAreaTable, "KokkosScan::summed_area_table"> summed_area_table{};

/// The sum over a box, from the indices `low` on up to `high`, within a kernel.
///
///   box_sum(table, low, high)
///
/// low and high have an index for each dimension: Kokkos::Array, std::array, or any other type with []. They lie within
/// the table, 0 and its extents included; there is no halo. A box that is empty in a dimension sums up to nothing.
KOKKOSSCAN_OBJECT driver::BoxSum box_sum{};

}  // namespace KokkosScan
