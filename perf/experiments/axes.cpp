// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

#include "median_time.hpp"

// Scans along each axis of tables of many shapes on the default space, in both layouts and directions, each result
// checked, beside a copy of as many bytes; on a host also beside the two loops that users write: over lines, and along
// the axis over what stands beside each other.
//
//   experiment_axes [by how much the tables are shorter, 1 on a device and 16 on a host if nothing is said]
namespace {

using Exec    = Kokkos::DefaultExecutionSpace;
using Indices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

constexpr bool on_host = std::is_same_v<Exec::memory_space, Kokkos::HostSpace>;

template <class Call>
double time_of(Call const& call, double bytes) {
  return bench::median_time(call, bytes > 1e8 || on_host ? 3 : 10);
}

using Extents = std::array<std::size_t, 3>;

/// Three extents, of which a table of rank 2 has the last two, and how far neighbours are apart along each.
struct Shape {
  Extents extents, strides;
  int axis;

  KOKKOS_FUNCTION std::size_t length() const { return extents[static_cast<std::size_t>(axis)]; }
  KOKKOS_FUNCTION std::size_t step() const { return strides[static_cast<std::size_t>(axis)]; }
  std::size_t size() const { return extents[0] * extents[1] * extents[2]; }
  KOKKOS_FUNCTION std::size_t at(std::size_t k) const {
    return k / strides[static_cast<std::size_t>(axis)] % extents[static_cast<std::size_t>(axis)];
  }
};

/// Lines are walked one by one; the lines of which neighbours lie side by side are as many as a step along the axis.
template <class T>
struct AlongLines {
  T const* from;
  T* dest;
  Shape shape;
  bool reversed;
  void operator()(std::size_t line) const {
    std::size_t const step = shape.step(), length = shape.length();
    std::size_t const first = line / step * step * length + line % step;
    T sum                   = 0;
    for (std::size_t i = 0; i < length; ++i) {
      std::size_t const k = first + (reversed ? length - 1 - i : i) * step;
      dest[k]             = sum += from[k];
    }
  }
};
/// Along the axis, over the neighbours: each thread has some of them.
template <class T>
struct OverNeighbours {
  T const* from;
  T* dest;
  Shape shape;
  bool reversed;
  std::size_t width, parts;  // neighbours of a part; parts of a row
  void operator()(std::size_t part) const {
    std::size_t const step = shape.step(), length = shape.length(), begin = part % parts * width;
    std::size_t const end   = std::min(begin + width, step);
    std::size_t const first = part / parts * step * length;
    for (std::size_t i = 0; i < length; ++i) {
      std::size_t const row    = first + (reversed ? length - 1 - i : i) * step,
                        before = reversed ? row + step : row - step;
      if (i == 0)
        for (std::size_t j = begin; j < end; ++j) dest[row + j] = from[row + j];
      else
        for (std::size_t j = begin; j < end; ++j) dest[row + j] = dest[before + j] + from[row + j];
    }
  }
};

template <class T>
double time_of_loops(Shape const& shape, bool reversed, T const* from, T* dest, double bytes) {
  std::size_t const step = shape.step(), length = shape.length(), lines = shape.size() / length;
  auto const threads = static_cast<std::size_t>(Exec().concurrency());
  double best        = time_of(
      [&] { Kokkos::parallel_for(Indices(Exec(), 0, lines), AlongLines<T>{from, dest, shape, reversed}); }, bytes);
  if (step > 1) {
    std::size_t const rows = lines / step, wanted = std::max<std::size_t>(1, threads / rows);
    std::size_t const width = (step + wanted - 1) / wanted, parts = (step + width - 1) / width;
    best = std::min(best, time_of(
                              [&] {
                                Kokkos::parallel_for(Indices(Exec(), 0, rows * parts),
                                                     OverNeighbours<T>{from, dest, shape, reversed, width, parts});
                              },
                              bytes));
  }
  return best;
}

template <class T, class View>
void measure(char const* type, Extents const& extents, char const* layout, View const& from, View const& dest) {
  constexpr int rank = static_cast<int>(View::rank());
  double const bytes = 2.0 * static_cast<double>(from.size()) * sizeof(T);
  Exec const exec;
  double const copy = time_of(
      [&] {
        if constexpr (on_host)
          Kokkos::parallel_for(
              Indices(exec, 0, from.size()), KOKKOS_LAMBDA(std::size_t k) { dest.data()[k] = from.data()[k]; });
        else
          Kokkos::deep_copy(exec, dest, from);
      },
      bytes);
  for (int d = 0; d < rank; ++d)
    for (bool const reversed : {false, true}) {
      Shape shape{extents, {1, 1, 1}, d + 3 - rank};
      for (int r = 0; r < rank; ++r)
        shape.strides[static_cast<std::size_t>(r + 3 - rank)] = static_cast<std::size_t>(from.stride(r));
      double const time = time_of(
          [&] {
            if (reversed)
              KokkosScan::inclusive_scan(exec, from, dest, KokkosScan::Axis{d}.reversed());
            else
              KokkosScan::inclusive_scan(exec, from, dest, KokkosScan::Axis{d});
          },
          bytes);
      long wrong = 0;
      Kokkos::parallel_reduce(
          Indices(exec, 0, from.size()),
          KOKKOS_LAMBDA(std::size_t k, long& sum) {
            std::size_t const at = shape.at(k), length = shape.length();
            sum += dest.data()[k] != static_cast<T>(reversed ? length - at : at + 1) ? 1 : 0;
          },
          wrong);
      std::string name;
      for (int r = 3 - rank; r < 3; ++r)
        name += (name.empty() ? "" : " x ") + std::to_string(extents[static_cast<std::size_t>(r)]);
      std::printf("%s %-22s %-5s axis %d%s %10.1f us, %.3f of a copy", type, name.c_str(), layout, d,
                  reversed ? " back" : "     ", time, copy / time);
      if constexpr (on_host) {
        double const loop = time_of_loops<T>(shape, reversed, from.data(), dest.data(), bytes);
        std::printf(", %.2f times a loop of %.3f", loop / time, copy / loop);
      }
      std::printf("%s\n", wrong ? ", WRONG" : "");
      std::fflush(stdout);
      if (wrong) std::exit(1);
    }
}

template <class T, class Layout>
void in_layout(char const* type, Extents const& extents, char const* layout) {
  if (extents[0] == 1) {
    Kokkos::View<T**, Layout, Exec> const from("from", extents[1], extents[2]), dest("dest", extents[1], extents[2]);
    Kokkos::deep_copy(from, T(1));
    measure<T>(type, extents, layout, from, dest);
  } else {
    Kokkos::View<T***, Layout, Exec> const from("from", extents[0], extents[1], extents[2]),
        dest("dest", extents[0], extents[1], extents[2]);
    Kokkos::deep_copy(from, T(1));
    measure<T>(type, extents, layout, from, dest);
  }
}

}  // namespace

int main(int count, char** arguments) {
  Kokkos::ScopeGuard const kokkos(count, arguments);
  long const by = count > 1 ? std::atol(arguments[1]) : on_host ? 16 : 1;
  if (by < 1) {
    std::fprintf(stderr, "experiment_axes: by how much the tables are shorter must be 1 or more\n");
    return 1;
  }
  for (Extents extents : {Extents{1, 1'000'000, 72}, Extents{1, 72, 1'000'000}, Extents{1, 16384, 16384},
                          Extents{1, 256, std::size_t{1} << 20}, Extents{1, std::size_t{1} << 20, 256},
                          Extents{1, 3, 10'000'000}, Extents{1, 10'000'000, 3}, Extents{128, 512, 4096}}) {
    *std::max_element(extents.begin(), extents.end()) /= static_cast<std::size_t>(by);
    in_layout<float, Kokkos::LayoutRight>("f32", extents, "right");
    in_layout<float, Kokkos::LayoutLeft>("f32", extents, "left");
    in_layout<double, Kokkos::LayoutRight>("f64", extents, "right");
    in_layout<double, Kokkos::LayoutLeft>("f64", extents, "left");
  }
  return 0;
}
