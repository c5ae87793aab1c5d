// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>

#include "backend.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace perf::host {
namespace {

#ifdef __SSE2__
// Stores that go past the caches: an ordinary store first reads the line it writes to, half as much traffic again. In
// turns, four pages are copied side by side, since memory brings lines ahead on each page that it sees read; glibc's
// memcpy does the same where it is handed hundreds of MiB.
constexpr std::size_t pages = 4, turn = 256;

void stream(unsigned char* to, unsigned char const* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + i)));
}

void stream_copy(unsigned char* to, unsigned char const* from, std::size_t bytes) {
  std::size_t const whole = bytes / 16 * 16;
  stream(to, from, whole);
  std::memcpy(to + whole, from + whole, bytes - whole);
  _mm_sfence();
}

void stream_copy_in_turns(unsigned char* to, unsigned char const* from, std::size_t bytes) {
  std::size_t i = 0;
  for (; i + pages * page <= bytes; i += pages * page)
    for (std::size_t in_page = 0; in_page < page; in_page += turn)
      for (std::size_t at = i + in_page; at < i + pages * page; at += page) stream(to + at, from + at, turn);
  stream_copy(to + i, from + i, bytes - i);
}
#endif

}  // namespace

std::vector<Contestant> copies(Arrays const& arrays, std::size_t bytes) {
  std::vector<Contestant> list;
  if (bytes <= one_thread_is_enough)
    list.push_back({.name = "memcpy by one thread",
                    .run  = [&arrays, bytes] { std::memcpy(arrays.to.data(), arrays.from.data(), bytes); }});
  auto const add_parallel = [&](char const* name, auto copy) {
    auto const run = [&arrays, bytes, copy] {
      for_each_block(bytes, [&](std::size_t begin, std::size_t end) {
        copy(arrays.to.data() + begin, arrays.from.data() + begin, end - begin);
      });
    };
    list.push_back({.name = name, .run = run, .workers = workers()});
  };
  add_parallel("parallel memcpy", std::memcpy);
#ifdef __SSE2__
  add_parallel("parallel copy with non-temporal stores", stream_copy);
  add_parallel("parallel copy with non-temporal stores, pages in turns", stream_copy_in_turns);
#endif
  return list;
}

}  // namespace perf::host
