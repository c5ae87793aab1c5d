// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/lowest_common_ancestors.hpp>
#include <KokkosScan/sort.hpp>
#include <KokkosScan/trees.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

// Trees on the default space: depths, sizes, numbers, tours and lowest common ancestors, each result compared with that
// of one thread, and on hosts the times too:
//
//   experiment_trees [divisor of the 10^7 nodes; 1 on a device, 10 on a host if there is none]
//
// What the thread does is right for any numbering of the nodes: depths by walks up to what is known, sizes by taking
// leaves away, numbers by going through the tree.
namespace {

using Exec    = Kokkos::DefaultExecutionSpace;
using Indices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
using Row     = Kokkos::View<int*, Exec>;
using Ints    = std::vector<int>;

constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
bool all_right         = true;

/// The median of seven calls behind one that does not count, in milliseconds.
template <class Call>
double time_of(Call const& call) {
  auto const sample = [&] {
    Kokkos::fence();
    Kokkos::Timer const timer;
    call();
    Kokkos::fence();
    return timer.seconds() * 1e3;
  };
  sample();
  std::array<double, 7> samples{};
  for (double& one : samples) one = sample();
  std::sort(samples.begin(), samples.end());
  return samples[3];
}

KOKKOS_INLINE_FUNCTION std::uint64_t mixed(std::uint64_t x) {
  x = (x + 1) * 0x9e3779b97f4a7c15U;
  x ^= x >> 31;
  x *= 0xbf58476d1ce4e5b9U;
  return x ^ x >> 29;
}

enum class Shape { chain, star, random, binary };

struct MakeParents {
  Row parents;
  Shape shape;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    auto const v = static_cast<int>(i);
    int parent   = 0;
    if (shape == Shape::chain) parent = v - 1;
    if (shape == Shape::random && v > 0) parent = static_cast<int>(mixed(i) % i);
    if (shape == Shape::binary) parent = (v - 1) / 2;
    parents(i) = v == 0 ? -1 : parent;
  }
};
struct MakeKeys {
  Kokkos::View<unsigned*, Exec> keys;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { keys(i) = static_cast<unsigned>(mixed(~i)); }
};
struct Renumber {
  Row from, place, to;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { to(place(i)) = from(i) < 0 ? -1 : place(from(i)); }
};

Row make_parents(std::size_t n, Shape shape, bool is_shuffled) {
  Exec const exec;
  Row const parents("parents", n);
  Kokkos::parallel_for(Indices(exec, 0, n), MakeParents{parents, shape});
  if (!is_shuffled) return parents;
  Row const place("place", n), other("other", n);
  Kokkos::View<unsigned*, Exec> const keys("keys", n);
  Kokkos::parallel_for(Indices(exec, 0, n), MakeKeys{keys});
  KokkosScan::sort_permutation(exec, keys, place);
  Kokkos::parallel_for(Indices(exec, 0, n), Renumber{parents, place, other});
  exec.fence();
  return other;
}

template <class T>
std::vector<T> on_the_host(Kokkos::View<T*, Exec> const& view) {
  std::vector<T> values(view.extent(0));
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), values.size()), view);
  return values;
}

std::size_t at(int v) { return static_cast<std::size_t>(v); }

// What one thread does.

void serial_depths(Ints const& parents, Ints& depths) {
  std::fill(depths.begin(), depths.end(), -1);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    int v = static_cast<int>(i), length = 0;
    while (v >= 0 && depths[at(v)] < 0) v = parents[at(v)], ++length;
    int depth = (v < 0 ? -1 : depths[at(v)]) + length;
    for (v = static_cast<int>(i); v >= 0 && depths[at(v)] < 0; v = parents[at(v)]) depths[at(v)] = depth--;
  }
}

void serial_sizes(Ints const& parents, Ints& sizes, Ints& children) {
  std::fill(children.begin(), children.end(), 0);
  std::fill(sizes.begin(), sizes.end(), 1);
  for (int const parent : parents)
    if (parent >= 0) ++children[at(parent)];
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (children[i] != 0) continue;
    children[i] = -1;
    for (int v = static_cast<int>(i), parent = parents[i]; parent >= 0; v = parent, parent = parents[at(v)]) {
      sizes[at(parent)] += sizes[at(v)];
      if (--children[at(parent)] != 0) break;
      children[at(parent)] = -1;
    }
  }
}

struct Tour {
  Ints first, next, numbers, enter, leave;

  explicit Tour(std::size_t n) : first(n), next(n), numbers(n), enter(n), leave(n) {}

  void find(Ints const& parents) {
    std::fill(first.begin(), first.end(), -1);
    int roots = -1, number = 0, step = 0;
    for (std::size_t i = parents.size(); i-- > 0;) {
      int& before = parents[i] < 0 ? roots : first[at(parents[i])];
      next[i]     = before;
      before      = static_cast<int>(i);
    }
    for (int v = roots; v >= 0;) {
      enter[at(v)]   = step++;
      numbers[at(v)] = number++;
      if (first[at(v)] >= 0) {
        v = first[at(v)];
        continue;
      }
      leave[at(v)] = step++;
      while (v >= 0 && next[at(v)] < 0) {
        v = parents[at(v)];
        if (v >= 0) leave[at(v)] = step++;
      }
      if (v >= 0) v = next[at(v)];
    }
  }
};

/// Lowest common ancestors by minima of all ranges of 1, 2, 4, ... places in preorder.
class SerialAncestors {
 public:
  SerialAncestors(Ints const& parents, Ints const& numbers) : numbers_(numbers), nodes_(numbers.size()) {
    std::size_t const n = numbers.size();
    levels_.emplace_back(n);
    for (std::size_t v = 0; v < n; ++v) {
      nodes_[at(numbers[v])]     = static_cast<int>(v);
      levels_[0][at(numbers[v])] = parents[v] < 0 ? -1 : numbers[at(parents[v])];
    }
    for (std::size_t width = 2; width <= n; width *= 2) {
      Ints const& half = levels_.back();
      Ints whole(n - width + 1);
      for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = std::min(half[i], half[i + width / 2]);
      levels_.push_back(std::move(whole));
    }
  }
  int operator()(int u, int v) const {
    if (u == v) return u;
    std::size_t first = at(numbers_[at(u)]), last = at(numbers_[at(v)]), level = 0;
    if (last < first) std::swap(first, last);
    while (std::size_t{2} << level <= last - first) ++level;
    Ints const& minima = levels_[level];
    int const found    = std::min(minima[first + 1], minima[last + 1 - (std::size_t{1} << level)]);
    return found < 0 ? -1 : nodes_[at(found)];
  }

 private:
  Ints const& numbers_;
  Ints nodes_;
  std::vector<Ints> levels_;
};

using Ancestors = KokkosScan::LowestCommonAncestors<int, Exec::memory_space>;

struct MakeQueries {
  Row us, vs;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    us(i) = static_cast<int>(mixed(2 * i) % us.extent(0));
    vs(i) = static_cast<int>(mixed(2 * i + 1) % us.extent(0));
  }
};
struct Ask {
  Ancestors ancestors;
  Row us, vs, found;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { found(i) = ancestors(us(i), vs(i)); }
};

void print(std::string const& what, double ours, double serial, bool is_right) {
  std::printf("%-28s %9.3f ms", what.c_str(), ours);
  if (serial > 0) std::printf("; one thread %9.3f ms: %.2f times its speed", serial, serial / ours);
  std::printf("%s\n", is_right ? "" : "; WRONG");
  std::fflush(stdout);
  all_right = all_right && is_right;
}

template <class Serial>
double serial_time(Serial const& serial) {
  if constexpr (on_host) return time_of(serial);
  serial();
  return 0;
}

#ifdef KOKKOS_ENABLE_CUDA
/// Depths that a graph finds, behind a first call of the size.
void replay(Row const& parents, Row const& results, Ints const& expected) {
  cudaStream_t stream{};
  cudaGraph_t graph{};
  cudaGraphExec_t replayed{};
  bool is_right = cudaStreamCreate(&stream) == cudaSuccess;
  {
    Kokkos::Cuda const exec(stream);
    KokkosScan::tree_depths(exec, parents, results);
    exec.fence();
    Kokkos::deep_copy(results, -7);
    is_right = is_right && cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess;
    KokkosScan::tree_depths(exec, parents, results);
    is_right = is_right && cudaStreamEndCapture(stream, &graph) == cudaSuccess &&
               cudaGraphInstantiate(&replayed, graph, 0) == cudaSuccess;
    if (is_right) {
      double const time = time_of([&] { cudaGraphLaunch(replayed, stream); });
      print("  tree_depths, replayed", time, 0, on_the_host(results) == expected);
      cudaGraphExecDestroy(replayed);
      cudaGraphDestroy(graph);
    } else {
      print("  tree_depths, captured", 0, 0, false);
    }
  }
  cudaStreamDestroy(stream);
}
#else
void replay(Row const&, Row const&, Ints const&) {}
#endif

void trees(std::size_t n, Shape shape, bool is_shuffled, std::string const& name) {
  Exec const exec;
  std::printf("%s of %zu nodes%s\n", name.c_str(), n, is_shuffled ? ", shuffled" : "");
  Row const parents = make_parents(n, shape, is_shuffled), results("results", n), others("others", n);
  Ints const given  = on_the_host(parents);
  auto const clear  = [&] {
    Kokkos::deep_copy(results, -7);
    Kokkos::deep_copy(others, -7);
  };
  Ints expected(n), more(n);

  clear();
  double const depths = time_of([&] { KokkosScan::tree_depths(exec, parents, results); });
  double serial       = serial_time([&] { serial_depths(given, expected); });
  print("  tree_depths", depths, serial, on_the_host(results) == expected);
  replay(parents, results, expected);

  clear();
  double const sizes = time_of([&] { KokkosScan::subtree_sizes(exec, parents, results); });
  serial             = serial_time([&] { serial_sizes(given, expected, more); });
  print("  subtree_sizes", sizes, serial, on_the_host(results) == expected);
  std::printf("  %-26s %9.3f ms; goal of 10^7 nodes on an H200 15 ms\n", "both", depths + sizes);

  Tour tour(n);
  serial = serial_time([&] { tour.find(given); });
  clear();
  double const numbers = time_of([&] { KokkosScan::preorder(exec, parents, results); });
  print("  preorder", numbers, serial, on_the_host(results) == tour.numbers);
  clear();
  double const both = time_of([&] { KokkosScan::euler_tour(exec, parents, results, others); });
  print("  euler_tour", both, serial, on_the_host(results) == tour.enter && on_the_host(others) == tour.leave);

  Ancestors ancestors(n);
  std::printf("  %-26s %9.3f ms\n", "LowestCommonAncestors", time_of([&] { ancestors.build(exec, parents); }));
  Row const us("us", n), vs("vs", n);
  Kokkos::parallel_for(Indices(exec, 0, n), MakeQueries{us, vs});
  double const queries = time_of([&] { Kokkos::parallel_for(Indices(exec, 0, n), Ask{ancestors, us, vs, results}); });
  SerialAncestors const reference(given, tour.numbers);
  Ints const of_us = on_the_host(us), of_vs = on_the_host(vs);
  serial = serial_time([&] {
    for (std::size_t i = 0; i < n; ++i) expected[i] = reference(of_us[i], of_vs[i]);
  });
  print("  as many queries", queries, serial, on_the_host(results) == expected);
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  std::size_t const divisor = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : on_host ? 10 : 1;
  std::printf("%s, %d threads\n", Exec::name(), Exec().concurrency());
  std::size_t const n = std::max<std::size_t>(2, 10'000'000 / divisor);
  for (bool const is_shuffled : {false, true}) {
    trees(n, Shape::random, is_shuffled, "random tree");
    trees(n, Shape::chain, is_shuffled, "chain");
    trees(n, Shape::star, is_shuffled, "star");
  }
  trees(n, Shape::binary, true, "binary tree");
  return all_right ? 0 : 1;
}
