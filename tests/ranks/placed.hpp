// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "shares.hpp"

// Shares of elements as Views of any stride, and what calls throw.
namespace test {

inline int rank_of_world() { return rank_of(MPI_COMM_WORLD); }
inline int size_of_world() { return size_of(MPI_COMM_WORLD); }

/// What the calling rank has of all.
template <class T>
std::vector<T> own(std::vector<T> const& all, Shares const& shares) {
  auto const at = [&](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
  return {at(shares.begin(rank_of_world())), at(shares.end(rank_of_world()))};
}
inline std::size_t own_count(Shares const& shares) {
  return shares.end(rank_of_world()) - shares.begin(rank_of_world());
}
inline std::vector<Shares> all_shares(std::size_t n) { return all_shares(size_of_world(), n); }

/// Values in memory of a space, so far apart, with a pattern between and behind them.
template <class T, class Space = Kokkos::DefaultExecutionSpace::memory_space>
class Placed {
 public:
  Placed(std::vector<T> const& values, std::size_t stride, std::size_t more = 0)
      : n_(values.size()),
        stride_(stride),
        memory_(Kokkos::view_alloc("placed", Kokkos::WithoutInitializing), (n_ + more) * stride + 2),
        host_(Kokkos::create_mirror_view(memory_)),
        extent_(n_ + more) {
    std::memset(static_cast<void*>(host_.data()), 0x5b, host_.size() * sizeof(T));
    for (std::size_t i = 0; i < n_; ++i) host_(1 + i * stride) = values[i];
    before_.assign(host_.data(), host_.data() + host_.size());
    Kokkos::deep_copy(memory_, host_);
  }

  Kokkos::View<T*, Kokkos::LayoutStride, Space> strided() const {
    return Kokkos::View<T*, Kokkos::LayoutStride, Space>(memory_.data() + 1, Kokkos::LayoutStride(extent_, stride_));
  }
  Kokkos::View<T*, Space> row() const { return Kokkos::View<T*, Space>(memory_.data() + 1, extent_); }

  /// The first values, once all is done.
  std::vector<T> read(std::size_t count) {
    Kokkos::fence();
    Kokkos::deep_copy(host_, memory_);
    std::vector<T> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(host_(1 + i * stride_));
    return values;
  }
  /// Whether nothing but the first values was written.
  bool is_untouched_but(std::size_t count) {
    Kokkos::fence();
    Kokkos::deep_copy(host_, memory_);
    std::vector<T> after(host_.data(), host_.data() + host_.size());
    for (std::size_t i = 0; i < count; ++i) after[1 + i * stride_] = before_[1 + i * stride_];
    return std::memcmp(after.data(), before_.data(), after.size() * sizeof(T)) == 0;
  }

 private:
  std::size_t n_, stride_;
  Kokkos::View<T*, Space> memory_;
  decltype(Kokkos::create_mirror_view(std::declval<Kokkos::View<T*, Space> const&>())) host_;
  std::size_t extent_;
  std::vector<T> before_;
};

/// What a call throws: its type in short, and its words; or nothing.
template <class F>
std::string thrown_by(F const& f) {
  try {
    f();
  } catch (std::invalid_argument const& error) {
    return std::string("invalid_argument: ") + error.what();
  } catch (std::overflow_error const& error) {
    return std::string("overflow_error: ") + error.what();
  } catch (std::runtime_error const& error) {
    return std::string("runtime_error: ") + error.what();
  }
  return "";
}
inline bool holds(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace test
