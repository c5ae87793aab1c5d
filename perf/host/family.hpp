// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../algorithms.hpp"
#include "../comparison.hpp"
#include "arena.hpp"
#include "cores.hpp"
#include "peers.hpp"

// From a Problem and the KokkosScan call that solves it to a Family of comparisons.
namespace perf::host {

/// Copies of the same elements: of a strided View a contiguous copy would be no measure.
template <class P>
std::vector<Contestant> strided_copies(std::shared_ptr<Arena<P>> const& arena) {
  auto const copy = [arena](std::size_t begin, std::size_t end) {
    P const p = arena->problem();
    for (std::size_t i = begin; i < end; ++i) p.to(i) = p.from(i);
  };
  std::size_t const n = arena->shape().n;
  std::vector<Contestant> list{
      {.name = "parallel strided loop", .run = [copy, n] { for_each_block(n, copy); }, .workers = kokkos_workers()}};
  if (n * P::stride * sizeof(typename P::To) <= one_thread_is_enough)
    list.push_back({.name = "strided loop of one thread", .run = [copy, n] { copy(0, n); }});
  return list;
}

template <class P>
std::string check_strided_copy(Arena<P> const& arena) {
  P const& p = arena.problem();
  for (std::size_t i = 0; i < p.n(); ++i)
    if (p.to(i) != p.from(i)) return "element " + std::to_string(i) + " is not a copy";
  return {};
}

/// `ours(where, p)` is the call to KokkosScan, `where` an execution space instance or a Handle.
template <class P, class Ours>
Comparison make_comparison(std::string operation, std::string type, Shape const& shape, Ours const& ours,
                           Algorithms algorithms) {
  auto const arena = std::make_shared<Arena<P>>(shape);
  Comparison c     = comparison_in(arena, shape, std::move(operation), std::move(type));

  if (can_tell_shares_of_cores()) c.share_of_cores = share_of_cores;
  c.who_asks = kokkos_workers();
  // With an instance that was made before, as a code that calls it has one: making it takes 21 ns, scanning as little.
  c.contestants.push_back({.name    = "KokkosScan",
                           .run     = [arena, ours, exec = Space()] { ours(exec, arena->problem()); },
                           .workers = kokkos_workers()});
  for (Peer<P> const& peer : peers<P>())
    if (peer.missing)
      c.contestants.push_back({.name = peer.name, .missing = peer.missing});
    else
      c.contestants.push_back(
          {.name = peer.name, .run = [arena, run = peer.run] { run(arena->problem()); }, .workers = peer.workers});
  if (algorithms == Algorithms::every)
    for (KokkosScan::Options const& options : every_algorithm<Space>())
      c.contestants.push_back(
          {.name    = name_of(options),
           .run     = [arena, ours, handle = KokkosScan::Handle(Space(), options)] { ours(handle, arena->problem()); },
           .workers = kokkos_workers()});

  if constexpr (P::stride == 1) {
    auto const half = static_cast<std::size_t>(c.bytes) / 2;
    c.copies        = copies(arena->from(), arena->to(), half);
    c.check_copy    = [arena, half]() -> std::string {
      return std::memcmp(arena->from().data(), arena->to().data(), half) == 0 ? "" : "the copy differs";
    };
  } else {
    c.copies     = strided_copies(arena);
    c.check_copy = [arena] { return check_strided_copy(*arena); };
  }
  return c;
}

template <class P, class Ours>
Family family(std::string const& operation, std::string const& type, std::size_t largest, Ours const& ours,
              Algorithms algorithms = Algorithms::automatic, Placement placement = {}) {
  return {.operation = operation,
          .type      = type,
          .largest   = largest,
          .memory    = [placement](std::size_t n) { return Arena<P>::memory({n, placement}); },
          .make = [=](std::size_t n) { return make_comparison<P>(operation, type, {n, placement}, ours, algorithms); }};
}

inline constexpr std::size_t large = std::size_t(1) << 28;

}  // namespace perf::host
