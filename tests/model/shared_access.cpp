// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run.hpp"

namespace model {

void* Run::shared(std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment, bool writes, Place const& where) {
  turn_point(1);
  SharedMemory& memory = self_->block->shared();
  void* const place =
      writes ? memory.write(*self_, byte, bytes, alignment, where) : memory.read(*self_, byte, bytes, alignment, where);
  if (!place)
    fail(memory.fault().kind, [&] {
      auto const met = [&](Thread const& thread) {
        Place const& met_at = thread.state == State::waiting ? thread.passed : thread.where;
        return "\n  thread " + std::to_string(thread.index) + " met others " +
               (met_at.line ? "last" + at(met_at) : "never");
      };
      int const other = memory.fault().other;
      return memory.fault().text + met(*self_) +
             (other < 0 ? "" : met(self_->block->thread(static_cast<unsigned>(other))));
    });
  record(writes ? Event::What::shared_store : Event::What::shared_load, static_cast<std::uintptr_t>(byte), bytes,
         where);
  return place;
}

void const* read_shared(std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment, Place const& where) {
  return Run::running->shared(byte, bytes, alignment, false, where);
}
void* write_shared(std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment, Place const& where) {
  return Run::running->shared(byte, bytes, alignment, true, where);
}

}  // namespace model
