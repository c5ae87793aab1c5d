// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>

#include "recorder.hpp"

// Kokkos::finalize finds all scratch given back. A program of its own, because there is no
// second Kokkos::initialize.
namespace {

using contract::Event;
using contract::Recorder;
using KokkosScan::GridScan;
using Exec     = Kokkos::DefaultExecutionSpace;
using Handle   = KokkosScan::Handle<Exec, KokkosScan::driver::Backend<Exec>, KokkosScan::Options>;
using Portable = KokkosScan::Handle<Exec, KokkosScan::portable::Backend, KokkosScan::Options>;

std::unique_ptr<Handle> static_handle;

void scan_everywhere(std::optional<Handle>& handle) {
  Kokkos::View<int*, Exec::memory_space> const values("values", 200000);
  Portable const portable;
  handle.emplace(Exec(), KokkosScan::Options{.grid = GridScan::hierarchical});
  static_handle = std::make_unique<Handle>(*handle);  // shares the scratch
  static_handle = std::make_unique<Handle>(Exec(), KokkosScan::Options{.grid = GridScan::hillis_steele});
  int total     = 0;
  KokkosScan::inclusive_scan(Exec(), values, values, KokkosScan::Total{total});
  KokkosScan::inclusive_scan(*handle, values, values, KokkosScan::Total{total});
  KokkosScan::inclusive_scan(*static_handle, values, values, KokkosScan::Total{total});
  KokkosScan::inclusive_scan(portable, values, values, KokkosScan::Total{total});
}

/// How many blocks of scratch a tool has seen taken and not freed.
std::size_t blocks_kept(Recorder const& recorder) {
  std::map<void const*, int> blocks;
  for (Event const& event : recorder.all()) {
    if (event.name() != "KokkosScan::scratch") continue;
    if (event.kind == Event::Kind::allocation) ++blocks[event.data];
    if (event.kind == Event::Kind::deallocation) --blocks[event.data];
  }
  std::size_t kept = 0;
  for (auto const& [block, balance] : blocks) {
    if (balance < 0) std::printf("a block was freed that was not taken\n");
    kept += balance != 0;
  }
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  Recorder const recorder;
  std::optional<Handle> handle;
  scan_everywhere(handle);
  std::size_t const before = blocks_kept(recorder);
  // Since Kokkos 5.2 no execution space instance may outlive finalize, and so no Handle.
  handle.reset();
  static_handle.reset();
  Kokkos::finalize();
  std::size_t const after = blocks_kept(recorder);

  std::printf("%zu blocks kept until Kokkos::finalize, %zu after it\n", before, after);
  // At least the instance's, and those of two handles. Were nothing kept, this program would show nothing.
  return before >= 3 && after == 0 ? 0 : 1;
}
