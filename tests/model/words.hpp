// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "call.hpp"
#include "marks.hpp"
#include "model.hpp"

namespace model {

struct alignas(16) Bits {
  std::uint64_t low, high;
  bool operator==(Bits const&) const = default;
};

/// What was written to a word, in order, and what a reader learns if it acquires it. The first is what memory held.
struct Message {
  Bits value;
  Marks view;
};

struct Word {
  std::byte* address;
  unsigned bytes;
  bool counts;  // has been modified by atomics
  std::vector<Message> messages;

  std::uint32_t newest() const { return static_cast<std::uint32_t>(messages.size() - 1); }

  Bits in_memory() const {
    Bits value{};
    if (bytes == 4)
      std::memcpy(&value, address, 4);
    else if (bytes == 8)
      std::memcpy(&value, address, 8);
    else
      std::memcpy(&value, address, 16);
    return value;
  }
  void append(Bits const& value, Marks view) {
    std::memcpy(address, &value, bytes);
    messages.push_back({value, std::move(view)});
  }
};

/// The words of a launch, found by their addresses and numbered in the order in which they were first met.
class Words {
 public:
  void begin();

  struct Fault {
    Kind kind;
    std::string text;
  };
  static constexpr unsigned none = ~0U;

  /// The number of the word; none, and a fault, if it may not be one.
  unsigned find(void const* address, unsigned bytes);
  Fault const& fault() const { return fault_; }

  Word& operator[](unsigned number) { return words_[number]; }
  Word const& operator[](unsigned number) const { return words_[number]; }

 private:
  /// 16 bytes of memory, and which words lie in each 4 of them.
  struct Line {
    std::uintptr_t address = 0;  // by 16
    unsigned words[4]      = {none, none, none, none};
  };
  Line& line(std::uintptr_t address);
  unsigned add(std::byte* address, unsigned bytes, Line& line);
  void grow();
  unsigned wrong(Kind, void const* address, unsigned bytes, std::string const& why, Word const* other = nullptr);

  std::vector<Word> words_;
  std::vector<std::vector<Message>> old_;  // emptied, for the memory that they have
  std::vector<Line> table_;
  std::size_t lines_ = 0;
  Fault fault_{};
};

}  // namespace model
