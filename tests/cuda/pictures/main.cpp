// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "network.hpp"
#include "timeline.hpp"

// Draws the pictures of docs/pictures from runs of the kernels:
//
//   kokkosscan_pictures FOLDER         into a folder
//   kokkosscan_pictures FOLDER KEPT    and fails unless the folder KEPT holds the same pictures, byte for byte
namespace {

using namespace pictures;
namespace block = KokkosScan::cuda::block;
namespace fs    = std::filesystem;

/// A network is the same in every schedule.
template <class Algorithm>
std::string network(std::string const& name, int n, int threads, ScratchUse scratch_use) {
  auto const picture_of = [&](std::uint64_t seed) {
    return draw_network(record_network<Algorithm>(n, threads, scratch_use, seed), name);
  };
  std::string const picture = picture_of(0);
  for (std::uint64_t seed = 1; seed < 5; ++seed)
    if (picture_of(seed) != picture) throw std::logic_error(name + ": the picture depends on the schedule");
  return picture;
}

void draw_networks(Files& files) {
  auto const scratch       = ScratchUse::aggregates;
  files["kogge_stone.svg"] = network<block::KoggeStone<1>>("Kogge-Stone", 16, 16, scratch);
  files["kogge_stone_double_buffered.svg"] =
      network<block::KoggeStoneDoubleBuffered<1>>("Kogge-Stone between two buffers", 16, 16, ScratchUse::buffer);
  files["brent_kung.svg"] = network<block::BrentKung<2>>("Brent-Kung", 16, 8, scratch);
  files["blelloch.svg"]   = network<block::Blelloch<2>>("Blelloch", 16, 8, ScratchUse::aggregate);

  // Shuffles take whole warps; the threads that have no value sit out.
  files["three_phase.svg"] =
      network<block::ThreePhase<block::WarpShuffle, 4>>("Three phases, 4 values to a thread", 16, 32, scratch);
  files["warp_shuffle.svg"]           = network<block::WarpShuffle>("Warp shuffles within a warp", 16, 32, scratch);
  files["warp_shuffle_two_warps.svg"] = network<block::WarpShuffle>("Warp shuffles in two warps", 64, 64, scratch);
}

std::string text_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(fs::path const& path, std::string const& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

bool are_the_same(Files const& drawn, fs::path const& kept) {
  bool same           = true;
  auto const complain = [&](std::string const& name, char const* what) {
    std::printf("%s: %s\n", (kept / name).string().c_str(), what);
    same = false;
  };
  for (auto const& [name, text] : drawn)
    if (text_of(kept / name) != text) complain(name, "is not what the kernels do");
  for (auto const& entry : fs::directory_iterator(kept))
    if (!drawn.contains(entry.path().filename().string()))
      complain(entry.path().filename().string(), "nobody draws it");
  if (!same) std::printf("If the kernels are right, redraw: kokkosscan_pictures %s\n", kept.string().c_str());
  return same;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2 || count > 3) {
    std::fprintf(stderr, "usage: kokkosscan_pictures FOLDER [KEPT]\n");
    return 2;
  }
  try {
    Files drawn;
    draw_networks(drawn);
    draw_timelines(drawn);
    fs::create_directories(arguments[1]);
    for (auto const& [name, text] : drawn) write(fs::path(arguments[1]) / name, text);
    return count == 2 || are_the_same(drawn, arguments[2]) ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
