// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scans.hpp"
#include "seeds.hpp"

// The pipeline on arrays that begin anywhere: its copies begin and end at multiples of 16 bytes, the arrays' ends and
// the slices between need not, nor the values.
namespace test {
namespace {

template <class Value, class Input = Value, class Unary = KokkosScan::Unchanged>
void expect_any_address(std::uint64_t seeds) {
  using S                  = KokkosScan::cuda::pipelined::Shape<Value>;
  constexpr std::size_t in = alignof(Input), out = alignof(Value);
  for_each_seed(seeds, [&] {
    for (std::size_t const n :
         {1, 2, 17, S::piece + 1, S::slice - 1, S::slice, S::slice + 1, S::tile, 2 * S::tile + 1, 5 * S::tile + 3})
      for (Offsets const& offsets :
           {Offsets{}, Offsets{in, 0}, Offsets{0, out}, Offsets{3 * in, 5 * out}, Offsets{128 - in, 128 - out},
            Offsets{16, 112}, Offsets{in, 0, true}, Offsets{32, 0, true}}) {
        if (offsets.from % 16 == 0 && offsets.dest % 16 == 0 && n > S::tile) continue;  // other tests have that
        if (offsets.in_place && !std::is_same_v<Value, Input>) continue;
        EXPECT_TRUE((Scans().are_right_in_the_pipeline<Value, Input, Unary>(n, 1, offsets)))
            << n << " values, bytes " << offsets.from << " and " << offsets.dest
            << (offsets.in_place ? ", in place" : "");
      }
  });
}

TEST(Addresses, of_values_of_2_bytes) { expect_any_address<AffineOf<std::uint8_t>>(seeds_of(5, 2)); }
TEST(Addresses, of_values_of_3_bytes) { expect_any_address<CountingAffine<std::uint8_t>>(seeds_of(5, 2)); }
TEST(Addresses, of_values_of_4_bytes) { expect_any_address<AffineOf<std::uint16_t>>(seeds_of(5, 2)); }
TEST(Addresses, of_values_of_8_bytes_between_multiples_of_8) {
  expect_any_address<AffineOf<std::uint32_t>>(seeds_of(5, 2));
}
TEST(Addresses, of_values_of_12_bytes) { expect_any_address<CountingAffine<std::uint32_t>>(seeds_of(5, 2)); }
TEST(Addresses, of_values_of_16_bytes_between_multiples_of_16) {
  expect_any_address<AffineOf<std::uint64_t>>(seeds_of(5, 2));
}
TEST(Addresses, of_values_of_24_bytes) { expect_any_address<RoomyAffine>(seeds_of(5, 2)); }
TEST(Addresses, of_inputs_narrower_than_values) {
  expect_any_address<AffineOf<std::uint64_t>, AffineOf<std::uint32_t>, Widen>(seeds_of(5, 2));
}

// Tiles whose aggregates the lanes of a block poll in one turn, and in two; a single one with one round and more; full
// ones and others; and arrays of which both, one or none can be moved in packs.

template <class Value, Kind kind = Kind::inclusive>
void expect_one_wave(std::uint64_t seeds) {
  static constexpr std::size_t half = KokkosScan::cuda::one_wave::Shape<Value>::rounds * 32 / sizeof(Value) * 16;
  std::size_t call                  = sizeof(Value);  // other calls for other values
  for_each_seed(seeds, [&] {
    for (std::size_t const tiles : {1, 2, 33, 64, 65, 100})
      for (auto const& [salt, missing] :
           {std::pair(1U, std::size_t{7}), {2U, std::size_t{0}}, {3U, half}, {4U, ~std::size_t{0}}})
        for (Offsets const& offsets : {Offsets{}, Offsets{alignof(Value), 0}, Offsets{0, alignof(Value)},
                                       Offsets{sizeof(Value), sizeof(Value)}, Offsets{.in_place = true}}) {
          std::size_t const number = call++;
          if (!is_made(number) || (!has_time && sizeof(Value) != 4 && number % 3 != 0)) continue;
          EXPECT_TRUE((Scans().are_right_in_one_wave<Value, kind>(tiles, salt, offsets, missing)))
              << tiles << " tiles, " << missing << " missing, bytes " << offsets.from << " and " << offsets.dest
              << (offsets.in_place ? ", in place" : "");
        }
  });
}

TEST(OneWave, of_words_of_1_byte) { expect_one_wave<Nibbles>(1); }
TEST(OneWave, of_words_of_2_bytes) { expect_one_wave<AffineOf<std::uint8_t>>(1); }
TEST(OneWave, of_words_of_4_bytes) { expect_one_wave<AffineOf<std::uint16_t>>(1); }
TEST(OneWave, of_words_of_8_bytes) { expect_one_wave<AffineOf<std::uint32_t>>(2); }
TEST(OneWave, of_words_of_16_bytes) { expect_one_wave<AffineOf<std::uint64_t>>(2); }
TEST(OneWave, of_3_bytes) { expect_one_wave<CountingAffine<std::uint8_t>>(1); }
TEST(OneWave, of_12_bytes) { expect_one_wave<CountingAffine<std::uint32_t>>(1); }
TEST(OneWave, exclusive_with_a_total) {
  expect_one_wave<AffineOf<std::uint8_t>, Kind::exclusive>(1);
  expect_one_wave<AffineOf<std::uint32_t>, Kind::exclusive>(1);
  expect_one_wave<CountingAffine<std::uint32_t>, Kind::exclusive>(1);
}

}  // namespace
}  // namespace test
