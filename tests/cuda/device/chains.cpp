// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "neighbour.hpp"
#include "sums.hpp"

// Calls that follow each other on one stream without a fence, by the same scratch, in place and on what the one before
// made: each kernel may start while the one before it still runs, and all must be as if there were a fence behind each.
// Beside them the device is kept busy by others.
namespace {

using namespace device;
using Word = std::uint32_t;

struct IsOdd {
  KOKKOS_FUNCTION bool operator()(Word x) const { return x % 2 != 0; }
};
struct PutHash {
  View<Word> to;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { to(i) = static_cast<Word>(i * 2654435761U) >> 9; }
};
struct CountDifferences {
  View<Word> found, expected;
  Kokkos::View<std::size_t, Kokkos::CudaSpace> wrong;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    if (found(i) != expected(i)) Kokkos::atomic_inc(&wrong());
  }
};

/// Arrays, the calls that are made on them, and what is expected.
class Chain {
 public:
  Chain(Exec const& exec, std::size_t n, std::uint32_t seed)
      : exec_(exec), handle_(exec), given_("given", n), a_("a", n), b_("b", n), bins_("bins", 256) {
    std::mt19937 random(seed);
    for (int k = 0; k < calls; ++k) kinds_.push_back(random() % kinds);
    Kokkos::parallel_for("given", Kokkos::RangePolicy<Exec>(exec, 0, n), PutHash{given_});
    make([&] { exec_.fence(); });
    for (auto const& [found, expected] : pairs()) Kokkos::deep_copy(exec_, expected, found);
    exec_.fence();
  }

  /// `between` is called behind each.
  template <class Between>
  void make(Between const& between) const {
    bring();
    for (unsigned const kind : kinds_) {
      call(kind);
      between();
    }
  }
  void make() const {
    make([] {});
  }
  /// Without a fence.
  void compare() const {
    for (auto const& [found, expected] : pairs())
      Kokkos::parallel_for("compare", Kokkos::RangePolicy<Exec>(exec_, 0, found.size()),
                           CountDifferences{found, expected, wrong_});
  }
  std::size_t wrong() const { return on_host(exec_, wrong_); }
  Exec const& exec() const { return exec_; }

 private:
  static constexpr int calls      = 16;
  static constexpr unsigned kinds = 10;

  /// By copies, which can be captured.
  void bring() const {
    std::size_t const bytes = a_.size() * sizeof(Word);
    cudaMemcpyAsync(a_.data(), given_.data(), bytes, cudaMemcpyDeviceToDevice, exec_.cuda_stream());
    cudaMemsetAsync(b_.data(), 0x17, bytes, exec_.cuda_stream());
    cudaMemsetAsync(bins_.data(), 0x17, bins_.size() * sizeof(Word), exec_.cuda_stream());
    cudaMemsetAsync(count_.data(), 0, sizeof(std::int32_t), exec_.cuda_stream());
  }

  void call(unsigned kind) const {
    using namespace KokkosScan;
    std::size_t const n = a_.size(), some = n - n / 7;
    switch (kind) {
      case 0: inclusive_scan(handle_, a_, b_); break;
      case 1: inclusive_scan(handle_, b_, b_); break;
      case 2: exclusive_scan(handle_, part(b_, 0, some), part(a_, n - some, some), Word{1}); break;
      case 3: copy_if(handle_, a_, b_, IsOdd{}, Total{count_}); break;
      case 4: KokkosScan::sort(handle_, b_); break;
      case 5: inclusive_scan_by_key(handle_, a_, b_, b_, Max{}); break;
      case 6: exclusive_scan(handle_, a_, a_, Word{0}, BitXor{}, Reversed{}); break;
      case 7: remove_if(handle_, a_, IsOdd{}, Total{count_}); break;
      case 8: count_keys(handle_, b_, bins_); break;
      default: inclusive_scan(handle_, part(bins_, 0, 256), part(b_, 0, n < 256 ? n : 256)); break;
    }
  }

  struct Pair {
    View<Word> found, expected;
  };
  std::vector<Pair> pairs() const { return {{a_, expected_a_}, {b_, expected_b_}, {bins_, expected_bins_}}; }

  Exec const exec_;
  KokkosScan::Handle<Exec> const handle_;
  View<Word> const given_, a_, b_, bins_;
  View<Word> const expected_a_{"expected a", a_.size()}, expected_b_{"expected b", a_.size()},
      expected_bins_{"expected bins", 256};
  Kokkos::View<std::int32_t, Kokkos::CudaSpace> const count_{"count"};
  Kokkos::View<std::size_t, Kokkos::CudaSpace> const wrong_{"wrong"};
  std::vector<unsigned> kinds_;
};

/// Of lengths that are served in one block, in one wave, by look-back and by the pipeline; on streams of their own.
std::vector<std::unique_ptr<Chain>> chains(std::vector<Instance> const& instances, std::uint32_t seed) {
  std::vector<std::unique_ptr<Chain>> all;
  std::uint32_t k = 0;
  for (std::size_t const n : {300, 4096, 5001, 65'536, 300'001, 1 << 20, (1 << 22) + 3}) {
    all.push_back(std::make_unique<Chain>(instances[k % instances.size()].exec, n, seed + 1000 * k));
    ++k;
  }
  return all;
}

constexpr int streams         = 3;
constexpr int calls_of_repeat = 20;  // a chain is as long as so many repetitions of others

TEST(Chains, of_calls_on_several_streams_are_as_if_fenced) {
  std::vector<Instance> const instances(streams);
  Neighbour neighbour;
  std::mt19937 random(7);
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    auto const all = chains(instances, seed);
    for (int k = 0; k < repetitions() / calls_of_repeat / 5 + 1; ++k)
      for (auto const& chain : all) {
        if (random() % 2 == 0) neighbour.keep_busy(random);
        chain->make();
        chain->compare();
      }
    for (auto const& chain : all) EXPECT_EQ(chain->wrong(), 0U) << "seed " << seed;
  }
}

TEST(Chains, from_graphs_are_as_if_fenced) {
  std::vector<Instance> const instances(streams);
  Neighbour neighbour;
  std::mt19937 random(8);
  for (std::uint32_t seed = 10; seed < 15; ++seed) {
    auto const all = chains(instances, seed);
    std::vector<std::unique_ptr<Graph>> graphs;
    for (auto const& chain : all)
      graphs.push_back(std::make_unique<Graph>(chain->exec(), [&] {
        chain->make();
        chain->make();  // behind kernels of its own, and a copy
      }));
    for (int k = 0; k < repetitions() / calls_of_repeat / 5 + 1; ++k)
      for (std::size_t c = 0; c < all.size(); ++c) {
        if (random() % 2 == 0) neighbour.keep_busy(random);
        graphs[c]->launch();
        all[c]->compare();
      }
    for (auto const& chain : all) EXPECT_EQ(chain->wrong(), 0U) << "seed " << seed;
  }
}

/// Kernels that know nothing of it stand in between: of Kokkos, copies, and waits for another stream.
TEST(Chains, with_others_in_between_are_as_if_fenced) {
  std::vector<Instance> const instances(2);
  Exec const &exec = instances[0].exec, &other = instances[1].exec;
  constexpr std::size_t n = 50'000;
  Chain const chain(exec, n, 20);
  View<Word> const room("room", n);
  cudaEvent_t begin{}, end{};
  ok(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
  ok(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
  Neighbour neighbour;
  std::mt19937 random(9);
  for (int k = 0; k < repetitions() / calls_of_repeat + 1; ++k) {
    neighbour.keep_busy(random);
    chain.make([&] {
      switch (random() % 4) {
        case 0: Kokkos::parallel_for("between", Kokkos::RangePolicy<Exec>(exec, 0, n), PutHash{room}); break;
        case 1: ok(cudaMemsetAsync(room.data(), 1, n, exec.cuda_stream())); break;
        case 2:
          ok(cudaEventRecord(begin, exec.cuda_stream()));
          ok(cudaStreamWaitEvent(other.cuda_stream(), begin, 0));
          KokkosScan::inclusive_scan(other, room, room);
          ok(cudaEventRecord(end, other.cuda_stream()));
          ok(cudaStreamWaitEvent(exec.cuda_stream(), end, 0));
          break;
        default: break;
      }
    });
    chain.compare();
  }
  EXPECT_EQ(chain.wrong(), 0U);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
}

/// Turned off, for who puts kernels in between that must not be overtaken.
TEST(Chains, can_be_launched_plainly) {
  Instance const own;
  Chain const chain(own.exec, 5001, 30);
  KokkosScan::cuda::dependent_launches = false;
  chain.make();
  chain.compare();
  KokkosScan::cuda::dependent_launches = true;
  EXPECT_EQ(chain.wrong(), 0U);
}

}  // namespace
