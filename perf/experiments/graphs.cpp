// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/breadth_first_levels.hpp>
#include <KokkosScan/connected_components.hpp>
#include <KokkosScan/rows.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "graph_inputs.hpp"

// Searches of graphs and their components on the default space, beside what one thread of the host does; every result
// checked:
//
//   experiment_graphs [divisor of the sizes, a power of 4; 1 on a device, 64 on a host if there is none]
namespace {

using namespace graph_inputs;
using KokkosScan::Symmetric;

constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
bool all_right         = true;

void expect(bool is_right, std::string const& what) {
  if (is_right) return;
  std::printf("WRONG: %s\n", what.c_str());
  all_right = false;
}

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}
template <class F>
double seconds_of(F const& f) {
  Kokkos::fence();
  Kokkos::Timer const timer;
  f();
  Kokkos::fence();
  return timer.seconds();
}
template <class F>
double median_of_seven(F const& f) {
  f();
  std::vector<double> all;
  for (int k = 0; k < 7; ++k) all.push_back(seconds_of(f));
  return median(all);
}

// What one thread does.

std::vector<std::int32_t> levels_by_a_queue(HostGraph const& graph, std::int32_t source) {
  std::vector<std::int32_t> levels(graph.vertices(), -1), queue(graph.vertices());
  std::size_t behind                       = 0;
  queue[behind++]                          = source;
  levels[static_cast<std::size_t>(source)] = 0;
  for (std::size_t next = 0; next < behind; ++next) {
    auto const v = static_cast<std::size_t>(queue[next]);
    for (auto e = static_cast<std::size_t>(graph.row_offsets[v]);
         e < static_cast<std::size_t>(graph.row_offsets[v + 1]); ++e) {
      std::int32_t& level = levels[static_cast<std::size_t>(graph.columns[e])];
      if (level >= 0) continue;
      level           = levels[v] + 1;
      queue[behind++] = graph.columns[e];
    }
  }
  return levels;
}

std::vector<std::int32_t> labels_by_union(HostGraph const& graph) {
  std::vector<std::int32_t> parents(graph.vertices());
  for (std::size_t v = 0; v < parents.size(); ++v) parents[v] = static_cast<std::int32_t>(v);
  auto const at      = [&](std::int32_t v) -> std::int32_t& { return parents[static_cast<std::size_t>(v)]; };
  auto const root_of = [&](std::int32_t v) {
    while (at(v) != v) v = at(v) = at(at(v));
    return v;
  };
  for (std::size_t v = 0; v < parents.size(); ++v)
    for (auto e = static_cast<std::size_t>(graph.row_offsets[v]);
         e < static_cast<std::size_t>(graph.row_offsets[v + 1]); ++e) {
      std::int32_t const a = root_of(static_cast<std::int32_t>(v)), b = root_of(graph.columns[e]);
      at(std::max(a, b)) = std::min(a, b);
    }
  for (std::size_t v = 0; v < parents.size(); ++v) parents[v] = root_of(static_cast<std::int32_t>(v));
  return parents;
}

// Levels are right if that of the source alone is 0, those of neighbours differ by at most one, and each vertex of a
// higher level has a neighbour in the one below.

struct CheckEdge {
  Ints columns, levels, has_lower;
  Kokkos::View<long, Exec> wrong;
  KOKKOS_FUNCTION void operator()(std::size_t vertex, std::size_t edge) const {
    std::int32_t const own = levels(vertex), other = levels(static_cast<std::size_t>(columns(edge)));
    bool const is_right = own < 0 ? other < 0 : other >= 0 && other >= own - 1 && other <= own + 1;
    if (!is_right) Kokkos::atomic_inc(&wrong());
    if (other + 1 == own) Kokkos::atomic_store(&has_lower(vertex), 1);
  }
};
struct CheckVertex {
  Ints row_offsets, levels, has_lower;
  std::size_t source;
  KOKKOS_FUNCTION void operator()(std::size_t vertex, long& wrong, std::size_t& edges) const {
    std::int32_t const level = levels(vertex);
    bool const is_right      = level >= -1 && (level == 0) == (vertex == source) && (level <= 0 || has_lower(vertex));
    wrong += is_right ? 0 : 1;
    if (level >= 0) edges += static_cast<std::size_t>(row_offsets(vertex + 1) - row_offsets(vertex));
  }
};
struct CountDifferent {
  Ints a, b;
  KOKKOS_FUNCTION void operator()(std::size_t i, long& sum) const { sum += a(i) != b(i) ? 1 : 0; }
};

long different(Ints const& a, Ints const& b) {
  long count = 0;
  Kokkos::parallel_reduce(Indices(0, a.extent(0)), CountDifferent{a, b}, count);
  return count;
}
Ints to_device(std::vector<std::int32_t> const& values) {
  Ints const view("reference", values.size());
  Kokkos::deep_copy(view, Kokkos::View<std::int32_t const*, Kokkos::HostSpace>(values.data(), values.size()));
  return view;
}

/// Returns how many edges the component has, each counted once.
double check_levels(std::string const& name, Graph const& graph, Ints const& levels, std::int32_t source) {
  Ints const has_lower("has lower", graph.vertices);
  Kokkos::View<long, Exec> const wrong_edges("wrong");
  KokkosScan::for_each_slot(Exec(), graph.row_offsets, CheckEdge{graph.columns, levels, has_lower, wrong_edges});
  long wrong = 0, of_edges = 0;
  std::size_t edges = 0;
  Kokkos::parallel_reduce(Indices(0, graph.vertices),
                          CheckVertex{graph.row_offsets, levels, has_lower, static_cast<std::size_t>(source)}, wrong,
                          edges);
  Kokkos::deep_copy(of_edges, wrong_edges);
  expect(wrong == 0 && of_edges == 0, name + ": levels from " + std::to_string(source));
  return static_cast<double>(edges) / 2;
}

struct LargestLevel {
  Ints levels;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::int32_t& most) const {
    most = levels(i) > most ? levels(i) : most;
  }
};
std::int32_t largest_level(Ints const& levels) {
  std::int32_t most = 0;
  Kokkos::parallel_reduce(Indices(0, levels.extent(0)), LargestLevel{levels}, Kokkos::Max<std::int32_t>(most));
  return most;
}

template <class... Option>
void search(std::string const& name, Graph const& graph, HostGraph const& on_the_host,
            std::vector<std::int32_t> const& sources, char const* goal, Option const&... option) {
  Ints const levels("levels", graph.vertices);
  auto const call = [&](std::int32_t source) {
    KokkosScan::breadth_first_levels(Exec(), graph.row_offsets, graph.columns, source, levels, option...);
  };
  std::vector<double> rates, times, of_level;
  call(sources[0]);
  for (std::int32_t const source : sources) {
    double const time  = seconds_of([&] { call(source); });
    double const edges = check_levels(name, graph, levels, source);
    rates.push_back(edges / time * 1e-9);
    times.push_back(time);
    of_level.push_back(time / (largest_level(levels) + 1));
  }
  call(sources[0]);
  std::vector<std::int32_t> reference;
  double const serial = seconds_of([&] { reference = levels_by_a_queue(on_the_host, sources[0]); });
  expect(different(levels, to_device(reference)) == 0, name + ": not the levels of a queue");
  double const first = seconds_of([&] { call(sources[0]); });
  std::printf("%-44s %10.3f ms, %8.3f GTEPS, %8.2f us a level, %d levels (goal %s); a queue %10.1f ms: %6.2f times\n",
              (name + (sizeof...(Option) > 0 ? ", symmetric" : "")).c_str(), median(times) * 1e3, median(rates),
              median(of_level) * 1e6, largest_level(levels) + 1, goal, serial * 1e3, serial / first);
  std::fflush(stdout);
}

void find_components(std::string const& name, Graph const& graph, HostGraph const& on_the_host, char const* goal) {
  Ints const labels("labels", graph.vertices);
  std::vector<std::int32_t> reference;
  double const serial = seconds_of([&] { reference = labels_by_union(on_the_host); });
  Ints const right    = to_device(reference);
  auto const measure  = [&](char const* kind, auto const&... option) {
    double const time = median_of_seven(
        [&] { KokkosScan::connected_components(Exec(), graph.row_offsets, graph.columns, labels, option...); });
    expect(different(labels, right) == 0, name + ": components" + kind);
    std::printf("%-44s %10.3f ms (goal %s); union-find %10.1f ms: %6.2f times\n",
                 ("components, " + name + kind).c_str(), time * 1e3, goal, serial * 1e3, serial / time);
    std::fflush(stdout);
  };
  measure("");
  measure(", symmetric", Symmetric{});
}

void run(int halvings) {
  std::size_t const divisor = std::size_t{1} << halvings;
  int const scale           = 22 - halvings;
  auto const side           = static_cast<std::int32_t>(2048 >> (halvings / 2));
  std::size_t const n       = std::size_t{1} << scale;
  {
    Graph const graph    = make_rmat(scale, (std::size_t{1} << 26) / divisor);
    HostGraph const copy = to_host(graph);
    std::printf("R-MAT: 2^%d vertices, %zu edges both ways, duplicates and loops left\n", scale, graph.edges);
    auto const sources = sources_of(copy, 16);
    search("R-MAT", graph, copy, sources, ">= 10 GTEPS", Symmetric{});
    search("R-MAT", graph, copy, sources, "none");
    find_components("R-MAT", graph, copy, "12 ms");
  }
  auto const both = [&](std::string const& name, Graph const& graph, std::vector<std::int32_t> const& sources,
                        char const* goal) {
    HostGraph const copy = to_host(graph);
    search(name, graph, copy, sources, goal);
    search(name, graph, copy, sources, goal, Symmetric{});
    find_components(name, graph, copy, "none");
  };
  Grid const grid{side, side};
  std::string const sides = std::to_string(side) + " x " + std::to_string(side);
  both("grid " + sides + " from a corner", make(grid.vertices(), grid.edges(), grid), {0}, "30 us a level");
  both("chain", make(n / 64, n / 64 - 1, Chain{n / 64}), {0}, "none");
  both("star", make(n, n - 1, Star{n}), {0}, "none");
  both("islands of 1000", make(n, 4 * n, Islands{1000, n}), {5}, "none");
  for (bool const is_shuffled : {false, true}) {
    Graph const chain = make(n, n - 1, Chain{n, is_shuffled});
    find_components(is_shuffled ? "long chain, shuffled" : "long chain", chain, to_host(chain), "none");
  }
  Graph const sparse = make_rmat(scale, n / 2);
  find_components("R-MAT of few edges", sparse, to_host(sparse), "none");
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  std::size_t const divisor = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : on_host ? 64 : 1;
  int halvings              = 0;
  while ((std::size_t{1} << halvings) < divisor) ++halvings;
  run(std::min(halvings, 12));
  std::puts(all_right ? "all results are right" : "SOME RESULTS ARE WRONG");
  return all_right ? 0 : 1;
}
