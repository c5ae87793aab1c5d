// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Prefix sums, and the algorithms that are scans underneath, on Kokkos Views.
#include <KokkosScan/breadth_first_levels.hpp>
#include <KokkosScan/compaction.hpp>
#include <KokkosScan/compare.hpp>
#include <KokkosScan/connected_components.hpp>
#include <KokkosScan/count_then_fill.hpp>
#include <KokkosScan/distribute.hpp>
#include <KokkosScan/handle.hpp>
#include <KokkosScan/histogram.hpp>
#include <KokkosScan/lexicographical_ranks.hpp>
#include <KokkosScan/lowest_common_ancestors.hpp>
#include <KokkosScan/offsets.hpp>
#include <KokkosScan/operators.hpp>
#include <KokkosScan/options.hpp>
#include <KokkosScan/parallel_scan.hpp>
#include <KokkosScan/polynomial.hpp>
#include <KokkosScan/recurrence.hpp>
#include <KokkosScan/release_scratch.hpp>
#include <KokkosScan/rows.hpp>
#include <KokkosScan/runs.hpp>
#include <KokkosScan/scan.hpp>
#include <KokkosScan/scan_by_key.hpp>
#include <KokkosScan/segmented.hpp>
#include <KokkosScan/shortest_paths.hpp>
#include <KokkosScan/slots.hpp>
#include <KokkosScan/sort.hpp>
#include <KokkosScan/summed_area_table.hpp>
#include <KokkosScan/team_scan.hpp>
#include <KokkosScan/trees.hpp>
#include <KokkosScan/tridiagonal_solve.hpp>
#include <KokkosScan/version.hpp>
#include <KokkosScan/window_scan.hpp>
