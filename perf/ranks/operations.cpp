// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.hpp"

#include <KokkosScan.hpp>
#include <KokkosScan/mpi.hpp>
#include <memory>
#include <type_traits>

#include "inputs.hpp"

namespace perf::ranks {
namespace {

namespace mpi = KokkosScan::mpi;

/// What goes ahead of a value in a message.
constexpr int envelope_bytes = 16;

template <class T>
int message_of() {
  return static_cast<int>(sizeof(T)) + envelope_bytes;
}

std::string told(std::size_t wrong, std::size_t n) {
  return wrong == 0 ? "" : std::to_string(wrong) + " of " + std::to_string(n) + " elements are wrong";
}

template <class T, Expected expected>
std::string check_sums(Array<T> const& sums, Part const& part) {
  std::size_t wrong = 0;
  Kokkos::parallel_reduce("check", Elements(0, part.n), CountWrongSums<T, expected>{sums, part.first}, wrong);
  return told(wrong, part.n);
}

template <class T>
struct Arrays {
  Array<T> from, dest;
  explicit Arrays(Part const& part) : from("from", part.n), dest("dest", part.n) {
    Kokkos::parallel_for("fill", Elements(0, part.n), FillValues<T>{from, part.first});
  }
};

/// What moves as many bytes as a scan must.
template <class T>
Contestant copy_of(Arrays<T> const& arrays, Part const& part) {
  return {copy, 2.0 * sizeof(T) * static_cast<double>(part.most), 0,
          [=, exec = Exec()] {
            Kokkos::deep_copy(exec, arrays.dest, arrays.from);
            exec.fence();
          },
          [] { return std::string(); }};
}

template <class T, Expected expected>
std::vector<Contestant> sums(Team const& team, Part const& part) {
  Arrays<T> const arrays(part);
  MPI_Comm const comm  = team.comm();
  double const bytes_n = sizeof(T) * static_cast<double>(part.most);
  Exec const exec;
  auto const check = [=] { return check_sums<T, expected>(arrays.dest, part); };
  std::vector<Contestant> all{copy_of(arrays, part)};
  // A rank that is alone, or the first, needs no aggregate before.
  bool const is_alone = team.size() == 1;
  all.push_back({ours, (is_alone ? 2 : 3) * bytes_n, message_of<T>(),
                 [=] {
                   if constexpr (expected == Expected::inclusive)
                     mpi::inclusive_scan(comm, exec, arrays.from, arrays.dest);
                   else
                     mpi::exclusive_scan(comm, exec, arrays.from, arrays.dest, T{0});
                   exec.fence();
                 },
                 check});
  if constexpr (expected == Expected::inclusive)
    all.push_back({alone, 2 * bytes_n, 0,
                   [=] {
                     KokkosScan::inclusive_scan(exec, arrays.from, arrays.dest);
                     exec.fence();
                   },
                   [] { return std::string(); }});
  if constexpr (expected == Expected::inclusive && std::is_same_v<T, double>)
    all.push_back({by_hand, (is_alone ? 2 : 4) * bytes_n, 0,
                   [=, n = part.n] {
                     double total = 0, before = 0;
                     KokkosScan::inclusive_scan(exec, arrays.from, arrays.dest, KokkosScan::Total{total});
                     MPI_Exscan(&total, &before, 1, MPI_DOUBLE, MPI_SUM, comm);
                     if (rank_of(comm) > 0)
                       Kokkos::parallel_for("add", Elements(exec, 0, n), AddToAll{arrays.dest, before});
                     exec.fence();
                   },
                   check});
  return all;
}

std::vector<Contestant> sums_by_key(Team const& team, Part const& part) {
  Arrays<double> const arrays(part);
  Array<std::int32_t> const keys("keys", part.n);
  Kokkos::parallel_for("keys", Elements(0, part.n), FillKeys{keys, part.first});
  MPI_Comm const comm = team.comm();
  double const bytes  = (2.0 * sizeof(double) + sizeof(std::int32_t)) * static_cast<double>(part.most);
  Exec const exec;
  std::vector<Contestant> all{copy_of(arrays, part)};
  // The message has a key, a value, and whether they are one run with what stands before.
  all.push_back({ours, bytes, message_of<double>() + 16,
                 [=] {
                   mpi::inclusive_scan_by_key(comm, exec, keys, arrays.from, arrays.dest);
                   exec.fence();
                 },
                 [=] { return check_sums<double, Expected::inclusive_by_key>(arrays.dest, part); }});
  all.push_back({alone, bytes, 0,
                 [=] {
                   KokkosScan::inclusive_scan_by_key(exec, keys, arrays.from, arrays.dest);
                   exec.fence();
                 },
                 [] { return std::string(); }});
  return all;
}

std::vector<Contestant> chosen(Team const& team, Part const& part) {
  Arrays<double> const arrays(part);
  Kokkos::parallel_for("numbers", Elements(0, part.n), FillNumbers{arrays.from, part.first});
  MPI_Comm const comm = team.comm();
  double const bytes  = 1.5 * sizeof(double) * static_cast<double>(part.most);
  Exec const exec;
  auto const found = std::make_shared<mpi::Share>();
  std::vector<Contestant> all{copy_of(arrays, part)};
  all.push_back({ours, bytes, message_of<std::uint64_t>(),
                 [=] {
                   *found = mpi::copy_if(comm, exec, arrays.from, arrays.dest, IsChosen{});
                   exec.fence();
                 },
                 [=] {
                   std::size_t count = 0, wrong = 0;
                   Kokkos::parallel_reduce("chosen", Elements(0, part.n), CountChosen{part.first}, count);
                   unsigned long long const here = count;
                   unsigned long long before = 0, total = 0;
                   MPI_Exscan(&here, &before, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm);
                   MPI_Allreduce(&here, &total, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm);
                   if (rank_of(comm) == 0) before = 0;
                   mpi::Share const share = *found;
                   if (share.count != count || share.before != before || share.total != total)
                     return "count, before and total are " + std::to_string(share.count) + ", " +
                            std::to_string(share.before) + ", " + std::to_string(share.total) + " and should be " +
                            std::to_string(count) + ", " + std::to_string(before) + ", " + std::to_string(total);
                   Kokkos::parallel_reduce("check", Elements(0, count),
                                           CountWrongNumbers{arrays.dest, part.first, part.first + part.n}, wrong);
                   return told(wrong, count);
                 }});
  auto const count = std::make_shared<std::size_t>(0);
  all.push_back({alone, bytes, 0,
                 [=] {
                   KokkosScan::copy_if(exec, arrays.from, arrays.dest, IsChosen{}, KokkosScan::Total{*count});
                   exec.fence();
                 },
                 [] { return std::string(); }});
  return all;
}

std::vector<Contestant> one_element(Team const& team, Part const& part) {
  Arrays<double> const arrays(part);
  MPI_Comm const comm = team.comm();
  int const rank      = team.rank();
  Exec const exec;
  auto const before = std::make_shared<double>(0);
  std::vector<Contestant> all;
  all.push_back({ours, 0, message_of<double>(),
                 [=] {
                   mpi::exclusive_scan(comm, exec, arrays.from, arrays.dest, 0.0);
                   exec.fence();
                 },
                 [=] { return check_sums<double, Expected::exclusive>(arrays.dest, part); }});
  all.push_back({exscan, 0, 0,
                 [=] {
                   double const here = value_at(static_cast<std::size_t>(rank));
                   MPI_Exscan(&here, before.get(), 1, MPI_DOUBLE, MPI_SUM, comm);
                 },
                 [=] {
                   bool const right = rank == 0 || *before == level(static_cast<std::size_t>(rank));
                   return std::string(right ? "" : "the sum of the ranks before is wrong");
                 }});
  return all;
}

}  // namespace

std::vector<Operation> operations_of_many() {
  return {{"inclusive_sum", "f64", 16, &sums<double, Expected::inclusive>},
          {"inclusive_sum", "f32", 8, &sums<float, Expected::inclusive>},
          {"exclusive_sum", "f64", 16, &sums<double, Expected::exclusive>},
          {"exclusive_sum", "f32", 8, &sums<float, Expected::exclusive>},
          {"inclusive_by_key_1024", "f64", 20, &sums_by_key},
          {"copy_if", "f64", 16, &chosen}};
}

Operation operation_of_one() { return {"one_element", "f64", 16, &one_element}; }

}  // namespace perf::ranks
