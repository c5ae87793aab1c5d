// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All kernels of an instruction set. It includes this once, with KOKKOSSCAN_INSTRUCTION_SET its namespace, in which by
// then stand vector_bytes (the width of its registers), stream, finish_streaming, leave_registers, ones,
// loads_duplicate with the loads that it speaks of, can_compress with what compresses, and overloads of what the
// compiler does worse. Nothing in these files may call an inline function from outside: the linker keeps one copy of
// such a function, and that could be one the processor cannot run.
#include "vectors.inl"

#include "network.inl"
#include "reduction.inl"
#include "scan_by_network.inl"
#include "scan_by_plain_loop.inl"
#include "scan_runs.inl"

#include "compaction.inl"

namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET {
namespace {

void copy_past_the_caches(std::byte* dest, std::byte const* from, Size bytes) {
  LeaveRegisters const at_the_end;
  Size const ahead = (vector_bytes - reinterpret_cast<Size>(dest) % vector_bytes) % vector_bytes;
  Size i           = ahead < bytes ? ahead : bytes;  // up to where a register begins
  __builtin_memcpy(dest, from, i);
  for (; i + vector_bytes <= bytes; i += vector_bytes)
    stream(reinterpret_cast<unsigned char*>(dest + i), load(reinterpret_cast<unsigned char const*>(from + i)));
  __builtin_memcpy(dest + i, from + i, bytes - i);
}

template <class Op, class T, class From>
constexpr auto scan() {
  if constexpr (by_plain_loop<Op, T>)
    return scan_by_plain_loop<Op, T, From>;
  else
    return scan_by_network<Op, T, From>;
}

template <class Table>
struct Compiled;
template <class... Op, class... T, class... From>
struct Compiled<Table<Entry<Op, T, From>...>> {
  static constexpr Table<Entry<Op, T, From>...> table{
      Entry<Op, T, From>{{scan<Op, T, From>(), reduce<Op, T, From>}}...};
};

template <class... Op, class... T>
struct Compiled<Table<RunEntry<Op, T>...>> {
  static constexpr Table<RunEntry<Op, T>...> table{RunEntry<Op, T>{{scan_runs<Op, T>}}...};
};

template <class T>
constexpr Compaction<T> compaction{copy_elements<T>, write_indices<T>, write_differences<T>};

}  // namespace

AllFunctions const& compiled_functions() {
  static constexpr AllFunctions all{Compiled<TileFunctions>::table,
                                    Compiled<AllRunFunctions>::table,
                                    {find_changes<std::uint32_t>, find_changes<std::uint64_t>},
                                    {compaction<std::uint32_t>, compaction<std::uint64_t>, mark_bytes, count_marks},
                                    {copy_past_the_caches, finish_streaming}};
  return all;
}

}  // namespace KokkosScan::host::simd::KOKKOSSCAN_INSTRUCTION_SET
