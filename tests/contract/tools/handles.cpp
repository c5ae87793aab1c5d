// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "make_executor.hpp"

std::vector<contract::Executor> contract::handles() {
  std::vector<Executor> all;
  test::Spaces::for_each([&]<class Exec>() {
    add_executors<KokkosScan::Handle<Exec, KokkosScan::driver::Backend<Exec>, KokkosScan::Options>>(all);
  });
  return all;
}
