// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "../arena.hpp"
#include "../problem.hpp"
#include "timing.hpp"

namespace perf::cuda {

using Memory = Kokkos::CudaSpace;

template <class From, class To, class Op, class Input = AroundZero, Kind kind = Kind::inclusive, class Unary = Same,
          template <class> class ExactOp = Plus>
using OnDevice = Problem<From, To, Op, Input, kind, Unary, ExactOp, 1, Memory>;

std::size_t second_level_cache();

/// The index of Kokkos::Cuda itself has 32 bits, and from 2^32 on Kokkos refuses.
using Elements = Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::size_t>>;

template <class P>
struct Fill {
  Kokkos::View<typename P::From*, Memory, Kokkos::MemoryUnmanaged> from;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { from(i) = as_value<typename P::From>(P::Input::value(i)); }
};

template <class P>
struct Compare {
  typename P::ToView to;
  Kokkos::View<typename P::To*, Memory> expected;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& count, std::size_t& first) const {
    if (to(i) == expected(i)) return;
    ++count;
    if (i < first) first = i;
  }
};

using Bytes = Kokkos::View<unsigned char*, Memory>;

struct CompareBytes {
  Bytes from, to;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& count) const { count += from(i) != to(i); }
};

/// Several copies of one problem, together three times the size of the second-level cache if that takes no more than
/// 256: call k works on buffers k modulo their number. Small problems stay in the cache, as they would in an
/// application.
template <class P>
class Arena {
 public:
  using From = typename P::From;
  using To   = typename P::To;

  explicit Arena(Shape const& shape) : shape_(shape) {}

  static double bytes(Shape const& shape) {
    return static_cast<double>(shape.n * sizeof(From) + (shape.n + shape.placement.offsets) * sizeof(To));
  }
  static std::size_t copies(Shape const& shape) {
    double const wanted = 3 * static_cast<double>(second_level_cache()) / bytes(shape);
    return static_cast<std::size_t>(std::clamp(wanted + 1, 1.0, 256.0));
  }

  void allocate() {
    std::string const trouble = [&] {
      Kokkos::View<To*, Memory> expected(Kokkos::view_alloc("expected", Kokkos::WithoutInitializing), shape_.n);
      expected_        = expected;
      auto const host  = Kokkos::create_mirror_view(expected);
      std::string what = compute_expected<P>(host.data(), shape_.n);
      Kokkos::deep_copy(expected, host);
      return what;
    }();
    if (!trouble.empty()) throw std::runtime_error(trouble);
    for (std::size_t k = 0; k < copies(shape_); ++k) {
      // Either also serves the copies, which move half of all bytes. One element more than n: without KokkosScan, an
      // exclusive sum of n + 1 counts is how offsets are made.
      std::size_t const half = static_cast<std::size_t>(bytes(shape_)) / 2;
      Bytes const from(Kokkos::view_alloc("from", Kokkos::WithoutInitializing),
                       std::max(half, (shape_.n + 1) * sizeof(From)));
      Bytes const to(Kokkos::view_alloc("to", Kokkos::WithoutInitializing),
                     std::max(half, (shape_.n + 1) * sizeof(To)));
      To* const first = reinterpret_cast<To*>(to.data());
      From const* const read =
          shape_.placement.in_place ? reinterpret_cast<From*>(to.data()) : reinterpret_cast<From*>(from.data());
      P problem;
      problem.first = shape_.placement.offsets ? first : nullptr;
      problem.from  = typename P::FromView(read, shape_.n);
      problem.to    = typename P::ToView(shape_.placement.offsets ? first + 1 : first, shape_.n);
      memory_.push_back({from, to, problem});
    }
  }

  void prepare() {
    for (auto const& one : memory_) {
      Kokkos::deep_copy(one.from, static_cast<unsigned char>(0));
      Kokkos::deep_copy(one.to, static_cast<unsigned char>(0xA5));
      Kokkos::View<From*, Memory, Kokkos::MemoryUnmanaged> from(const_cast<From*>(one.problem.from.data()), shape_.n);
      Kokkos::parallel_for("perf: inputs", Elements(0, shape_.n), Fill<P>{from});
    }
    Kokkos::fence("perf: inputs");
  }

  /// A scan of zeros leaves zeros: in place, any number of calls has the same work.
  void settle() {
    if (!shape_.placement.in_place) return;
    for (auto const& one : memory_) Kokkos::deep_copy(one.to, static_cast<unsigned char>(0));
    Kokkos::fence("perf: settle");
  }

  std::string check() const {
    P const& p        = memory_[0].problem;
    std::size_t count = 0, wrong = shape_.n;
    Kokkos::parallel_reduce("perf: check", Elements(0, shape_.n), Compare<P>{p.to, expected_}, count,
                            Kokkos::Min<std::size_t>(wrong));
    if (p.first) {
      To first{};
      require(cudaMemcpy(&first, p.first, sizeof(To), cudaMemcpyDeviceToHost));
      if (first != To{}) return "offset 0 is " + std::to_string(as_number<double>(first)) + ", not 0";
    }
    if (count == 0) return {};
    To got{}, wanted{};
    require(cudaMemcpy(&got, p.to.data() + wrong, sizeof(To), cudaMemcpyDeviceToHost));
    require(cudaMemcpy(&wanted, expected_.data() + wrong, sizeof(To), cudaMemcpyDeviceToHost));
    return std::to_string(count) + " of " + std::to_string(shape_.n) + " elements are wrong, the first at " +
           std::to_string(wrong) + ": " + std::to_string(as_number<double>(got)) + ", expected " +
           std::to_string(as_number<double>(wanted));
  }

  std::string check_copy(std::size_t bytes) const {
    std::size_t count = 0;
    Kokkos::parallel_reduce("perf: check", Elements(0, bytes), CompareBytes{memory_[0].from, memory_[0].to}, count);
    return count == 0 ? "" : "the copy differs";
  }

  P const& problem(std::size_t k) const { return memory_[k].problem; }
  unsigned char* from(std::size_t k) const { return memory_[k].from.data(); }
  unsigned char* to(std::size_t k) const { return memory_[k].to.data(); }
  Shape const& shape() const { return shape_; }

 private:
  struct Buffers {
    Bytes from, to;
    P problem;
  };

  Shape shape_;
  Kokkos::View<To*, Memory> expected_ = {};
  std::vector<Buffers> memory_        = {};
};

}  // namespace perf::cuda
