// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "words.hpp"

#include <sstream>
#include <utility>

#include "random.hpp"

namespace model {

void Words::begin() {
  for (Word& word : words_) {
    word.messages.clear();
    old_.push_back(std::move(word.messages));
  }
  words_.clear();
  table_.assign(256, Line());
  lines_ = 0;
}

Words::Line& Words::line(std::uintptr_t address) {
  std::size_t const wrap = table_.size() - 1;
  std::size_t slot       = mixed(address) & wrap;
  while (table_[slot].address != address && table_[slot].address != 0) slot = (slot + 1) & wrap;
  return table_[slot];
}

void Words::grow() {
  std::vector<Line> old(table_.size() * 2);
  old.swap(table_);
  for (Line const& l : old)
    if (l.address != 0) line(l.address) = l;
}

unsigned Words::wrong(Kind kind, void const* address, unsigned bytes, std::string const& why, Word const* other) {
  std::ostringstream text;
  text << "a word of " << bytes << " bytes at " << address << why;
  if (other) text << " one of " << other->bytes << " bytes begins at " << static_cast<void*>(other->address);
  fault_ = {kind, text.str()};
  return none;
}

unsigned Words::find(void const* address, unsigned bytes) {
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  if (at < 4096 || at % bytes != 0) return wrong(Kind::misaligned, address, bytes, "");
  Line& l               = line(at / 16);
  unsigned const number = l.words[at % 16 / 4];
  if (number == none) return add(static_cast<std::byte*>(const_cast<void*>(address)), bytes, l);
  Word const& word = words_[number];
  if (word.address != address || word.bytes != bytes)
    return wrong(Kind::mixed_word_size, address, bytes, ", where", &word);
  if (!(word.in_memory() == word.messages.back().value))
    return wrong(Kind::mixed_word_access, address, bytes, " was written during the launch by other means than words");
  return number;
}

unsigned Words::add(std::byte* address, unsigned bytes, Line& found) {
  unsigned const first = reinterpret_cast<std::uintptr_t>(address) % 16 / 4;
  for (unsigned i = first; i < first + bytes / 4; ++i)
    if (found.words[i] != none)
      return wrong(Kind::mixed_word_size, address, bytes, ", in which", &words_[found.words[i]]);
  auto const number = static_cast<unsigned>(words_.size());
  Word word{address, bytes, false, {}};
  if (!old_.empty()) {
    word.messages = std::move(old_.back());
    old_.pop_back();
  }
  word.messages.push_back({word.in_memory(), Marks()});
  words_.push_back(std::move(word));

  if (found.address == 0) {
    found.address = reinterpret_cast<std::uintptr_t>(address) / 16;
    ++lines_;
  }
  for (unsigned i = first; i < first + bytes / 4; ++i) found.words[i] = number;
  if (2 * lines_ > table_.size()) grow();
  return number;
}

}  // namespace model
