// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/distribute.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sums.hpp"
#include "support/affine_map.hpp"

// Scans over several instances: streams of one device, and of as many devices as there are.
namespace {

using namespace device;
using KokkosScan::Total;

/// Memory of the device that is current; Kokkos' Views take that of the default instance's.
template <class T>
class Memory {
 public:
  explicit Memory(std::size_t n) {
    ok(cudaMalloc(&data_, (n > 0 ? n : 1) * sizeof(T)));
    view = View<T>(data_, n);
  }
  Memory(Memory const&)            = delete;
  Memory& operator=(Memory const&) = delete;
  ~Memory() { cudaFree(data_); }

  View<T> view;

 private:
  T* data_ = nullptr;
};

/// An instance on a device, and its share of the elements.
template <class T>
struct Part {
  Instance instance;
  Memory<T> from, dest, init;
  Memory<int> keys;

  Part(std::vector<T> const& values, std::vector<int> const& all_keys, T const& value)
      : from(values.size()), dest(values.size()), init(1), keys(values.size()) {
    ok(cudaMemcpy(from.view.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    ok(cudaMemcpy(keys.view.data(), all_keys.data(), all_keys.size() * sizeof(int), cudaMemcpyHostToDevice));
    ok(cudaMemcpy(init.view.data(), &value, sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> results() const {
    std::vector<T> all(dest.view.size());
    instance.exec.fence();
    ok(cudaMemcpy(all.data(), dest.view.data(), all.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return all;
  }
};

using Affine = test::AffineMap;
using test::Compose;
/// Throws where instances have found their aggregates, and the host combines them.
struct ThrowsOnHosts {
  KOKKOS_FUNCTION Affine operator()(Affine const& left, Affine const& right) const {
    KOKKOS_IF_ON_HOST((throw std::domain_error("on the host");))
    return Compose()(left, right);
  }
};
struct SameRun {
  KOKKOS_FUNCTION bool operator()(int a, int b) const { return a / 2 == b / 2; }
};
struct IsOdd {
  KOKKOS_FUNCTION bool operator()(Affine const& value) const { return value.summand % 2 != 0; }
};

class Distributed : public testing::Test {
 protected:
  void SetUp() override {
    ours = Exec().cuda_device();
    ok(cudaGetDeviceCount(&devices));
  }
  void TearDown() override { cudaSetDevice(ours); }

  /// Of the same run are keys 2 k and 2 k + 1. Short runs come first, then one that crosses most instances, and short
  /// ones again.
  static int key_of(std::size_t i) {
    std::size_t const run = i < 60'000 ? i / 700 : i < 1'200'000 ? 1000 : 2000 + i / 5000;
    return static_cast<int>(2 * run + i % 2);
  }

  /// Parts of those sizes, one after the other on so many devices in turn.
  void make(std::vector<std::size_t> const& shares, int on_devices) {
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      std::vector<Affine> own(shares[i]);
      for (Affine& value : own) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        value = {state | 1, state >> 20};
      }
      std::vector<int> own_keys;
      for (std::size_t k = 0; k < own.size(); ++k) own_keys.push_back(key_of(values.size() + k));
      ok(cudaSetDevice((ours + static_cast<int>(i) % on_devices) % devices));
      parts.push_back(std::make_unique<Part<Affine>>(own, own_keys, init));
      execs.push_back(parts.back()->instance.exec);
      from.push_back(parts.back()->from.view);
      dest.push_back(parts.back()->dest.view);
      keys.push_back(parts.back()->keys.view);
      values.insert(values.end(), own.begin(), own.end());
    }
    ok(cudaSetDevice(ours));
  }
  std::vector<Affine> results() const {
    std::vector<Affine> all;
    for (auto const& part : parts) {
      auto const own = part->results();
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }

  void expect_all(std::vector<std::size_t> const& shares, int on_devices) {
    SCOPED_TRACE(std::to_string(shares.size()) + " instances on " + std::to_string(on_devices) + " devices");
    parts.clear(), execs.clear(), from.clear(), dest.clear(), keys.clear(), values.clear();
    make(shares, on_devices);
    std::vector<Affine> inclusive, exclusive;
    Affine running = init;
    for (std::size_t i = 0; i < values.size(); ++i) {
      inclusive.push_back(i == 0 ? values[0] : Compose()(inclusive.back(), values[i]));
      exclusive.push_back(running);
      running = Compose()(running, values[i]);
    }
    Affine total{};
    KokkosScan::distribute(execs, from, dest, Compose{}, Total{total});
    EXPECT_TRUE(results() == inclusive);
    EXPECT_TRUE(total == inclusive.back());
    KokkosScan::distribute_exclusive(execs, from, dest, init, Compose{}, Total{total});
    EXPECT_TRUE(results() == exclusive);
    EXPECT_TRUE(total == running);

    expect_by_key(shares);

    std::vector<Affine> chosen, found;
    for (Affine const& value : values)
      if (IsOdd()(value)) chosen.push_back(value);
    auto const counts = KokkosScan::distribute_copy_if(execs, from, dest, IsOdd{});
    for (std::size_t i = 0; i < parts.size(); ++i) {
      auto const own = parts[i]->results();
      EXPECT_EQ(counts[i].before, found.size());
      EXPECT_EQ(counts[i].total, chosen.size());
      found.insert(found.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(counts[i].count));
    }
    EXPECT_TRUE(found == chosen);

    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    ok(cudaSetDevice(ours));  // fences of Kokkos leave that of their instance current
  }

  void expect_by_key(std::vector<std::size_t> const& shares) {
    std::vector<Affine> inclusive, exclusive;
    for (std::size_t i = 0; i < values.size(); ++i) {
      bool const begins = i == 0 || !SameRun()(key_of(i - 1), key_of(i));
      inclusive.push_back(begins ? values[i] : Compose()(inclusive.back(), values[i]));
      exclusive.push_back(begins ? init : Compose()(exclusive.back(), values[i - 1]));
    }
    KokkosScan::distribute_by_key(execs, keys, from, dest, Compose{}, SameRun{});
    EXPECT_TRUE(results() == inclusive);
    std::size_t first = 0;
    while (shares[first] == 0) ++first;
    // In memory of that device, which others need not reach.
    Kokkos::View<Affine, Kokkos::CudaSpace> const in_memory(parts[first]->init.view.data());
    KokkosScan::distribute_exclusive_by_key(execs, keys, from, dest, in_memory, Compose{}, SameRun{});
    EXPECT_TRUE(results() == exclusive);
  }

  int ours = 0, devices = 1;
  Affine const init{3, 5};
  std::vector<std::unique_ptr<Part<Affine>>> parts;
  std::vector<Exec> execs;
  std::vector<View<Affine>> from, dest;
  std::vector<View<int>> keys;
  std::vector<Affine> values;
};

TEST_F(Distributed, over_streams_of_one_device) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    expect_all({1'000'003, 0, 70'000, 1}, 1);
    expect_all({0, 5, 2'000'001}, 1);
  }
}
TEST_F(Distributed, over_several_devices) {
  if (devices < 2) GTEST_SKIP() << "needs two CUDA devices";
  for (int repeat = 0; repeat < 3; ++repeat) {
    expect_all({1'000'003, 3'000'017}, 2);
    expect_all({0, 70'000, 1, 999'999, 0, 12'345}, devices);
  }
}

TEST_F(Distributed, leaves_the_current_device_as_it_was) {
  if (devices < 2) GTEST_SKIP() << "needs two CUDA devices";
  make({70'000, 100'000, 1000}, 2);
  Affine total{};
  for (int device = 0; device < devices; ++device) {
    auto const expect_kept = [&](char const* what, auto const& call) {
      ok(cudaSetDevice(device));
      call();
      int current = -1;
      ok(cudaGetDevice(&current));
      EXPECT_EQ(current, device) << what;
    };
    expect_kept("scan", [&] { KokkosScan::distribute(execs, from, dest, Compose{}, Total{total}); });
    expect_kept("by key", [&] { KokkosScan::distribute_by_key(execs, keys, from, dest, Compose{}, SameRun{}); });
    expect_kept("exclusive, by key",
                [&] { KokkosScan::distribute_exclusive_by_key(execs, keys, from, dest, init, Compose{}, SameRun{}); });
    expect_kept("one that throws",
                [&] { EXPECT_THROW(KokkosScan::distribute(execs, from, dest, ThrowsOnHosts{}), std::domain_error); });
  }
}

TEST_F(Distributed, is_refused_while_an_instance_is_captured) {
  make({1000, 1000}, 1);
  auto const stream = execs[1].cuda_stream();
  ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  auto const said_by = [](auto const& call) {
    try {
      call();
    } catch (std::runtime_error const& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::string const said = said_by([&] { KokkosScan::distribute(execs, from, dest, Compose{}); });
  std::string const by_keys =
      said_by([&] { KokkosScan::distribute_by_key(execs, keys, from, dest, Compose{}, SameRun{}); });
  cudaGraph_t graph{};
  ok(cudaStreamEndCapture(stream, &graph));
  cudaGraphDestroy(graph);
  EXPECT_NE(said.find("(instance 1): while exec is captured"), std::string::npos) << said;
  EXPECT_NE(by_keys.find("(instance 1): while exec is captured"), std::string::npos) << by_keys;
  KokkosScan::distribute(execs, from, dest, Compose{});
  for (Exec const& exec : execs) exec.fence();
}

}  // namespace
