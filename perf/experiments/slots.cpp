// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/offsets.hpp>
#include <KokkosScan/rows.hpp>
#include <KokkosScan/scan.hpp>
#include <KokkosScan/slots.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include "ragged_rows.hpp"

// Ragged rows and slots on the default space beside what users write and a copy of the bytes that must move, each
// result checked:
//
//   experiment_slots [divisor of the sizes; 1 on a device, 64 on a host if there is none]
namespace {

using Exec    = Kokkos::DefaultExecutionSpace;
using Indices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
using Ints    = Kokkos::View<std::int32_t*, Exec>;
using Floats  = Kokkos::View<float*, Exec>;
using Flags   = Kokkos::View<bool*, Exec>;
using Longs   = Kokkos::View<std::int64_t*, Exec>;
using bench::of_length;
using bench::of_power_law;
using bench::Offsets;
using Team = Kokkos::TeamPolicy<Exec>::member_type;

constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
bool all_right         = true;

/// The median of seven samples of as many calls as take 3 ms, in microseconds.
template <class Call>
double time_of(Call const& call) {
  auto const sample_of = [&](int calls) {
    Kokkos::fence();
    Kokkos::Timer const timer;
    for (int k = 0; k < calls; ++k) call();
    Kokkos::fence();
    return timer.seconds() * 1e6 / calls;
  };
  sample_of(1);
  double const once = sample_of(1);
  int const calls   = static_cast<int>(std::clamp(3000.0 / once, 1.0, 1000.0));
  std::array<double, 7> samples{};
  for (double& sample : samples) sample = sample_of(calls);
  std::sort(samples.begin(), samples.end());
  return samples[3];
}

double time_of_copy(double bytes) {
  Kokkos::View<char*, Exec> const from("from", static_cast<std::size_t>(bytes / 2)), to("to", from.extent(0));
  return time_of([&] { Kokkos::deep_copy(Exec(), to, from); });
}

void print(std::string const& what, double ours, char const* peer_name, double peer, double copy, long wrong) {
  std::printf("%-44s %11.1f us; copy %11.1f us: %.3f of its speed; %s %11.1f us: %.2f times its speed%s\n",
              what.c_str(), ours, copy, copy / ours, peer_name, peer, peer / ours, wrong != 0 ? "; WRONG" : "");
  std::fflush(stdout);
  if (wrong != 0) all_right = false;
}

// Rows.

Ints to_device(Offsets const& offsets) {
  Ints const on("offsets", offsets.size());
  Kokkos::deep_copy(on, Kokkos::View<std::int32_t const*, Kokkos::HostSpace>(offsets.data(), offsets.size()));
  return on;
}

/// y = x times the number of its row.
struct Scale {
  Floats x, of_row, y;
  KOKKOS_FUNCTION void operator()(std::size_t row, std::size_t item) const { y(item) = x(item) * of_row(row); }
};
struct ScaleByTeams {
  Scale scale;
  Ints offsets;
  KOKKOS_FUNCTION void operator()(Team const& team) const {
    auto const row = static_cast<std::size_t>(team.league_rank());
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, offsets(row), offsets(row + 1)),
                         [&](int item) { scale(row, static_cast<std::size_t>(item)); });
  }
};
struct ScaleByThreads {
  Scale scale;
  Ints offsets;
  KOKKOS_FUNCTION void operator()(std::size_t row) const {
    for (auto item = offsets(row); item < offsets(row + 1); ++item) scale(row, static_cast<std::size_t>(item));
  }
};
/// The row is known without being looked for: items of 64 in a row.
struct ScaleItems {
  Scale scale;
  KOKKOS_FUNCTION void operator()(std::size_t item) const { scale(item / 64, item); }
};
struct Different {
  Floats a, b;
  KOKKOS_FUNCTION void operator()(std::size_t i, long& sum) const { sum += a(i) != b(i) ? 1 : 0; }
};

/// Returns the time of ours.
double each_slot(std::string const& name, Offsets const& given, double bound) {
  std::size_t const rows = given.size() - 1, items = static_cast<std::size_t>(given.back());
  Ints const offsets = to_device(given);
  Scale const scale{Floats("x", items), Floats("of row", rows), Floats("y", items)};
  Scale const reference{scale.x, scale.of_row, Floats("reference", items)};
  Kokkos::parallel_for(Indices(0, items), KOKKOS_LAMBDA(std::size_t i) { scale.x(i) = static_cast<float>(i % 1021); });
  Kokkos::parallel_for(Indices(0, rows), KOKKOS_LAMBDA(std::size_t r) { scale.of_row(r) = static_cast<float>(r); });
  Kokkos::parallel_for(Indices(0, rows), ScaleByThreads{reference, offsets});
  double const ours = time_of([&] { KokkosScan::for_each_slot(Exec(), offsets, scale); });
  long wrong        = 0;
  Kokkos::parallel_reduce(Indices(0, items), Different{scale.y, reference.y}, wrong);
  double const copy    = time_of_copy(8.0 * static_cast<double>(items) + 8.0 * static_cast<double>(rows));
  double const threads = time_of([&] { Kokkos::parallel_for(Indices(0, rows), ScaleByThreads{scale, offsets}); });
  double const teams   = time_of([&] {
    Kokkos::parallel_for(Kokkos::TeamPolicy<Exec>(static_cast<int>(rows), on_host ? 1 : 32),
                           ScaleByTeams{scale, offsets});
  });
  print("for_each_slot, " + name, ours, "a thread a row", threads, copy, wrong);
  print("", ours, "a team a row", teams, copy, 0);
  if (on_host) {
    ScaleByThreads const serial{scale, offsets};
    print("", ours, "serial", time_of([&] {
            for (std::size_t row = 0; row < rows; ++row) serial(row);
          }),
          copy, 0);
  }
  if (bound > 0) print("", ours, "items whose row is known", bound, copy, 0);
  return ours;
}

void all_slots(std::int64_t items, std::size_t rows) {
  auto const count = static_cast<std::size_t>(items);
  double bound     = 0;
  {
    ScaleItems const scale{{Floats("x", count), Floats("of row", count / 64 + 1), Floats("y", count)}};
    bound = time_of([&] { Kokkos::parallel_for(Indices(0, count), scale); });
  }
  std::string const size = std::to_string(items) + " in " + std::to_string(rows) + " rows, ";
  double const even      = each_slot(size + "even", of_length(items, 64), bound);
  double const law       = each_slot(size + "power law", of_power_law(items, rows), bound);
  std::printf("for_each_slot: rows of a power law have %.3f of the speed of even ones\n", even / law);
}

// Owners.

struct WrongOwner {
  Ints offsets, owner;
  KOKKOS_FUNCTION void operator()(std::size_t j, long& sum) const {
    auto const row  = static_cast<std::size_t>(owner(j));
    bool const none = row + 1 >= offsets.extent(0);
    sum += none || static_cast<std::size_t>(offsets(row)) > j || static_cast<std::size_t>(offsets(row + 1)) <= j;
  }
};
struct PutSeed {
  Ints offsets, owner;
  KOKKOS_FUNCTION void operator()(std::size_t row) const {
    if (offsets(row) < offsets(row + 1)) owner(static_cast<std::size_t>(offsets(row))) = static_cast<std::int32_t>(row);
  }
};
void owner_of_each(std::string const& name, Offsets const& given) {
  std::size_t const rows = given.size() - 1, items = static_cast<std::size_t>(given.back());
  Ints const offsets = to_device(given), owner("owner", items);
  double const ours  = time_of([&] { KokkosScan::owners(Exec(), offsets, owner); });
  long wrong         = 0;
  Kokkos::parallel_reduce(Indices(0, items), WrongOwner{offsets, owner}, wrong);
  double const copy = time_of_copy(4.0 * static_cast<double>(items + rows));
  double const scan = time_of([&] {
    Kokkos::deep_copy(Exec(), owner, 0);
    Kokkos::parallel_for(Indices(0, rows), PutSeed{offsets, owner});
    KokkosScan::inclusive_scan(Exec(), owner, owner, KokkosScan::Max{});
  });
  print("owners, " + std::to_string(items) + " in rows of " + name, ours, "seeds and a max scan", scan, copy, wrong);
  if (on_host)
    print("", ours, "serial", time_of([&] {
            std::int32_t const* const begins = offsets.data();
            std::int32_t* const put          = owner.data();
            for (std::size_t row = 0; row < rows; ++row)
              for (std::int32_t j = begins[row]; j < begins[row + 1]; ++j) put[j] = static_cast<std::int32_t>(row);
          }),
          copy, 0);
}
void all_owners(std::int64_t items) {
  for (std::int64_t const length : std::vector<std::int64_t>{1, 10, 1000})
    owner_of_each(std::to_string(length), of_length(items, length));
  owner_of_each("a power law", of_power_law(items, static_cast<std::size_t>(items / 64)));
}

// Slots.

struct Compare {
  Ints requests;
  Longs begins;
  Flags granted;
  std::int64_t capacity;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { granted(i) = begins(i) + requests(i) <= capacity; }
};
struct WrongSlots {
  Compare expected;
  Longs begins;
  Flags granted;
  KOKKOS_FUNCTION void operator()(std::size_t i, long& sum) const {
    sum += begins(i) != expected.begins(i) || granted(i) != expected.granted(i) ? 1 : 0;
  }
};
void slots(std::size_t n) {
  Ints const requests("requests", n);
  Longs const begins("begins", n);
  Flags const granted("granted", n);
  auto const capacity = static_cast<std::int64_t>(n);
  Kokkos::parallel_for(Indices(0, n), KOKKOS_LAMBDA(std::size_t i) { requests(i) = static_cast<int>(i * i % 5); });
  Compare const expected{requests, Longs("expected", n), Flags("expected", n), capacity};
  double const ours = time_of([&] { KokkosScan::allocate_slots(Exec(), requests, capacity, begins, granted); });
  auto const peer   = [&] {
    KokkosScan::exclusive_scan(Exec(), requests, expected.begins, std::int64_t{0});
    Kokkos::parallel_for(Indices(0, n), expected);
  };
  double const two_kernels = time_of(peer);
  long wrong               = 0;
  Kokkos::parallel_reduce(Indices(0, n), WrongSlots{expected, begins, granted}, wrong);
  double const copy = time_of_copy(13.0 * static_cast<double>(n));
  print("allocate_slots, " + std::to_string(n), ours, "a scan and a kernel", two_kernels, copy, wrong);
  KokkosScan::Arena<Floats> const arena(Floats("memory", n));
  double const in_arena = time_of([&] {
    arena.reset(Exec());
    arena.allocate(Exec(), requests, begins, granted);
  });
  wrong                 = 0;
  Kokkos::parallel_reduce(Indices(0, n), WrongSlots{expected, begins, granted}, wrong);
  print("in an arena, " + std::to_string(n), in_arena, "a scan and a kernel", two_kernels, copy, wrong);
  if (on_host)
    print("allocate_slots, " + std::to_string(n), ours, "serial", time_of([&] {
            std::int32_t const* const asked = requests.data();
            std::int64_t* const put         = begins.data();
            bool* const fits                = granted.data();
            std::int64_t sum                = 0;
            for (std::size_t i = 0; i < n; ++i) {
              put[i] = sum;
              sum += asked[i] > 0 ? asked[i] : 0;
              fits[i] = sum <= capacity;
            }
          }),
          copy, 0);
}

}  // namespace

int main(int count, char** arguments) {
  Kokkos::ScopeGuard const kokkos(count, arguments);
  std::int64_t const divisor = count > 1 ? std::atoll(arguments[1]) : on_host ? 64 : 1;
  if (divisor < 1 || divisor > 1 << 16) {
    std::fprintf(stderr, "experiment_slots: the divisor of the sizes must be from 1 to 65536\n");
    return 1;
  }
  std::int64_t const items = (std::int64_t{1} << 26) / divisor;
  all_slots(items, static_cast<std::size_t>(items / 64));
  all_owners((std::int64_t{1} << 28) / divisor);
  slots(static_cast<std::size_t>((std::int64_t{1} << 26) / divisor));
  slots(static_cast<std::size_t>((std::int64_t{1} << 20) / divisor));
  std::puts(all_right ? "all results are right" : "RESULTS ARE WRONG");
  return all_right ? 0 : 1;
}
