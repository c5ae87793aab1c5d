// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>

#include "buffer.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace perf::host {
namespace {

#ifdef __SSE2__
// Stores that go past the caches: an ordinary store first reads the line it writes to, half as much traffic again.
// Wider vectors make no difference where memory is the limit.
void stream_copy(unsigned char* to, unsigned char const* from, std::size_t bytes) {
  std::size_t i = 0;
  for (; i + 16 <= bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + i)));
  std::memcpy(to + i, from + i, bytes - i);
  _mm_sfence();
}
#endif

}  // namespace

std::vector<Contestant> copies(Buffer const& from, Buffer const& to, std::size_t bytes) {
  std::vector<Contestant> list;
  auto const add = [&](char const* name, char const* workers, std::function<void()> run) {
    list.push_back({.name = name, .run = std::move(run), .workers = workers});
  };
  if (bytes <= one_thread_is_enough)
    add("memcpy by one thread", one_thread, [&from, &to, bytes] { std::memcpy(to.data(), from.data(), bytes); });
  add("parallel memcpy", kokkos_workers(), [&from, &to, bytes] {
    for_each_block(bytes, [&](std::size_t begin, std::size_t end) {
      std::memcpy(to.data() + begin, from.data() + begin, end - begin);
    });
  });
#ifdef __SSE2__
  add("parallel copy with non-temporal stores", kokkos_workers(), [&from, &to, bytes] {
    for_each_block(bytes, [&](std::size_t begin, std::size_t end) {
      stream_copy(to.data() + begin, from.data() + begin, end - begin);
    });
  });
#endif
  return list;
}

}  // namespace perf::host
