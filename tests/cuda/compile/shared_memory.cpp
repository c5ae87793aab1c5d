// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

#include "cuda_native/scan.hpp"

// Prints the shared memory that a launch of each kernel asks for, and writes it to shared_memory.txt. It fails where
// that is more than every device gives without being asked, or than the pipeline asks for.
namespace {

using namespace KokkosScan;

template <int words>
struct Words {
  std::uint32_t word[words];
};

class Table {
 public:
  explicit Table(std::FILE* file) : file_(file) {}

  void line(std::string const& text) const {
    std::printf("%s\n", text.c_str());
    std::fprintf(file_, "%s\n", text.c_str());
  }
  /// The launches for values of one size.
  template <class V>
  void add() {
    line("values of " + std::to_string(sizeof(V)) + " bytes");
    for (BlockScan const block : cuda::block_algorithms)
      if (block != BlockScan::automatic)
        cuda::with_block<V>(block, [&](auto const& shape) {
          using Block = std::remove_cvref_t<decltype(shape)>;
          add(to_string(block) + ", " + std::to_string(Block::threads) + " threads", Block::shared_bytes,
              cuda::shared_bytes_at_most);
        });
    if constexpr (cuda::one_wave::most_values<V> > 0)
      add("one wave", cuda::one_wave::Layout<V>::bytes, cuda::shared_bytes_at_most);
    add("pipelined, " + std::to_string(cuda::pipelined::Shape<V>::threads) + " threads",
        cuda::pipelined::Layout<V>::bytes, cuda::pipeline_shared_bytes);
  }
  bool fits() const { return fits_; }

 private:
  void add(std::string const& name, int bytes, int most) {
    line("  " + name + ": " + std::to_string(bytes) + " bytes" +
         (bytes > most ? ", but " + std::to_string(most) + " is the most" : ""));
    fits_ = fits_ && bytes <= most;
  }

  std::FILE* file_;
  bool fits_ = true;
};

}  // namespace

int main() {
  std::FILE* const file = std::fopen("shared_memory.txt", "w");
  if (!file) {
    std::perror("shared_memory.txt");
    return 1;
  }
  Table table(file);
  table.line("Shared memory of a launch");
  table.add<std::int8_t>();
  table.add<std::int16_t>();
  table.add<std::int32_t>();
  table.add<std::int64_t>();
  table.add<Words<3>>();
  table.add<Words<4>>();
  table.add<Words<16>>();
  std::fclose(file);
  return table.fits() ? 0 : 1;
}
