// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "broadcast.hpp"
#include "channel.hpp"

namespace KokkosScan::ranks {

/// A value that one rank has and all get; or they get to know who failed, so that there is none.
template <class Value>
class SharedValue {
  static_assert(std::is_trivially_copyable_v<Value>, "KokkosScan: what crosses ranks must be trivially copyable");

 public:
  explicit SharedValue(Channel& channel) : channel_(channel) {}
  SharedValue(SharedValue const&)            = delete;
  SharedValue& operator=(SharedValue const&) = delete;
  ~SharedValue() {
    broadcast_.reset();  // which may still write the message
    channel_.give_back(std::move(message_));
  }

  /// All ranks name the same root, whose value is null if there is none: then `failed` says whose fault that is.
  void begin(int tag, int root, Value const* value, int failed) {
    message_ = channel_.take(bytes);
    if (channel_.rank() == root) {
      if (value) std::memcpy(message_.data(), value, sizeof(Value));
      std::memcpy(message_.data() + sizeof(Value), &failed, sizeof(int));
    }
    broadcast_.emplace(channel_, tag);
    broadcast_->begin(root, message_.data(), bytes);
  }
  /// Where it could not begin there is nothing to wait for.
  bool test() { return !broadcast_ || broadcast_->test(); }
  void wait() {
    if (broadcast_) broadcast_->wait();
  }

  int failed() const {
    int failed = no_rank;
    std::memcpy(&failed, message_.data() + sizeof(Value), sizeof(int));
    return failed;
  }
  /// If nobody failed.
  Value const& value() {
    std::memcpy(value_, message_.data(), sizeof(Value));
    return *reinterpret_cast<Value const*>(value_);
  }

 private:
  static constexpr std::size_t bytes = sizeof(Value) + sizeof(int);

  Channel& channel_;
  Channel::Bytes message_;
  std::optional<Broadcast> broadcast_;
  alignas(Value) std::byte value_[sizeof(Value)];
};

}  // namespace KokkosScan::ranks
