// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
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

/// Whether a grid algorithm takes as many values of that type.
template <class Value, class Backend = KokkosScan::driver::Backend<backend::Exec>>
bool takes(KokkosScan::GridScan grid, std::size_t n) {
  if constexpr (requires { Backend::template most_values<Value>(grid); })
    return n <= Backend::template most_values<Value>(grid);
  else
    return true;
}

/// Every pair of grid and block that the backend serves, for n values of that type.
template <class Value>
std::vector<KokkosScan::Options> every_algorithm(std::size_t n) {
  std::vector<KokkosScan::Options> list;
  for (auto const& [grid, grid_name] : KokkosScan::core::grid_scan_names)
    for (auto const& [block, block_name] : KokkosScan::core::block_scan_names) {
      KokkosScan::Options const options{.grid = grid, .block = block};
      if (!takes<Value>(grid, n)) continue;
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

/// A comparison in the making: who takes part in solving a Problem P.
template <class P>
class Contest {
 public:
  Contest(std::string const& operation, std::string const& type, Shape const& shape, backend::Mode mode)
      : mode_(mode),
        arena_(std::make_shared<Arena<P>>(shape)),
        comparison_{.operation = operation,
                    .type      = type,
                    .caches    = arena_->caches(),
                    .n         = shape.n,
                    .bytes     = arena_->bytes(),
                    .memory    = arena_->memory_of_the_host()} {
    comparison_.allocate   = [arena = arena_] { arena->allocate(); };
    comparison_.prepare    = [arena = arena_] { arena->prepare(); };
    comparison_.settle     = [arena = arena_] { arena->settle(); };
    comparison_.check      = [arena = arena_] { return arena->check(); };
    comparison_.check_copy = [arena = arena_] { return arena->check_copy(); };
  }

  /// `call(p)` does the work of one problem; `no_graph` says why it cannot be captured into a CUDA graph, if so.
  template <class Call>
  void add(std::string const& name, Call const& call, char const* workers, char const* no_graph = nullptr) {
    comparison_.contestants.push_back(
        backend::contestant({name, workers, no_graph}, mode_, arena_->memory().size(),
                            [arena = arena_, call](std::size_t k) { call(arena->problem(k)); }));
  }
  void missing(char const* name, char const* why) { comparison_.contestants.push_back({.name = name, .missing = why}); }

  /// `ours(where, p)` is the call to KokkosScan, `where` an execution space instance that was made before, as a code
  /// that calls it has one, or a Handle.
  template <class Ours>
  void add_ours(std::string const& name, Ours const& ours) {
    if constexpr (backend::is_device)  // or every call to KokkosScan would be compiled twice for nothing
      if (backend::wants_handle(mode_)) return add_handle(name, ours);
    add(name, [exec = backend::instance(), ours](P const& p) { ours(exec, p); }, backend::workers());
  }
  /// One with Options compiles every algorithm, so that it is not there where none is asked for.
  template <class Ours, class... Options>
  void add_handle(std::string const& name, Ours const& ours, Options const&... options) {
    using Handle      = decltype(KokkosScan::Handle(backend::Exec(), options...));
    using Value       = std::conditional_t<P::by_key, KokkosScan::core::Keyed<typename P::To>, typename P::To>;
    auto const handle = std::make_shared<std::optional<Handle>>();
    add(
        name,
        [handle, ours, options...](P const& p) {
          if (!*handle) {
            handle->emplace(backend::instance(), options...);
            (*handle)->template reserve<Value>(p.n());
          }
          ours(**handle, p);
        },
        backend::workers());
  }
  template <class Scan>
  void add_kokkos(char const* name, Scan const& scan) {
    add(name, scan, backend::workers(), "waits for the device: cannot be captured into a graph");
  }

  /// Who was added last goes from the first element to the last, and solves another problem than the others.
  void last_goes_forward() {
    comparison_.contestants.back().check = [arena = arena_] { return arena->check(false); };
  }

  std::size_t n() const { return comparison_.n; }

  Comparison done() {
    backend::complete(comparison_, mode_, *arena_);
    return std::move(comparison_);
  }

 private:
  backend::Mode mode_;
  std::shared_ptr<Arena<P>> arena_;
  Comparison comparison_;
};

/// The families of an operation, one for each way to take the time. `add(contest)` says who takes part.
template <class P, class Add>
std::vector<Family> families_of(std::string const& operation, std::string const& type, Shape const& shape,
                                Add const& add) {
  std::vector<Family> list;
  for (auto const& [mode, suffix] : backend::modes)
    list.push_back({.operation = operation + suffix,
                    .type      = type,
                    .largest   = P::stride == 1 ? backend::largest : backend::largest / 4,
                    .make      = [=, timing = mode, name = operation + suffix](std::size_t n) {
                      Contest<P> contest(name, type, {n, shape.placement, shape.run, backend::is_warm(timing)}, timing);
                      add(contest);
                      return contest.done();
                    }});
  return list;
}

/// KokkosScan beside everything else that does the same.
template <class P, Algorithms algorithms = Algorithms::automatic, class Ours>
std::vector<Family> families(std::string const& operation, std::string const& type, Ours const& ours,
                             Placement placement = {}) {
  return families_of<P>(operation, type, {.n = 0, .placement = placement}, [ours](Contest<P>& contest) {
    contest.add_ours("KokkosScan", ours);
    backend::add_peers<P>(contest);
    if constexpr (backend::is_device && sizeof(typename P::To) == 1)
      contest.missing("Kokkos::parallel_scan", "wrong results for values of 1 byte (Kokkos 5.0.2)");
    else
      contest.add_kokkos("Kokkos::parallel_scan", kokkos_scan<P>);
    if constexpr (P::widens)
      contest.missing("Kokkos::Experimental", "adds in the type of the input");
    else
      contest.add_kokkos("Kokkos::Experimental", kokkos_experimental_scan<P>);
    if constexpr (algorithms == Algorithms::every)
      for (KokkosScan::Options const& options : every_algorithm<typename P::To>(contest.n()))
        contest.add_handle(name_of(options), ours, options);
  });
}

/// Measured where a filter asks for them.
inline std::vector<Family> on_request(Lists lists) {
  std::vector<Family> all = all_of(lists);
  for (Family& family : all) family.on_request = true;
  return all;
}

}  // namespace perf
