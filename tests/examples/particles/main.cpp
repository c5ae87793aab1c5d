// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Particles move, those that leave the domain are removed, and the others are put into a cell list: how many each cell
// has, where its particles begin, and which they are.
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstdio>
#include <utility>

struct Particle {
  float position, velocity;
};
struct Move {
  Kokkos::View<Particle*> particles;
  KOKKOS_FUNCTION void operator()(int p) const { particles(p).position += 0.1F * particles(p).velocity; }
};
struct IsOutside {
  KOKKOS_FUNCTION bool operator()(Particle const& p) const { return p.position < 0 || p.position >= 1; }
};
struct FindCell {
  Kokkos::View<Particle*> particles;
  Kokkos::View<int*> cell;
  int cells;
  KOKKOS_FUNCTION void operator()(int p) const {
    cell(p) = static_cast<int>(particles(p).position * static_cast<float>(cells));
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const exec;
  int const all = 100'000, cells = 64;
  Kokkos::View<Particle*> const particles("particles", all);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<>(exec, 0, all), KOKKOS_LAMBDA(int p) {
        particles(p) = {static_cast<float>(p) / static_cast<float>(all), static_cast<float>(p % 3 - 1)};
      });

  // Compaction in place: what is left stays in its order, at the begin of the View.
  int left = 0;
  Kokkos::parallel_for("move", Kokkos::RangePolicy<>(exec, 0, all), Move{particles});
  KokkosScan::remove_if(exec, particles, IsOutside{}, KokkosScan::Total{left});

  // How many each cell has, and where they begin: n counts, n + 1 offsets.
  Kokkos::View<int*> const cell("cell", left), counts("counts", cells), offsets("offsets", cells + 1);
  Kokkos::parallel_for("cells", Kokkos::RangePolicy<>(exec, 0, left), FindCell{particles, cell, cells});
  KokkosScan::count_keys(exec, cell, counts);
  KokkosScan::offsets_from_counts(exec, counts, offsets);

  // Which they are: of cell c order(offsets(c)) up to order(offsets(c + 1)).
  Kokkos::View<int*> const order("order", left);
  KokkosScan::sort_permutation(exec, cell, order);

  int wrong = 0, last = 0;
  Kokkos::parallel_reduce(
      "check", Kokkos::RangePolicy<>(exec, 0, cells),
      KOKKOS_LAMBDA(int c, int& sum) {
        for (int k = offsets(c); k < offsets(c + 1); ++k) sum += cell(order(k)) != c ? 1 : 0;
      },
      wrong);
  Kokkos::deep_copy(last, Kokkos::subview(offsets, cells));
  std::printf("%d of %d particles are left, %d in cells\n", left, all, last);
  return wrong == 0 && last == left && left > all * 9 / 10 && left < all ? 0 : 1;
}
