// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "make_place.hpp"

std::vector<contract::Place> contract::instances() {
  std::vector<Place> all;
  for_each_space([&]<class Exec>(std::type_identity<Exec>) {
    Exec const exec;
    all.push_back(make_place("instance", exec, exec));
  });
  return all;
}
