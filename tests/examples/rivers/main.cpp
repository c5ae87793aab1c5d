// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rivers and lakes of a terrain. Water flows from each cell to the lowest of its neighbours: a forest, in which the
// size of a subtree is the area that drains through a cell, and the depth the length of the way down. Cells under water
// are the vertices of a graph: its components are lakes, and levels of a search from a shore tell how far a boat has to
// go.
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstdio>

using Numbers = Kokkos::View<int*>;

struct Terrain {
  int side;
  KOKKOS_FUNCTION double height(int cell) const {
    double const x = cell % side, y = cell / side;
    return Kokkos::sin(0.05 * x) * Kokkos::cos(0.07 * y) + 0.001 * static_cast<double>(cell * 7919LL % 101);
  }
  KOKKOS_FUNCTION bool is_lake(int cell) const { return height(cell) < -0.5; }
  /// The k-th of four neighbours, or -1 where there is none.
  KOKKOS_FUNCTION int neighbour(int cell, int k) const {
    int const x = cell % side, y = cell / side;
    if (k == 0) return x > 0 ? cell - 1 : -1;
    if (k == 1) return x + 1 < side ? cell + 1 : -1;
    if (k == 2) return y > 0 ? cell - side : -1;
    return y + 1 < side ? cell + side : -1;
  }
  /// Whether neighbour k is under water, as the cell itself is.
  KOKKOS_FUNCTION bool is_edge(int cell, int k) const {
    return is_lake(cell) && neighbour(cell, k) >= 0 && is_lake(neighbour(cell, k));
  }
};
struct FindWayDown {
  Terrain terrain;
  Numbers down;
  KOKKOS_FUNCTION void operator()(int cell) const {
    int lowest = cell;
    for (int k = 0; k < 4; ++k) {
      int const next = terrain.neighbour(cell, k);
      if (next >= 0 && terrain.height(next) < terrain.height(lowest)) lowest = next;
    }
    down(cell) = lowest == cell ? -1 : lowest;  // a root: water stays there
  }
};
struct CountEdges {
  Terrain terrain;
  Numbers counts;
  KOKKOS_FUNCTION void operator()(int cell) const {
    counts(cell) = 0;
    for (int k = 0; k < 4; ++k) counts(cell) += terrain.is_edge(cell, k) ? 1 : 0;
  }
};
struct PutEdges {
  Terrain terrain;
  Numbers offsets, columns;
  KOKKOS_FUNCTION void operator()(int cell) const {
    int place = offsets(cell);
    for (int k = 0; k < 4; ++k)
      if (terrain.is_edge(cell, k)) columns(place++) = terrain.neighbour(cell, k);
  }
};
/// The smallest cell of each lake stands for it.
struct IsFirstOfLake {
  Terrain terrain;
  Numbers lake;
  KOKKOS_FUNCTION bool operator()(std::size_t cell) const {
    return terrain.is_lake(static_cast<int>(cell)) && lake(cell) == static_cast<int>(cell);
  }
};
struct AddAreasOfRoots {
  Numbers down, area;
  KOKKOS_FUNCTION void operator()(int cell, int& sum) const { sum += down(cell) < 0 ? area(cell) : 0; }
};
struct FindFarthest {
  Numbers numbers;
  KOKKOS_FUNCTION void operator()(int cell, int& most) const { most = Kokkos::max(most, numbers(cell)); }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const exec;
  Terrain const terrain{500};
  int const cells = terrain.side * terrain.side;
  Kokkos::RangePolicy<> const all(exec, 0, cells);

  // Rivers.
  Numbers const down("way down", cells), area("area that drains through", cells), steps("steps down", cells);
  Kokkos::parallel_for("way down", all, FindWayDown{terrain, down});
  KokkosScan::subtree_sizes(exec, down, area);
  KokkosScan::tree_depths(exec, down, steps);
  int drained = 0, longest = 0;
  Kokkos::parallel_reduce("drained", all, AddAreasOfRoots{down, area}, drained);
  Kokkos::parallel_reduce("longest way", all, FindFarthest{steps}, Kokkos::Max<int>(longest));

  // Lakes: counts to offsets, edges, and components. Each edge is there both ways.
  Numbers const counts("edges of each cell", cells), offsets("offsets", cells + 1), lake("lake", cells),
      lakes("lakes", cells);
  int edges = 0, found = 0;
  Kokkos::parallel_for("count", all, CountEdges{terrain, counts});
  KokkosScan::offsets_from_counts(exec, counts, offsets, KokkosScan::Total{edges});
  Numbers const columns("columns", edges);
  Kokkos::parallel_for("edges", all, PutEdges{terrain, offsets, columns});
  KokkosScan::connected_components(exec, offsets, columns, lake, KokkosScan::Symmetric{});
  KokkosScan::where(exec, cells, IsFirstOfLake{terrain, lake}, lakes, KokkosScan::Total{found});

  // By boat from the first cell of the first lake.
  int harbour = 0, farthest = 0;
  Numbers const way("way by boat", cells);
  Kokkos::deep_copy(harbour, Kokkos::subview(lakes, 0));
  KokkosScan::breadth_first_levels(exec, offsets, columns, harbour, way, KokkosScan::Symmetric{});
  Kokkos::parallel_reduce("farthest", all, FindFarthest{way}, Kokkos::Max<int>(farthest));

  std::printf("%d cells drained, %d steps down at most, %d lakes, %d cells by boat\n", drained, longest, found,
              farthest);
  return drained == cells && longest > 0 && found > 1 && farthest > 0 ? 0 : 1;
}
