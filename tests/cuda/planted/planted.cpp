// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <model/machine.hpp>
#include <string>
#include <vector>

#include "cuda_native/scan.hpp"

// Scans by kernels in which a fault was planted (CMakeLists.txt), under many schedules. The program succeeds if the
// fault was caught in the way that its first argument names: "wrong" or a ModelError of that kind; or, for the kernels
// as they are, if nothing was found ("nothing").
namespace {

using namespace KokkosScan;
using driver::Contiguous;
using driver::Kind;

/// x -> a x + b modulo 2^32, followed by another. It does not commute.
template <class Word>
struct Affine {
  Word a, b;
  bool operator==(Affine const&) const = default;
};
struct Then {
  template <class Word>
  Affine<Word> operator()(Affine<Word> const& left, Affine<Word> const& right) const {
    return {left.a * right.a, left.b * right.a + right.b};
  }
};

/// The states of one run after the other, as a workspace keeps them.
class Scans {
 public:
  template <class Value>
  bool are_right(Options const& options, std::size_t n, std::uint32_t salt, std::size_t offset = 0) {
    std::vector<Value> from(offset), expected, dest(offset + n);
    for (std::size_t i = 0; i < n; ++i)
      from.push_back({static_cast<decltype(Value::a)>(2 * (i * 40503U + salt) + 1),
                      static_cast<decltype(Value::b)>(i * 2654435761U + salt)});
    for (std::size_t i = 0; i < n; ++i)
      expected.push_back(i == 0 ? from[offset] : Then{}(expected[i - 1], from[offset + i]));

    driver::Needs const needs = cuda::needs<Value>(options, n);
    if (states_.size() * sizeof(Line) < needs.states) states_.assign(needs.states / sizeof(Line) + 1, Line{});
    std::vector<Line> scratch(needs.scratch / sizeof(Line) + 1);
    driver::Scan<Kind::inclusive, Value, Contiguous<Value const>, Contiguous<Value>, Then, Unchanged> const scan{
        {from.data() + offset}, {dest.data() + offset}, n, {}, {}, {}, nullptr};
    cuda::run(nullptr, options, scan, {scratch.data(), states_.data(), states_.size() * sizeof(Line)});
    return std::equal(expected.begin(), expected.end(), dest.begin() + static_cast<std::ptrdiff_t>(offset));
  }

 private:
  struct alignas(128) Line {
    unsigned char bytes[128] = {};
  };
  std::vector<Line> states_;
};

std::string found(std::uint64_t seed, model::Start start, unsigned resident) {
  model::Model const model(model::Settings{.seed = seed, .resident = resident, .start = start});
  Scans scans;
  try {
    for (std::uint32_t salt : {1U, 2U, 3U}) {
      for (GridScan const grid : {GridScan::lookback, GridScan::chained, GridScan::hierarchical}) {
        if (!scans.are_right<Affine<std::uint32_t>>({grid, BlockScan::automatic}, 11'000, salt)) return "wrong";
        if (!scans.are_right<Affine<std::uint64_t>>({grid, BlockScan::automatic}, 5'000, salt)) return "wrong";
      }
      if (!scans.are_right<Affine<std::uint32_t>>({GridScan::lookback, BlockScan::kogge_stone}, 300, salt))
        return "wrong";
      if (salt == 1 &&
          !scans.are_right<Affine<std::uint64_t>>({GridScan::lookback, BlockScan::automatic}, 70'000, salt))
        return "wrong";
      // Enough tiles that a block goes through its ring, with copies and without.
      Options const pipelined{.grid = GridScan::pipelined};
      if (!scans.are_right<Affine<std::uint64_t>>(pipelined, 50'001, salt)) return "wrong";
      if (salt == 1 && !scans.are_right<Affine<std::uint32_t>>(pipelined, 100'001, salt, 1)) return "wrong";
    }
  } catch (model::ModelError const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return to_string(error.kind());
  }
  return "nothing";
}

}  // namespace

int main(int count, char** arguments) {
  std::string const expected = count > 1 ? arguments[1] : "";
  int const seeds            = expected == "nothing" ? 5 : 100;
  for (int seed = 0; seed < seeds; ++seed) {
    auto const start          = expected == "deadlock" ? model::Start::descending : model::Start::seeded;
    std::string const outcome = found(static_cast<std::uint64_t>(seed), start, expected == "deadlock" ? 2 : 0);
    if (outcome == "nothing") continue;
    std::printf("seed %d: %s\n", seed, outcome.c_str());
    return outcome == expected ? 0 : 1;
  }
  std::printf("nothing found by %d seeds\n", seeds);
  return expected == "nothing" ? 0 : 1;
}
