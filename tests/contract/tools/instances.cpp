// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "make_executor.hpp"

std::vector<contract::Executor> contract::instances() {
  std::vector<Executor> all;
  test::Spaces::for_each([&]<class Exec>() {
    Exec const exec;
    all.push_back(make_executor("instance", exec, exec));
  });
  return all;
}
