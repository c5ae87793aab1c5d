// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <new>

#include "model_backend.hpp"

// A pipelined scan by key looks at the key before each slice; of a slice without elements there is none to look at.
namespace test {
namespace {

using KokkosScan::GridScan;
using KokkosScan::Handle;
using KokkosScan::Options;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// Memory behind whose last byte a program must not read.
class Ending {
 public:
  explicit Ending(std::size_t bytes) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    readable_ = (bytes + page_ - 1) / page_ * page_;
    begin_    = static_cast<std::byte*>(mmap(nullptr, readable_ + forbidden, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (begin_ == MAP_FAILED || mprotect(begin_ + readable_, forbidden, PROT_NONE) != 0) throw std::bad_alloc();
  }
  Ending(Ending const&)            = delete;
  Ending& operator=(Ending const&) = delete;
  ~Ending() { munmap(begin_, readable_ + forbidden); }

  template <class T>
  T* last(std::size_t n) const {
    return reinterpret_cast<T*>(begin_ + readable_) - n;
  }

 private:
  static constexpr std::size_t forbidden = 1 << 20;  // more than a tile of keys

  std::size_t page_, readable_;
  std::byte* begin_;
};

TEST(Keys, nothing_is_read_behind_them) {
  using S    = KokkosScan::cuda::pipelined::Shape<KokkosScan::core::Keyed<int>>;
  using Keys = Kokkos::View<std::int64_t const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  using Ints = Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Handle<Exec, ModelBackend, Options> const handle(Exec(), Options{.grid = GridScan::pipelined});
  for (std::size_t const n : {1, S::slice - 1, S::slice + 1, S::tile + 1, 2 * S::tile - S::slice}) {
    Ending const keys(n * sizeof(std::int64_t)), from(n * sizeof(int)), dest(n * sizeof(int));  // zeros
    for (std::size_t i = 0; i < n; ++i) from.last<int>(n)[i] = 1;
    Ints const results(dest.last<int>(n), n);
    KokkosScan::inclusive_scan_by_key(handle, Keys(keys.last<std::int64_t>(n), n), Ints(from.last<int>(n), n), results);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(results(i), static_cast<int>(i) + 1) << n << " elements";
  }
}

}  // namespace
}  // namespace test
