// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>

namespace model {

enum class Kind {
  deadlock,              // nobody can move, and somebody waits for a word that nobody is left to write
  endless,               // no end in sight, or a loop that waits for a word without pause()
  divergence,            // not all threads that a barrier, shuffle or vote needs can come to it
  shared_race,           // two threads, one byte of shared memory, one of them writes, and nothing orders them
  shared_uninitialised,  // a byte of shared memory is read that nobody wrote
  shared_out_of_range,
  misaligned,
  mixed_word_size,    // one address, words of several sizes
  mixed_word_access,  // a word was written behind the model's back, by a plain store
  misused_mbarrier,  // one that was not initialised, that more come to than are counted, or that somebody slept through
  bad_argument,      // of a launch, a shuffle, ...
};

std::string to_string(Kind);

/// What launch() throws when the model finds a fault in a kernel.
class ModelError : public std::runtime_error {
 public:
  ModelError(Kind kind, std::string const& text) : std::runtime_error(text), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace model
