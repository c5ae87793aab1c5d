// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "temper.hpp"

namespace model {

Temper Temper::draw(Settings const& settings, Random& random) {
  unsigned const residents[]      = {1, 2, 7, all_blocks, all_blocks};
  Start const starts[]            = {Start::ascending, Start::descending, Start::shuffled};
  Blocks const blocks[]           = {Blocks::chance, Blocks::stay, Blocks::rank};
  unsigned const block_turns[]    = {1, 16, 256};
  Threads const threads[]         = {Threads::chance, Threads::latest};
  unsigned const patiences[]      = {8, 64, 512, 1U << 20};
  unsigned const impatiences[]    = {4, 64, 1U << 20};
  unsigned const newest_in_tens[] = {1, 5, 9, 10};

  Temper temper{};
  temper.resident      = random.one_of(residents);
  temper.start         = random.one_of(starts);
  temper.blocks        = random.one_of(blocks);
  temper.block_turns   = random.one_of(block_turns);
  temper.threads       = random.one_of(threads);
  temper.descending    = random.one_in(2);
  temper.patience      = random.one_of(patiences);
  temper.impatience    = random.one_of(impatiences);
  temper.newest_in_ten = random.one_of(newest_in_tens);
  if (settings.resident) temper.resident = settings.resident;
  if (settings.start != Start::seeded) temper.start = settings.start;
  return temper;
}

std::string Temper::text() const {
  std::string const order = start == Start::ascending ? "ascending" : start == Start::descending ? "descending" : "any";
  return (resident == all_blocks ? "all blocks" : std::to_string(resident) + " block" + (resident == 1 ? "" : "s")) +
         " resident, started in " + order + " order";
}

}  // namespace model
