// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <random>

#include "sums.hpp"
#include "support/random.hpp"

// Who shares the device with a soak.
namespace device {

inline int repetitions() { return static_cast<int>(test::number_from_environment("KOKKOSSCAN_REPETITIONS", 2000)); }

/// Occupies some of the multiprocessors for some time, now and then.
template <class Clocks>
__global__ void occupy(Clocks clocks) {
  Clocks const begin = clock64();
  while (clock64() - begin < clocks) {
  }
}

struct Neighbour : Stream {
  ~Neighbour() { cudaStreamSynchronize(stream); }
  /// Keeps the stream full, a random share of the device at a time.
  void keep_busy(std::mt19937& random) {
    if (++calls % 64 == 0) cudaStreamSynchronize(stream);  // not thousands ahead
    unsigned const blocks = 1 + random() % 600, threads = 32 * (1 + random() % 32);
    occupy<long long><<<blocks, threads, 0, stream>>>(2000 + random() % 60000);
  }
  int calls = 0;
};

}  // namespace device
