// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../algorithms.hpp"
#include "../comparison.hpp"
#include "arena.hpp"
#include "copies.hpp"
#include "peers.hpp"
#include "timing.hpp"

// From a Problem and the KokkosScan call that solves it to Families of comparisons.
namespace perf::cuda {

inline constexpr char const* waits = "waits for the device: cannot be captured into a graph";

/// `Ours::call(where, p)` is the call to KokkosScan, `where` an execution space instance or a Handle.
template <class P, class Ours>
std::vector<Enqueue> contestants(std::shared_ptr<Arena<P>> const& arena, Mode mode, Algorithms algorithms) {
  std::vector<Enqueue> list;
  auto const with_handle = [&](std::string const& name, KokkosScan::Options const& options) {
    using Handle      = decltype(KokkosScan::Handle(Kokkos::Cuda(), options));
    auto const handle = std::make_shared<std::unique_ptr<Handle>>();
    list.push_back({name, [=](std::size_t k) {
                      if (!*handle) {
                        *handle = std::make_unique<Handle>(kokkos_instance(), options);
                        (*handle)->template reserve<typename P::To>(arena->shape().n);
                      }
                      Ours::call(**handle, arena->problem(k));
                    }});
  };
  if (mode == Mode::graph)
    with_handle("KokkosScan", {});
  else
    list.push_back({"KokkosScan", [arena](std::size_t k) { Ours::call(kokkos_instance(), arena->problem(k)); }});

  auto const cub = std::make_shared<Cub<P>>();
  list.push_back({"cub::DeviceScan", [arena, cub](std::size_t k) { cub->run(arena->problem(k)); }});
  list.push_back({"Thrust", [arena](std::size_t k) { thrust_scan(arena->problem(k)); },
                  "takes scratch in each call: cannot be captured into a graph"});
  if constexpr (sizeof(typename P::To) > 1)
    list.push_back({"Kokkos::parallel_scan", [arena](std::size_t k) { kokkos_scan(arena->problem(k)); }, waits});
  if constexpr (!P::widens)
    list.push_back(
        {"Kokkos::Experimental", [arena](std::size_t k) { kokkos_experimental_scan(arena->problem(k)); }, waits});
  if (algorithms == Algorithms::every)
    for (KokkosScan::Options const& options : every_algorithm<Kokkos::Cuda>()) with_handle(name_of(options), options);
  return list;
}

template <class P, class Ours>
Comparison make(std::string const& operation, std::string const& type, Shape const& shape, Mode mode,
                Algorithms algorithms) {
  auto const arena = std::make_shared<Arena<P>>(shape);
  Comparison c     = comparison_in(arena, shape, operation, type);

  std::size_t const buffers = Arena<P>::copies(shape);
  for (Enqueue const& enqueue : contestants<P, Ours>(arena, mode, algorithms))
    c.contestants.push_back(contestant(enqueue, mode, buffers));
  if constexpr (sizeof(typename P::To) == 1)
    c.contestants.push_back(
        {.name = "Kokkos::parallel_scan", .missing = "wrong results for values of 1 byte (Kokkos 5.0.2)"});
  if constexpr (P::widens)
    c.contestants.push_back({.name = "Kokkos::Experimental", .missing = "adds in the type of the input"});

  std::size_t const half = static_cast<std::size_t>(c.bytes) / 2;
  c.copies               = {
      contestant({"cudaMemcpyAsync", [=](std::size_t k) { copy_by_runtime(arena->to(k), arena->from(k), half); }}, mode,
                               buffers),
      contestant({"copy kernel", [=](std::size_t k) { copy_by_kernel(arena->to(k), arena->from(k), half); }}, mode,
                               buffers),
  };
  c.check_copy     = [arena, half] { return arena->check_copy(half); };
  Contestant floor = contestant({"empty kernel", [](std::size_t) { empty_kernel(); }}, mode, buffers);
  floor.is_floor   = true;
  c.contestants.push_back(floor);
  return c;
}

/// The largest n, for those who ask for it by a filter: arrays of 1 to 16 GiB.
inline constexpr std::size_t largest = std::size_t{1} << 30;

/// The families of an operation, one for each way to take the time.
template <class P, class Ours>
std::vector<Family> families(std::string const& operation, std::string const& type,
                             Algorithms algorithms = Algorithms::automatic, Placement placement = {}) {
  std::vector<Family> list;
  for (auto const& [mode, suffix] : {std::pair{Mode::stream, ""}, {Mode::graph, "@graph"}, {Mode::sync, "@sync"}})
    list.push_back(
        {.operation = operation + suffix,
         .type      = type,
         .largest   = largest,
         .memory    = [](std::size_t n) { return n * sizeof(typename P::To); },  // of the host
         .make =
             [=](std::size_t n) { return make<P, Ours>(operation + suffix, type, {n, placement}, mode, algorithms); }});
  return list;
}

inline std::vector<Family> joined(std::initializer_list<std::vector<Family>> lists) {
  std::vector<Family> all;
  for (auto const& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace perf::cuda
