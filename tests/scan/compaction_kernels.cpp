// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/host/simd/functions.hpp"
#include "src/host/simd/instruction_set.hpp"

// The kernels of compaction beside plain loops, for each instruction set, at every length and alignment: nothing is
// written outside of the results, and nothing read behind what is marked.
namespace test {
namespace {

using namespace KokkosScan;
namespace simd = host::simd;

constexpr std::size_t longest = 200, alignments = 16, bits_a_word = 64;

/// So many elements of which the last one ends where no memory is.
template <class T>
class AtTheEnd {
 public:
  explicit AtTheEnd(std::size_t n) : n_(n) {
    memory_ = ::mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED || ::mprotect(bytes() + page_, page_, PROT_NONE) != 0)
      throw std::runtime_error("no memory with an end");
  }
  ~AtTheEnd() { ::munmap(memory_, 2 * page_); }
  AtTheEnd(AtTheEnd const&)            = delete;
  AtTheEnd& operator=(AtTheEnd const&) = delete;

  T* data() const { return reinterpret_cast<T*>(bytes() + page_) - n_; }
  T& operator[](std::size_t i) const { return data()[i]; }

 private:
  std::byte* bytes() const { return static_cast<std::byte*>(memory_); }

  std::size_t const page_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::size_t n_;
  void* memory_;
};

class Random {
 public:
  unsigned below(unsigned most) {
    state_ = state_ * 1664525U + 1013904223U;
    return (state_ >> 8) % most;
  }

 private:
  unsigned state_ = 12345;
};

/// Some of a thousand, at random; or, of more than that, runs of them.
std::vector<bool> choices(std::size_t n, unsigned share) {
  Random random;
  std::vector<bool> chosen(n);
  for (std::size_t i = 0; i < n; ++i)
    chosen[i] = share <= 1000 ? random.below(1000) < share : i / (share - 1000) % 3 != 1;
  return chosen;
}
constexpr unsigned shares[] = {0, 20, 500, 980, 1000, 1000 + 64};

std::size_t words_of(std::size_t n) { return (n + bits_a_word - 1) / bits_a_word; }
/// A bit for each; inverted, those behind the last one are not set either.
void put_marks(std::vector<bool> const& chosen, bool inverted, AtTheEnd<std::uint64_t> const& marks) {
  std::fill(marks.data(), marks.data() + words_of(chosen.size()), 0);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] != inverted) marks[i / bits_a_word] |= std::uint64_t{1} << i % bits_a_word;
}

template <class T>
std::vector<T> first_of(std::vector<T> values, std::size_t most) {
  values.resize(most);
  return values;
}

template <class T>
simd::Compaction<T> const& kernels() {
  if constexpr (sizeof(T) == 4)
    return simd::all_functions().compactions.of_4_bytes;
  else
    return simd::all_functions().compactions.of_8_bytes;
}

template <class F>
void for_each_instruction_set(F const& f) {
  simd::InstructionSet const before = simd::instruction_set();
  for (auto const set : simd::available_instruction_sets()) {
    simd::use(set);
    f(std::string(simd::to_string(set)));
  }
  simd::use(before);
}

template <class T>
class CompactionKernels : public testing::Test {
 protected:
  static constexpr T untouched = static_cast<T>(-7);

  /// write(to) gives these results, wherever they begin, and nothing else.
  template <class Write>
  static bool writes(std::vector<T> const& expected, Write const& write) {
    for (std::size_t offset = 0; offset < alignments; ++offset) {
      std::vector<T> found(offset + expected.size() + 2 * bits_a_word, untouched), whole = found;
      std::copy(expected.begin(), expected.end(), whole.begin() + static_cast<std::ptrdiff_t>(offset));
      write(found.data() + offset);
      if (found != whole) return false;
    }
    return true;
  }
};
using Widths = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(CompactionKernels, Widths);

TYPED_TEST(CompactionKernels, take_what_is_chosen_and_its_indices) {
  using T = TypeParam;
  for_each_instruction_set([&](std::string const& set) {
    for (std::size_t n = 0; n <= longest; ++n)
      for (unsigned const share : shares)
        for (bool const inverted : {false, true}) {
          auto const chosen = choices(n, share);
          AtTheEnd<std::uint64_t> const marks(words_of(n));
          put_marks(chosen, inverted, marks);
          AtTheEnd<T> const from(n);
          T const first = static_cast<T>(-5);
          std::vector<T> elements, indices;
          for (std::size_t i = 0; i < n; ++i) {
            from[i] = static_cast<T>(i * 0x9E3779B97F4A7C15U >> 7);
            if (!chosen[i]) continue;
            elements.push_back(from[i]);
            indices.push_back(static_cast<T>(first + i));
          }
          std::size_t const all = elements.size();
          for (std::size_t const most : {all, all / 2, std::min<std::size_t>(all, 1)}) {
            simd::Chosen const some{marks.data(), inverted ? ~std::uint64_t{0} : 0, most};
            ASSERT_TRUE(
                this->writes(first_of(elements, most), [&](T* to) { kernels<T>().copy(from.data(), some, to); }))
                << set << ", n = " << n << ", share " << share << ", inverted " << inverted << ", most " << most;
            ASSERT_TRUE(this->writes(first_of(indices, most), [&](T* to) { kernels<T>().indices(first, some, to); }))
                << set << ", n = " << n << ", share " << share << ", inverted " << inverted << ", most " << most;
          }
        }
  });
}

TYPED_TEST(CompactionKernels, take_what_lies_anywhere) {
  using T = TypeParam;
  for_each_instruction_set([&](std::string const& set) {
    std::vector<T> from(alignments + longest);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i * i + 1);
    for (std::size_t offset = 0; offset < alignments; ++offset)
      for (std::size_t const n : {std::size_t{63}, std::size_t{64}, longest}) {
        auto const chosen = choices(n, 600);
        AtTheEnd<std::uint64_t> const marks(words_of(n));
        put_marks(chosen, false, marks);
        std::vector<T> expected;
        for (std::size_t i = 0; i < n; ++i)
          if (chosen[i]) expected.push_back(from[offset + i]);
        simd::Chosen const all{marks.data(), 0, expected.size()};
        ASSERT_TRUE(this->writes(expected, [&](T* to) { kernels<T>().copy(from.data() + offset, all, to); }))
            << set << ", n = " << n << ", offset " << offset;
      }
  });
}

/// What is chosen may go to where it lies, or before: nothing is written that is still to be read.
TYPED_TEST(CompactionKernels, take_what_goes_before_itself) {
  using T = TypeParam;
  for_each_instruction_set([&](std::string const& set) {
    for (std::size_t n = 0; n <= longest; ++n)
      for (unsigned const share : shares)
        for (bool const inverted : {false, true})
          for (std::size_t const gap : {std::size_t{0}, std::size_t{1}, std::size_t{7}, bits_a_word + 3}) {
            auto const chosen = choices(n, share);
            AtTheEnd<std::uint64_t> const marks(words_of(n));
            put_marks(chosen, inverted, marks);
            AtTheEnd<T> const all(gap + n);
            for (std::size_t i = 0; i < gap + n; ++i) all[i] = static_cast<T>(i * 0x9E3779B97F4A7C15U >> 7);
            std::vector<T> expected(all.data(), all.data() + gap + n);
            std::size_t count = 0;
            for (std::size_t i = 0; i < n; ++i)
              if (chosen[i]) expected[count++] = all[gap + i];
            kernels<T>().copy(all.data() + gap, {marks.data(), inverted ? ~std::uint64_t{0} : 0, count}, all.data());
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), all.data()))
                << set << ", n = " << n << ", share " << share << ", inverted " << inverted << ", gap " << gap;
          }
  });
}

TYPED_TEST(CompactionKernels, take_differences) {
  using T = TypeParam;
  for_each_instruction_set([&](std::string const& set) {
    for (std::size_t n = 0; n <= longest; ++n) {
      AtTheEnd<T> const from(n + 1);
      for (std::size_t i = 0; i <= n; ++i) from[i] = static_cast<T>(i * 0x9E3779B97F4A7C15U >> 7);
      std::vector<T> expected(n);
      for (std::size_t i = 0; i < n; ++i) expected[i] = static_cast<T>(from[i + 1] - from[i]);
      ASSERT_TRUE(this->writes(expected, [&](T* to) { kernels<T>().differences(from.data() + 1, n, to); }))
          << set << ", n = " << n;
    }
  });
}

TEST(CompactionKernel, makes_marks_of_bytes_and_counts_them) {
  for_each_instruction_set([&](std::string const& set) {
    for (std::size_t words = 0; words <= 5; ++words)
      for (std::size_t offset = 0; offset < alignments; ++offset)
        for (unsigned const share : shares) {
          std::size_t const n = words * bits_a_word;
          auto const chosen   = choices(n, share);
          AtTheEnd<unsigned char> const bytes(n + offset);
          AtTheEnd<std::uint64_t> const marks(words);
          put_marks(chosen, false, marks);
          for (std::size_t i = 0; i < n; ++i) bytes[i] = chosen[i];
          std::size_t const count = static_cast<std::size_t>(std::count(chosen.begin(), chosen.end(), true));
          std::vector<std::uint64_t> found(words + 1, 77);
          ASSERT_EQ(simd::all_functions().compactions.mark(bytes.data(), words, found.data()), count) << set;
          ASSERT_TRUE(std::equal(marks.data(), marks.data() + words, found.data())) << set << ", " << words;
          ASSERT_EQ(found.back(), 77U) << set;
          ASSERT_EQ(simd::all_functions().compactions.count(marks.data(), words), count) << set;
        }
  });
}

TYPED_TEST(CompactionKernels, find_and_count_changes) {
  using T = TypeParam;
  for_each_instruction_set([&](std::string const& set) {
    for (std::size_t n = 0; n <= longest; ++n)
      for (unsigned const share : shares) {
        auto const chosen = choices(n, share);
        AtTheEnd<std::uint64_t> const marks(words_of(n));
        put_marks(chosen, false, marks);
        AtTheEnd<T> const from(n + 1);
        from[0] = 5;
        for (std::size_t i = 0; i < n; ++i) from[i + 1] = static_cast<T>(from[i] + (chosen[i] ? 1 : 0));
        std::size_t const words = words_of(n);
        std::vector<std::uint64_t> found(words + 1, 77);
        std::size_t const count = [&] {
          if constexpr (sizeof(T) == 4)
            return simd::all_functions().changes.of_4_bytes(from.data() + 1, n, found.data());
          else
            return simd::all_functions().changes.of_8_bytes(from.data() + 1, n, found.data());
        }();
        ASSERT_EQ(count, static_cast<std::size_t>(std::count(chosen.begin(), chosen.end(), true))) << set << ", " << n;
        ASSERT_TRUE(std::equal(marks.data(), marks.data() + words, found.data())) << set << ", " << n;
        ASSERT_EQ(found.back(), 77U) << set << ", " << n;
      }
  });
}

}  // namespace
}  // namespace test
