// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scans.hpp"
#include "seeds.hpp"

// Tiles whose totals the lanes of a block look at in one turn, and in two; a single one with one round and more; full
// ones and others; and arrays of which both, one or none can be moved in packs.
namespace test {
namespace {

template <class Value>
void expect_one_wave(std::uint64_t seeds) {
  for_each_seed(seeds, [] {
    for (std::size_t const tiles : {1, 2, 33, 64, 65, 100})
      for (std::uint32_t const salt : {1U, 2U, 3U})
        for (Offsets const& offsets :
             {Offsets{}, Offsets{alignof(Value), 0}, Offsets{0, alignof(Value)}, Offsets{sizeof(Value), sizeof(Value)}})
          EXPECT_TRUE(Scans().are_right_in_one_wave<Value>(tiles, salt, offsets))
              << tiles << " tiles, salt " << salt << ", bytes " << offsets.from << " and " << offsets.dest;
  });
}

TEST(OneWave, of_words_of_2_bytes) { expect_one_wave<Affine<std::uint8_t>>(2); }
TEST(OneWave, of_words_of_4_bytes) { expect_one_wave<Affine<std::uint16_t>>(2); }
TEST(OneWave, of_words_of_8_bytes) { expect_one_wave<Affine<std::uint32_t>>(2); }
TEST(OneWave, of_words_of_16_bytes) { expect_one_wave<Affine<std::uint64_t>>(2); }

}  // namespace
}  // namespace test
