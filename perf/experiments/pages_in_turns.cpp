// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// experiment_pages_in_turns [MiB]    Summing and copying memory by one thread, with 1 to 8 pages in turns and with so
// many bytes asked for ahead: GB/s of the best of 7, read and written, beside memcpy.
// docs/decisions/host-pages-in-turns.md
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t page = 4096 / sizeof(float), bite = 256 / sizeof(float);

template <class F>
double best_seconds(F const& f) {
  double best = 1e30;
  for (int attempt = 0; attempt < 7; ++attempt) {
    auto const begin = std::chrono::steady_clock::now();
    f();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

/// f(i) for the first element of each bite, `pages` pages in turns.
template <class F>
void in_turns(std::size_t n, std::size_t pages, F const& f) {
  for (std::size_t i = 0; i + pages * page <= n; i += pages * page)
    for (std::size_t in_page = 0; in_page < page; in_page += bite)
      for (std::size_t at = i + in_page; at < i + pages * page; at += page) f(at);
}

/// What is there after n is asked for, too, which does no harm: nothing is read.
void ask_for(float const* from, std::size_t ahead) {
  if (ahead == 0) return;
  for (std::size_t line = 0; line < bite; line += 64 / sizeof(float))
    __builtin_prefetch(from + line + ahead / sizeof(float));
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t const mebibytes = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 256;
  std::size_t const n         = mebibytes * (1 << 20) / sizeof(float);
  std::vector<float> from(n, 1), to(n, 0);
  double const bytes = static_cast<double>(n * sizeof(float)) * 1e-9;
  std::printf("%zu MiB, GB/s\nmemcpy %.1f\n%8s%8s%12s%12s\n", mebibytes,
              2 * bytes / best_seconds([&] { std::memcpy(to.data(), from.data(), n * sizeof(float)); }), "pages",
              "ahead", "sum", "copy");
  for (std::size_t const pages : {1, 2, 4, 8})
    for (std::size_t const ahead : {0, 512, 2048, 4096, 8192}) {
      float volatile total = 0;
      double const sum     = best_seconds([&] {
        float sums[16] = {};
        in_turns(n, pages, [&](std::size_t at) {
          ask_for(&from[at], ahead);
          for (std::size_t k = 0; k < bite; ++k) sums[k % 16] += from[at + k];
        });
        total = std::accumulate(sums, sums + 16, 0.0F);
      });
      double const copy    = best_seconds([&] {
        in_turns(n, pages, [&](std::size_t at) {
          ask_for(&from[at], ahead);
          std::memcpy(&to[at], &from[at], bite * sizeof(float));
        });
      });
      std::printf("%8zu%8zu%12.1f%12.1f\n", pages, ahead, bytes / sum, 2 * bytes / copy);
    }
}
