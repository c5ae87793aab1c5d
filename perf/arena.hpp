// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "problem.hpp"

// Where a problem lies, how it is set up and how it is checked.
namespace perf {

/// Where an operation writes: to another array or to its input, from the first element on or, for offsets, from the
/// second; and how many elements behind an aligned address either array begins.
struct Placement {
  bool in_place           = false;
  bool offsets            = false;
  std::size_t from_offset = 0, dest_offset = 0;
};

struct Shape {
  std::size_t n;
  Placement placement = {};
  std::size_t run     = 0;      ///< how many elements have a key, if they have keys
  bool warm           = false;  ///< one copy of the problem, also where a device would have several in turns
};

/// The index of Kokkos::Cuda itself has 32 bits, and from 2^32 on Kokkos refuses.
using Elements = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<std::size_t>, Kokkos::Schedule<Kokkos::Static>>;

template <class P>
struct Fill {
  typename P::From* from;
  Key* keys;
  std::size_t run;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    from[i * P::stride] = as_value<typename P::From>(P::input(i));
    if constexpr (P::by_key) keys[i] = key_of(i, run);
  }
};

/// How many elements of two arrays differ, and which is the first.
template <class Left, class Right>
struct Differences {
  Left left;
  Right right;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& count, std::size_t& first) const {
    if (left(i) == right(i)) return;
    ++count;
    if (i < first) first = i;
  }
};
template <class Left, class Right>
std::pair<std::string, std::size_t> differences(Left const& left, Right const& right, std::size_t n) {
  std::size_t count = 0, first = n;
  Kokkos::parallel_reduce("perf: check", Elements(0, n), Differences<Left, Right>{left, right}, count,
                          Kokkos::Min<std::size_t>(first));
  if (count == 0) return {};
  return {
      std::to_string(count) + " of " + std::to_string(n) + " elements are wrong, the first at " + std::to_string(first),
      first};
}

/// As many copies of a problem as the backend wants of that size; contestants may work on them in turns.
template <class P>
class Arena {
 public:
  using From = typename P::From;
  using To   = typename P::To;

  explicit Arena(Shape const& shape) : shape_(shape), memory_(shape.warm ? 1 : backend::copies_of(bytes())) {}

  /// What the operation reads and writes. Of a strided View the elements alone are counted, although whole cache lines
  /// move.
  double bytes() const {
    return static_cast<double>(key_bytes() + shape_.n * sizeof(From) +
                               (shape_.n + shape_.placement.offsets) * sizeof(To));
  }
  std::size_t half() const { return static_cast<std::size_t>(bytes()) / 2; }
  std::string caches() const { return backend::cache_state(bytes(), memory_.size()); }

  std::size_t memory_of_the_host() const {
    std::size_t const expected = shape_.n * sizeof(To);
    return backend::is_device ? expected : expected + key_bytes() + capacity<From>() + capacity<To>();
  }

  void allocate() {
    expected_ = Expected(Kokkos::view_alloc("expected", Kokkos::WithoutInitializing), shape_.n);
    expect(P::reversed);
    for (backend::Arrays& arrays : memory_) {
      // Half a page apart, for all sizes alike. Loads from where another page was just written wait for that: with
      // results that begin 64 to 512 bytes behind their inputs, as malloc puts some, scans take up to 1.5 times the
      // time.
      auto const& place = shape_.placement;
      arrays.from       = backend::Buffer(capacity<From>() + place.from_offset * sizeof(From), 0);
      arrays.to         = backend::Buffer(capacity<To>() + place.dest_offset * sizeof(To), backend::page / 2);
      bool const behind = place.offsets;
      To* const first   = reinterpret_cast<To*>(arrays.to.data()) + place.dest_offset;
      auto const* from  = reinterpret_cast<From const*>((place.in_place ? arrays.to : arrays.from).data()) +
                         (place.in_place ? place.dest_offset : place.from_offset);
      P problem;
      if constexpr (P::by_key) {
        arrays.keys  = backend::Buffer(key_bytes(), backend::page / 4);
        problem.keys = typename P::Keys(reinterpret_cast<Key const*>(arrays.keys.data()), shape_.n);
      }
      problem.first = behind ? first : nullptr;
      problem.from  = P::template view<typename P::FromView>(from, shape_.n);
      problem.to    = P::template view<typename P::ToView>(behind ? first + 1 : first, shape_.n);
      problems_.push_back(problem);
    }
  }

  void prepare() {
    for (std::size_t k = 0; k < memory_.size(); ++k) {
      memory_[k].from.fill(0);
      memory_[k].to.fill(0xA5);
      auto* const keys = reinterpret_cast<Key*>(memory_[k].keys.data());
      Kokkos::parallel_for("perf: inputs", Elements(0, shape_.n),
                           Fill<P>{const_cast<From*>(problems_[k].from.data()), keys, shape_.run});
    }
    Kokkos::fence("perf: inputs");
  }

  /// A scan of zeros leaves zeros: in place, any number of calls has the same work.
  void settle() {
    if (!shape_.placement.in_place) return;
    for (auto const& arrays : memory_) arrays.to.fill(0);
    Kokkos::fence("perf: settle");
  }

  /// Whether the result is that of a scan which goes that way.
  std::string check(bool reversed = P::reversed) {
    if (reversed != expects_reversed_) expect(reversed);
    if (!trouble_.empty()) return trouble_;
    P const& p = problems_[0];
    if (p.first && value_at(p.first) != To{}) return "offset 0 is " + number_at(p.first) + ", not 0";
    auto const [what, first] = differences(p.to, expected_, shape_.n);
    if (what.empty()) return {};
    return what + ": " + number_at(p.to.data() + first * P::stride) + ", expected " +
           number_at(expected_.data() + first);
  }

  std::string check_copy() const {
    P const& p = problems_[0];
    if constexpr (P::stride != 1) return differences(p.to, p.from, shape_.n).first;
    using Bytes = Kokkos::View<unsigned char const*, backend::Memory, Kokkos::MemoryUnmanaged>;
    return differences(Bytes(memory_[0].to.data(), half()), Bytes(memory_[0].from.data(), half()), half()).first;
  }

  P const& problem(std::size_t k) const { return problems_[k]; }
  std::vector<backend::Arrays> const& memory() const { return memory_; }
  Shape const& shape() const { return shape_; }

 private:
  using Expected = Kokkos::View<To*, backend::Memory>;

  void expect(bool reversed) {
    auto const host   = Kokkos::create_mirror_view(expected_);
    trouble_          = compute_expected<P>(host.data(), shape_.n, shape_.run, reversed);
    expects_reversed_ = reversed;
    Kokkos::deep_copy(expected_, host);
  }

  std::size_t key_bytes() const { return P::by_key ? shape_.n * sizeof(Key) : 0; }

  /// Either array also serves the copies, which move half of all bytes. One element more than n: offsets have it, and
  /// without KokkosScan an exclusive sum of n + 1 counts is how they are made.
  template <class T>
  std::size_t capacity() const {
    return std::max((shape_.n + 1) * P::stride * sizeof(T), half());
  }

  static To value_at(To const* address) {
    To value{};
    Kokkos::deep_copy(Kokkos::View<To, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&value),
                      Kokkos::View<To const, backend::Memory, Kokkos::MemoryUnmanaged>(address));
    return value;
  }
  static std::string number_at(To const* address) { return std::to_string(as_number<double>(value_at(address))); }

  Shape shape_;
  std::vector<backend::Arrays> memory_;
  std::vector<P> problems_ = {};
  Expected expected_       = {};
  std::string trouble_     = {};
  bool expects_reversed_   = P::reversed;
};

}  // namespace perf
