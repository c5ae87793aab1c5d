// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "../scratch/kept_bytes.hpp"

// Kokkos::finalize finds all scratch given back. A program of its own, because there is no
// second Kokkos::initialize.
namespace {

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

}  // namespace

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  contract::KeptBytes const tool;
  std::optional<Handle> handle;
  scan_everywhere(handle);
  auto const before = tool.blocks;
  // Since Kokkos 5.2 no execution space instance may outlive finalize, and so no Handle.
  handle.reset();
  static_handle.reset();
  Kokkos::finalize();

  std::printf("%d blocks kept until Kokkos::finalize, %d of %d bytes after it\n", static_cast<int>(before),
              static_cast<int>(tool.blocks), static_cast<int>(tool.now));
  // At least the instance's, and those of two handles. Were nothing kept, this program would show nothing.
  return before >= 3 && tool.blocks == 0 && tool.now == 0 ? 0 : 1;
}
