// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena.hpp"
#include "comparison.hpp"
#include "kokkos_peers.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "cuda/peers.hpp"
#else
#include "host/peers.hpp"
#endif

// From a Problem and the KokkosScan call that solves it to Families of comparisons.
namespace perf {

/// Whether KokkosScan takes part with its own choice alone, or with every algorithm besides.
enum class Algorithms { automatic, every };

/// Every pair of grid and block that the backend serves.
inline std::vector<KokkosScan::Options> every_algorithm() {
  std::vector<KokkosScan::Options> list;
  for (auto const& [grid, grid_name] : KokkosScan::core::grid_scan_names)
    for (auto const& [block, block_name] : KokkosScan::core::block_scan_names) {
      KokkosScan::Options const options{.grid = grid, .block = block};
      try {
        KokkosScan::driver::check<KokkosScan::driver::Backend<backend::Exec>>(backend::Exec(), options);
        list.push_back(options);
      } catch (std::invalid_argument const&) {
      }
    }
  return list;
}

inline std::string name_of(KokkosScan::Options const& options) {
  std::string name = "KokkosScan/" + to_string(options.grid);
  if (options.block != KokkosScan::BlockScan::automatic) name += "+" + to_string(options.block);
  return name;
}

/// `ours(where, p)` is the call to KokkosScan, `where` an execution space instance or a Handle. One with Options
/// compiles every algorithm, so that it is not there where none is asked for.
template <class P, Algorithms algorithms, class Ours>
Comparison make_comparison(std::string const& operation, std::string const& type, Shape const& shape,
                           backend::Mode mode, Ours const& ours) {
  using To         = typename P::To;
  auto const arena = std::make_shared<Arena<P>>(shape);
  Comparison c{.operation = operation,
               .type      = type,
               .n         = shape.n,
               .bytes     = arena->bytes(),
               .memory    = arena->memory_of_the_host()};
  c.allocate   = [arena] { arena->allocate(); };
  c.prepare    = [arena] { arena->prepare(); };
  c.settle     = [arena] { arena->settle(); };
  c.check      = [arena] { return arena->check(); };
  c.check_copy = [arena] { return arena->check_copy(); };

  // `call` does the work of one problem; `no_graph` says why it cannot be captured into a CUDA graph, if so.
  auto const add = [&](std::string const& name, auto call, char const* workers, char const* no_graph = nullptr) {
    c.contestants.push_back(backend::contestant({name, workers, no_graph}, mode, arena->memory().size(),
                                                [arena, call](std::size_t k) { call(arena->problem(k)); }));
  };
  auto const missing = [&](char const* name, char const* why) {
    c.contestants.push_back({.name = name, .missing = why});
  };
  auto const add_handle = [&](std::string const& name, auto const&... options) {
    using Handle      = decltype(KokkosScan::Handle(backend::Exec(), options...));
    auto const handle = std::make_shared<std::optional<Handle>>();
    add(
        name,
        [handle, ours, options...](P const& p) {
          if (!*handle) {
            handle->emplace(backend::instance(), options...);
            (*handle)->template reserve<To>(p.n());
          }
          ours(**handle, p);
        },
        backend::workers());
  };

  if (backend::wants_handle(mode))
    add_handle("KokkosScan");
  else  // with an instance that was made before, as a code that calls it has one
    add("KokkosScan", [exec = backend::instance(), ours](P const& p) { ours(exec, p); }, backend::workers());
  backend::add_peers<P>(add, missing);
  constexpr char const* waits = "waits for the device: cannot be captured into a graph";
  if constexpr (backend::is_device && sizeof(To) == 1)
    missing("Kokkos::parallel_scan", "wrong results for values of 1 byte (Kokkos 5.0.2)");
  else
    add("Kokkos::parallel_scan", kokkos_scan<P>, backend::workers(), waits);
  if constexpr (P::widens)
    missing("Kokkos::Experimental", "adds in the type of the input");
  else
    add("Kokkos::Experimental", kokkos_experimental_scan<P>, backend::workers(), waits);
  if constexpr (algorithms == Algorithms::every)
    for (KokkosScan::Options const& options : every_algorithm()) add_handle(name_of(options), options);
  backend::complete(c, mode, *arena);
  return c;
}

/// The families of an operation, one for each way to take the time.
template <class P, Algorithms algorithms = Algorithms::automatic, class Ours>
std::vector<Family> families(std::string const& operation, std::string const& type, Ours const& ours,
                             Placement placement = {}) {
  std::vector<Family> list;
  for (auto const& [mode, suffix] : backend::modes)
    list.push_back({.operation = operation + suffix,
                    .type      = type,
                    .largest   = P::stride == 1 ? backend::largest : backend::largest / 4,
                    .make      = [=, timing = mode, name = operation + suffix](std::size_t n) {
                      return make_comparison<P, algorithms>(name, type, {n, placement}, timing, ours);
                    }});
  return list;
}

}  // namespace perf
