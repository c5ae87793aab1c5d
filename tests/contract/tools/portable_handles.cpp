// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "make_executor.hpp"

std::vector<contract::Executor> contract::portable_handles() {
  std::vector<Executor> all;
  test::Spaces::for_each([&]<class Exec>() {
    add_executors<KokkosScan::Handle<Exec, KokkosScan::portable::Backend, KokkosScan::Options>>(all);
  });
  return all;
}
