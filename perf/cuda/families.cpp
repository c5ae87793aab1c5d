// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../backend.hpp"

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <memory>
#include <string>

#include "../algorithms.hpp"
#include "arena.hpp"
#include "copies.hpp"
#include "peers.hpp"
#include "timing.hpp"

namespace perf::cuda {
namespace {

constexpr char const* waits = "waits for the device: cannot be captured into a graph";

/// `Ours::call(where, p)` is the call to KokkosScan, `where` an execution space instance or a Handle.
template <class P, class Ours>
std::vector<Enqueue> contestants(std::shared_ptr<Arena<P>> const& arena, Mode mode, bool every_algorithm) {
  std::vector<Enqueue> list;
  auto const with_handle = [&](std::string const& name, KokkosScan::Options const& options) {
    using Handle      = KokkosScan::Handle<Kokkos::Cuda>;
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
  if (every_algorithm)
    for (KokkosScan::Options const& options : perf::every_algorithm<Kokkos::Cuda>())
      with_handle(name_of(options), options);
  return list;
}

template <class P, class Ours>
Comparison make(std::string const& operation, std::string const& type, typename Arena<P>::Shape const& shape, Mode mode,
                bool every_algorithm) {
  auto const arena = std::make_shared<Arena<P>>(shape);
  Comparison c;
  c.operation = operation;
  c.type      = type;
  c.n         = shape.n;
  c.bytes     = Arena<P>::bytes(shape);
  c.allocate  = [arena] { arena->allocate(); };
  c.prepare   = [arena] { arena->prepare(); };
  c.settle    = [arena] { arena->settle(); };
  c.check     = [arena] { return arena->check(); };

  std::size_t const buffers = Arena<P>::copies(shape);
  for (Enqueue const& enqueue : contestants<P, Ours>(arena, mode, every_algorithm))
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

struct Place {
  bool in_place = false;
  bool offsets  = false;
};

enum class Algorithms { automatic, every };

template <class P, class Ours>
void add(std::vector<Family>& list, std::string const& operation, std::string const& type,
         Algorithms algorithms = Algorithms::automatic, Place place = {}) {
  using Arena      = cuda::Arena<P>;
  auto const shape = [place](std::size_t n) {
    return typename Arena::Shape{.n = n, .in_place = place.in_place, .offsets = place.offsets};
  };
  for (auto const& [mode, suffix] : {std::pair{Mode::stream, ""}, {Mode::graph, "@graph"}, {Mode::sync, "@sync"}})
    list.push_back({.operation = operation + suffix,
                    .type      = type,
                    .largest   = std::size_t(1) << 28,
                    .memory    = [](std::size_t n) { return n * sizeof(typename P::To); },  // of the host
                    .make =
                        [=](std::size_t n) {
                          return make<P, Ours>(operation + suffix, type, shape(n), mode,
                                               algorithms == Algorithms::every);
                        }});
}

struct InclusiveSum {
  template <class P>
  static void call(auto const& where, P const& p) {
    KokkosScan::inclusive_scan(where, p.from, p.to);
  }
};
struct ExclusiveSum {
  template <class P>
  static void call(auto const& where, P const& p) {
    KokkosScan::exclusive_scan(where, p.from, p.to, typename P::To{});
  }
};
struct InclusiveMax {
  template <class P>
  static void call(auto const& where, P const& p) {
    KokkosScan::inclusive_scan(where, p.from, p.to, KokkosScan::Max{});
  }
};
struct InclusiveOwn {
  template <class P>
  static void call(auto const& where, P const& p) {
    KokkosScan::inclusive_scan(where, p.from, p.to, typename P::Op{});
  }
};
struct TransformExclusive {
  template <class P>
  static void call(auto const& where, P const& p) {
    KokkosScan::transform_exclusive_scan(where, p.from, p.to, typename P::To{}, KokkosScan::Sum{}, typename P::Unary{});
  }
};
struct Offsets {
  template <class P>
  static void call(auto const& where, P const& p) {
    using View = Kokkos::View<typename P::To*, Memory, Kokkos::MemoryUnmanaged>;
    KokkosScan::offsets_from_counts(where, p.from, View(p.first, p.n() + 1));
  }
};

/// A sum that no library recognises as one.
template <class T>
struct OwnPlus {
  KOKKOS_FUNCTION T operator()(T const& left, T const& right) const { return left + right; }
};

template <class T>
struct Half {
  KOKKOS_FUNCTION T operator()(T const& x) const { return x * T(0.5); }
};

template <class T>
void add_sum(std::vector<Family>& list) {
  add<OnDevice<T, T, Plus<T>>, InclusiveSum>(list, "inclusive_sum", type_name<T>(), Algorithms::every);
}
template <class T>
void add_max(std::vector<Family>& list) {
  add<OnDevice<T, T, Larger<T>, Rising, Kind::inclusive, Same, Larger>, InclusiveMax>(list, "inclusive_max",
                                                                                      type_name<T>());
}

std::vector<Family> all_families() {
  std::vector<Family> list;
  add_sum<std::int8_t>(list);
  add_sum<std::int16_t>(list);
  add_sum<std::int32_t>(list);
  add_sum<std::int64_t>(list);
  add_sum<float>(list);
  add_sum<double>(list);
  add<OnDevice<std::int32_t, std::int32_t, Plus<std::int32_t>, AroundZero, Kind::exclusive>, ExclusiveSum>(
      list, "exclusive_sum", "i32");
  add_max<std::int32_t>(list);
  add_max<float>(list);
  add<OnDevice<float, float, OwnPlus<float>>, InclusiveOwn>(list, "inclusive_lambda", "f32");
  add<OnDevice<float, float, Plus<float>, AroundZero, Kind::exclusive, Half<float>>, TransformExclusive>(
      list, "transform_exclusive", "f32");
  add<OnDevice<float, float, Plus<float>>, InclusiveSum>(list, "in_place", "f32", Algorithms::automatic,
                                                         {.in_place = true});
  add<OnDevice<std::int32_t, std::int64_t, Plus<std::int64_t>, Counts>, Offsets>(
      list, "offsets", "i32_i64", Algorithms::automatic, {.offsets = true});
  return list;
}

}  // namespace

std::size_t second_level_cache() {
  int device = 0, bytes = 0;
  require(cudaGetDevice(&device));
  require(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
  return static_cast<std::size_t>(bytes);
}

}  // namespace perf::cuda

namespace perf {

std::vector<Family> backend_families() { return cuda::all_families(); }

Facts backend_facts() {
  int device = 0, driver = 0, runtime = 0;
  cudaDeviceProp properties{};
  cuda::require(cudaGetDevice(&device));
  cuda::require(cudaGetDeviceProperties(&properties, device));
  cuda::require(cudaDriverGetVersion(&driver));
  cuda::require(cudaRuntimeGetVersion(&runtime));
  auto const version = [](int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  };
  return {{"gpu", properties.name},
          {"gpu memory", std::to_string(properties.totalGlobalMem >> 20) + " MiB"},
          {"gpu L2 cache", std::to_string(cuda::second_level_cache() >> 20) + " MiB"},
          {"CUDA", version(runtime) + ", driver for " + version(driver)}};
}

}  // namespace perf
