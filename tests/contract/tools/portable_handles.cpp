// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "make_executor.hpp"

std::vector<contract::Executor> contract::portable_handles() {
  std::vector<Executor> all;
  for_each_space([&]<class Exec>(std::type_identity<Exec>) {
    add_executors<KokkosScan::Handle<Exec, KokkosScan::portable::Backend, KokkosScan::Options>>(all);
  });
  return all;
}
