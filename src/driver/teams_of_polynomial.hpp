// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <string>

#include "../core/polynomial.hpp"
#include "../exec/kernel_event.hpp"
#include "run_scan.hpp"

// A polynomial at few points on a device: a team to each part and point. Its threads are lanes (core/polynomial.hpp):
// neighbours read neighbours, and each has some coefficients under way.
namespace KokkosScan::driver {

inline constexpr int threads_of_polynomial      = 256;
inline constexpr std::size_t rows_of_team_least = 16;
inline constexpr std::size_t team_parts_most    = 4096;  // what one team puts together
inline constexpr int coefficients_at_once       = 8;

/// So that there are few parts of many coefficients, but enough for a device.
inline std::size_t length_of_team_part(std::size_t n) {
  constexpr std::size_t row = threads_of_polynomial;
  return row * std::max(rows_of_team_least, (n + row * team_parts_most - 1) / (row * team_parts_most));
}

/// What a polynomial of `count` coefficients, one a step of the array behind the other, is at x: by a team.
template <class Exec, class T>
struct TeamHorner {
  using Team    = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Scratch = Kokkos::View<T*, typename Exec::scratch_memory_space, Kokkos::MemoryUnmanaged>;

  static constexpr int lanes = threads_of_polynomial;

  static std::size_t scratch_bytes() { return Scratch::shmem_size(lanes); }

  template <class Array>
  KOKKOS_FUNCTION static T lane(Array const& coefficients, std::size_t begin, std::size_t count, std::size_t t,
                                core::Power<T> const& step) {
    constexpr std::size_t most = coefficients_at_once;
    if (t >= count) return T(0);
    std::size_t row = (count - 1 - t) / lanes;
    T value         = static_cast<T>(coefficients[begin + t + row * lanes]);
    for (; row >= most; row -= most) {
      T some[most];
      for (std::size_t k = 0; k < most; ++k) some[k] = static_cast<T>(coefficients[begin + t + (row - 1 - k) * lanes]);
      for (std::size_t k = 0; k < most; ++k) value = core::horner_step(value, step, some[k]);
    }
    for (; row-- > 0;) value = core::horner_step(value, step, static_cast<T>(coefficients[begin + t + row * lanes]));
    return value;
  }

  /// In values(0), for all threads once they have met.
  template <class Array>
  KOKKOS_FUNCTION static void run(Team const& team, Scratch const& values, Array const& coefficients, std::size_t begin,
                                  std::size_t count, core::Power<T> const& x) {
    core::Power<T> const step = core::power(x, lanes);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, lanes), [&](int t) {
      values(t) = lane(coefficients, begin, count, static_cast<std::size_t>(t), step);
    });
    for (int half = lanes / 2; half > 0; half /= 2) {
      team.team_barrier();
      core::Power<T> const weight = core::power(x, static_cast<std::size_t>(half));
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, half),
                           [&](int t) { values(t) = core::horner_step(values(t + half), weight, values(t)); });
    }
    team.team_barrier();
  }
};

/// The parts, or what they are together.
template <class Exec, class Parts, bool together>
struct TeamsOfPolynomial {
  using T      = typename Parts::T;
  using Horner = TeamHorner<Exec, T>;
  Parts all;

  KOKKOS_FUNCTION void operator()(typename Horner::Team const& team) const {
    typename Horner::Scratch const values(team.team_scratch(0), Horner::lanes);
    auto const k            = static_cast<std::size_t>(team.league_rank());
    std::size_t const point = k % all.count, part = k / all.count;
    core::Power<T> const x{all.points[point]};
    if constexpr (together)
      Horner::run(team, values, core::Strided<T>{all.values + point, static_cast<std::ptrdiff_t>(all.count)}, 0,
                  all.parts, core::power(x, all.length));
    else
      Horner::run(team, values, all.coefficients, part * all.length, all.length_of(part), x);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      if constexpr (together)
        all.results[point] = static_cast<std::remove_reference_t<decltype(all.results[point])>>(values(0));
      else
        all.put(part, point, values(0));
    });
  }
};

/// Teams of so many threads; as many as lanes, but in tests on a host.
template <int threads = threads_of_polynomial, class ExecOrHandle, class Parts>
void run_teams(std::string const& label, ExecOrHandle const& exec_or_handle, Parts const& parts) {
  using Exec       = InstanceOf<ExecOrHandle>;
  auto const& exec = driver::instance(exec_or_handle);
  driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
    auto const policy = [&](std::size_t teams) {
      Kokkos::TeamPolicy<Exec> all(exec, static_cast<int>(teams), threads);
      all.set_scratch_size(0, Kokkos::PerTeam(TeamHorner<Exec, typename Parts::T>::scratch_bytes()));
      return all;
    };
    exec::dispatch(shown, exec, policy(parts.parts * parts.count), TeamsOfPolynomial<Exec, Parts, false>{parts});
    if (parts.parts > 1) exec::dispatch(shown, exec, policy(parts.count), TeamsOfPolynomial<Exec, Parts, true>{parts});
  });
}

}  // namespace KokkosScan::driver
