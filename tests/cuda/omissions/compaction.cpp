// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases.hpp"
#include "cuda/streams.hpp"
#include "cuda_native/scan.hpp"
#include "src/core/runs.hpp"

namespace test {
namespace {

namespace core = KokkosScan::core;
namespace cuda = KokkosScan::cuda;

using Word  = std::uint32_t;
using Words = core::Contiguous<Word>;

struct IsOdd {
  bool operator()(Word value) const { return (value & 1U) != 0; }
};

/// Words, the first of which is at a multiple of 128 bytes.
class Memory {
 public:
  explicit Memory(std::size_t n) : lines_(n / 32 + 1) {}
  Word* data() { return lines_[0].word; }

 private:
  struct alignas(128) Line {
    Word word[32] = {};
  };
  std::vector<Line> lines_;
};

/// Behind a kernel that brings the words.
template <class Problem>
void run(std::vector<Word> const& words, Word* from, Problem const& problem, KokkosScan::GridScan grid) {
  KokkosScan::Options const by{.grid = grid};
  Memory states(cuda::needs<typename Problem::Value, cuda::Kept<Problem>>(by, problem.n).states / sizeof(Word));
  on_a_stream_behind(words, from, [&] {
    cuda::run(
        nullptr, by, problem,
        {nullptr, states.data(), cuda::needs<typename Problem::Value, cuda::Kept<Problem>>(by, problem.n).states});
  });
}

std::vector<Word> words_in_runs(std::size_t n, std::uint32_t salt) {
  std::vector<Word> words(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t const hash = (static_cast<std::uint32_t>(i) + salt) * 2654435761U >> 8;
    words[i]                 = i > 0 && hash % 3 == 0 ? words[i - 1] : hash / 3;
  }
  return words;
}

/// What is chosen goes to one array and the rest to another, each from an address between those of copies.
bool parts_are_right(std::uint32_t salt) {
  constexpr std::size_t n = 50'001;
  auto const words        = words_in_runs(n, salt);
  Memory from(n), chosen(n + 1), rest(n + 3);
  core::Problem<Word, core::FromChosen<Word, Words, core::Chooses<IsOdd>>, KokkosScan::Sum,
                core::ToParted<Word, Words, Words, Words>> const problem{
      {{from.data()}, {}},
      {{from.data()}, {{chosen.data() + 1}, n}, {{rest.data() + 3}, n}},
      n,
      {},
      core::Maybe<Word>(0),
      nullptr};
  run(words, from.data(), problem, KokkosScan::GridScan::pipelined);
  std::size_t odd = 0, even = 0;
  for (Word const word : words)
    if (word != (word % 2 != 0 ? chosen.data()[1 + odd++] : rest.data()[3 + even++])) return false;
  return true;
}

/// The indices of what is chosen, by look-back.
bool indices_are_right(std::uint32_t salt) {
  constexpr std::size_t n = 50'001;
  auto const words        = words_in_runs(n, salt);
  Memory from(n), indices(n + 1);
  using Write = core::WriteIndex<Words>;
  core::Problem<Word, core::FromArray<Word, Words, IsOdd>, KokkosScan::Sum, core::ToChosen<Word, Write>> const problem{
      {{from.data()}, {}}, {{{{indices.data() + 1}, n}}}, n, {}, core::Maybe<Word>(0), nullptr};
  run(words, from.data(), problem, KokkosScan::GridScan::lookback);
  std::size_t odd = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (words[i] % 2 != 0 && indices.data()[1 + odd++] != i) return false;
  return true;
}

/// The values and the sums of runs.
bool runs_are_right(std::uint32_t salt) {
  constexpr std::size_t n = 30'001;
  auto const words        = words_in_runs(n, salt);
  Memory keys(n), values(n), unique(n), sums(n + 2);
  for (std::size_t i = 0; i < n; ++i) values.data()[i] = static_cast<Word>(i * 40503U + salt);
  core::Problem<core::Run<Word, Word>, core::FromCountedRuns<Word, Word, Words, Words, KokkosScan::Sum, core::EqualTo>,
                core::WithinCountedRuns<Word, Word, KokkosScan::Sum>,
                core::ToRuns<Word, Word, Words, Words, Words>> const problem{
      {{keys.data()}, {values.data()}, {}, {}},
      {{keys.data()}, {{unique.data()}, n}, {{sums.data() + 2}, n}, n},
      n,
      {},
      {},
      nullptr};
  run(words, keys.data(), problem, KokkosScan::GridScan::pipelined);
  for (std::size_t i = 0, run = 0; i < n; ++run) {
    Word const key = words[i];
    Word sum       = 0;
    for (; i < n && words[i] == key; ++i) sum += values.data()[i];
    if (unique.data()[run] != key || sums.data()[2 + run] != sum) return false;
  }
  return true;
}

}  // namespace

std::vector<Case> compactions() { return {parts_are_right, indices_are_right, runs_are_right}; }

}  // namespace test
