// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <utility>

namespace model {

/// Numbers by index, 0 where none was set, that only ever rise; what two of them know together is the maximum of each.
/// The view of a thread (word -> message) is one, and so is a vector clock (thread -> tick). Copies share their numbers
/// until one of them changes, since after a barrier a thousand threads know the same.
class Marks {
 public:
  Marks() = default;
  Marks(Marks const& other) : rows_(other.rows_) {
    if (rows_) ++rows_->owners;
  }
  Marks(Marks&& other) noexcept : rows_(std::exchange(other.rows_, nullptr)) {}
  Marks& operator=(Marks other) noexcept {
    std::swap(rows_, other.rows_);
    return *this;
  }
  ~Marks() { drop(); }

  std::uint32_t operator[](unsigned i) const { return rows_ && i < rows_->size ? rows_->data()[i] : 0; }
  bool empty() const { return !rows_; }
  /// Whether the two are copies, of which none has changed since.
  bool is_same(Marks const& other) const { return rows_ == other.rows_; }

  void clear() {
    drop();
    rows_ = nullptr;
  }

  void raise(unsigned i, std::uint32_t to) {
    if ((*this)[i] >= to) return;
    own(i + 1);
    rows_->data()[i] = to;
  }

  void join(Marks const& other) {
    if (rows_ == other.rows_ || !other.rows_) return;
    if (rows_ && covers(other)) return;
    if (!rows_ || other.covers(*this)) {
      *this = other;
      return;
    }
    own(other.rows_->size);
    std::uint32_t* const mine = rows_->data();
    for (unsigned i = 0; i < other.rows_->size; ++i) mine[i] = std::max(mine[i], other.rows_->data()[i]);
  }

 private:
  struct Rows {
    unsigned owners, size, room;
    std::uint32_t* data() { return reinterpret_cast<std::uint32_t*>(this + 1); }
  };

  bool covers(Marks const& other) const {
    std::uint32_t const* const theirs = other.rows_->data();
    return rows_->size >= other.rows_->size &&
           std::equal(theirs, theirs + other.rows_->size, rows_->data(), std::less_equal<>());
  }

  /// Makes the numbers its own, and at least so many.
  void own(unsigned size) {
    if (rows_ && rows_->owners == 1 && rows_->room >= size) {
      if (size > rows_->size) {
        std::memset(rows_->data() + rows_->size, 0, (size - rows_->size) * sizeof(std::uint32_t));
        rows_->size = size;
      }
      return;
    }
    unsigned const had  = rows_ ? rows_->size : 0;
    unsigned const all  = std::max(size, had);
    unsigned const room = all + all / 2 + 8;
    auto* const fresh   = ::new (std::malloc(sizeof(Rows) + room * sizeof(std::uint32_t))) Rows{1, all, room};
    if (had) std::memcpy(fresh->data(), rows_->data(), had * sizeof(std::uint32_t));
    std::memset(fresh->data() + had, 0, (all - had) * sizeof(std::uint32_t));
    drop();
    rows_ = fresh;
  }

  void drop() {
    if (rows_ && --rows_->owners == 0) std::free(rows_);
  }

  Rows* rows_ = nullptr;
};

}  // namespace model
