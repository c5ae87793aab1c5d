// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scans.hpp"
#include "seeds.hpp"

// Tiles whose aggregates the lanes of a block poll in one turn, and in two; a single one with one round and more; full
// ones and others; and arrays of which both, one or none can be moved in packs.
namespace test {
namespace {

template <class Value, Scans::Kind kind = Scans::Kind::inclusive>
void expect_one_wave(std::uint64_t seeds) {
  static constexpr std::size_t half = KokkosScan::cuda::one_wave::Shape<Value>::rounds * 32 / sizeof(Value) * 16;
  std::size_t call                  = sizeof(Value);  // other calls for other values
  for_each_seed(seeds, [&] {
    for (std::size_t const tiles : {1, 2, 33, 64, 65, 100})
      for (auto const& [salt, missing] :
           {std::pair(1U, std::size_t{7}), {2U, std::size_t{0}}, {3U, half}, {4U, ~std::size_t{0}}})
        for (Offsets const& offsets : {Offsets{}, Offsets{alignof(Value), 0}, Offsets{0, alignof(Value)},
                                       Offsets{sizeof(Value), sizeof(Value)}, Offsets{.in_place = true}}) {
          if (!is_made(call++)) continue;
          EXPECT_TRUE((Scans().are_right_in_one_wave<Value, kind>(tiles, salt, offsets, missing)))
              << tiles << " tiles, " << missing << " missing, bytes " << offsets.from << " and " << offsets.dest
              << (offsets.in_place ? ", in place" : "");
        }
  });
}

TEST(OneWave, of_words_of_1_byte) { expect_one_wave<Nibbles>(1); }
TEST(OneWave, of_words_of_2_bytes) { expect_one_wave<Affine<std::uint8_t>>(1); }
TEST(OneWave, of_words_of_4_bytes) { expect_one_wave<Affine<std::uint16_t>>(1); }
TEST(OneWave, of_words_of_8_bytes) { expect_one_wave<Affine<std::uint32_t>>(2); }
TEST(OneWave, of_words_of_16_bytes) { expect_one_wave<Affine<std::uint64_t>>(2); }
TEST(OneWave, of_3_bytes) { expect_one_wave<CountingAffine<std::uint8_t>>(1); }
TEST(OneWave, of_12_bytes) { expect_one_wave<CountingAffine<std::uint32_t>>(1); }
TEST(OneWave, exclusive_with_a_total) {
  expect_one_wave<Affine<std::uint8_t>, Scans::Kind::exclusive>(1);
  expect_one_wave<Affine<std::uint32_t>, Scans::Kind::exclusive>(1);
  expect_one_wave<CountingAffine<std::uint32_t>, Scans::Kind::exclusive>(1);
}

}  // namespace
}  // namespace test
