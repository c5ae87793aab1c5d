// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "make_place.hpp"

std::vector<contract::Place> contract::handles() {
  std::vector<Place> all;
  for_each_space([&]<class Exec>(std::type_identity<Exec>) {
    add_places<KokkosScan::Handle<Exec, KokkosScan::driver::Backend<Exec>, KokkosScan::Options>>(all);
  });
  return all;
}
