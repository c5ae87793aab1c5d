// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <new>
#include <string>

#include "../core/memory.hpp"
#include "../driver/boundaries.hpp"
#include "../driver/message_memory.hpp"
#include "../driver/pinned_memory.hpp"
#include "../driver/run_scan.hpp"
#include "gpu_aware.hpp"
#include "rounds.hpp"

// A value for each line, as the rounds carry it. It stays where exec has it, and is combined there. MPI is handed it
// there if it reaches that memory, and need know of no device: else what a device has is copied to memory that both
// reach, and what comes in is read there by the kernel that combines it.
namespace KokkosScan::ranks {

/// Puts a plane of what is before in front of two others, each if there is one.
template <class Value, class Op>
struct PutPlaneInFront {
  Value const* left;
  Value *before, *through;
  bool has_before, has_through;
  Op op;

  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  KOKKOSSCAN_FUNCTION void operator()(std::size_t k) const {
    Value const value = left[k];
    ::new (static_cast<void*>(before + k)) Value(has_before ? static_cast<Value>(op(value, before[k])) : value);
    ::new (static_cast<void*>(through + k)) Value(has_through ? static_cast<Value>(op(value, through[k])) : value);
  }
};

/// How planes cross: whether by way of memory that the host and exec share, and in what pieces.
struct PlaneMessages {
  bool staged;
  std::size_t piece = Bodies::most_in_piece;
};
template <class ExecOrHandle>
PlaneMessages plane_messages() {
  return {.staged = !ranks::reaches_memory_of<typename driver::InstanceOf<ExecOrHandle>::memory_space>()};
}

template <class ExecOrHandle, class Value, class Op>
class CarriedPlane final : public Carried {
  using Exec = driver::InstanceOf<ExecOrHandle>;

 public:
  CarriedPlane(std::string const& label, ExecOrHandle const& exec, std::size_t lines, Op const& op,
               PlaneMessages const& messages)
      : label_(label),
        exec_(exec),
        lines_(lines),
        op_(op),
        messages_(messages),
        leases_(driver::lease(exec, {.scratch = (messages.staged ? 2 : 1) * bytes()})),
        pinned_(driver::lease_pinned(driver::instance(exec), messages.staged ? 2 * bytes() : 0)),
        handed_(driver::lease_for_messages(driver::instance(exec), messages.staged ? 0 : 2 * bytes())) {}

  /// What this rank and those before it combine to, at first its own; and what those before it do.
  Value* through() const { return messages_.staged ? before() + lines_ : static_cast<Value*>(handed_.data()); }
  Value* before() const { return static_cast<Value*>(leases_.memory().scratch); }
  void has_own() { has_through_ = true; }

  Bodies bodies() const {
    auto* const out = static_cast<std::byte*>(messages_.staged ? pinned_.data() : handed_.data());
    return {out, out + bytes(), bytes(), messages_.piece};
  }

  bool write(std::byte* out) const override {
    if (!has_through_) return false;
    if (is_out_) return true;  // exec may be at work on what is behind it
    if (messages_.staged) copy_out(out);
    driver::wait_for(label_, exec_);
    is_out_ = true;
    return true;
  }
  void take_from_before(std::byte const* in) override {
    driver::for_each_index(label_, exec_, lines_, lines_,
                           PutPlaneInFront<Value, Op>{reinterpret_cast<Value const*>(in), before(), through(),
                                                      has_before_, has_through_, op_});
    has_before_ = has_through_ = true;
    is_out_                    = false;
    driver::wait_for(label_, exec_);  // before more comes in there
  }

 private:
  std::size_t bytes() const { return core::bytes_of(lines_, sizeof(Value)); }
  void copy_out(std::byte* out) const {
    using Bytes = unsigned char;
    Kokkos::deep_copy(driver::instance(exec_),
                      Kokkos::View<Bytes*, driver::SharedSpace<Exec>, Kokkos::MemoryUnmanaged>(
                          reinterpret_cast<Bytes*>(out), bytes()),
                      Kokkos::View<Bytes const*, typename Exec::memory_space, Kokkos::MemoryUnmanaged>(
                          reinterpret_cast<Bytes const*>(through()), bytes()));
  }

  std::string const& label_;
  ExecOrHandle const& exec_;
  std::size_t lines_;
  Op op_;
  PlaneMessages messages_;
  driver::Leases<Exec> leases_;
  driver::PinnedLease<Exec> pinned_;
  driver::MessageLease<Exec> handed_;
  bool has_before_ = false, has_through_ = false;
  mutable bool is_out_ = false;  // as it is now
};

}  // namespace KokkosScan::ranks
