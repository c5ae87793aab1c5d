// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "catalogue.hpp"

// Draws the pictures of docs/pictures from runs of the kernels:
//
//   kokkosscan_pictures FOLDER         into a folder
//   kokkosscan_pictures FOLDER KEPT    and fails unless the folder KEPT holds the same pictures, byte for byte
namespace {

namespace fs = std::filesystem;

std::string text_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(fs::path const& path, std::string const& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

bool are_the_same(pictures::Files const& drawn, fs::path const& kept) {
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
    auto const drawn = pictures::draw_all();
    fs::create_directories(arguments[1]);
    for (auto const& [name, text] : drawn) write(fs::path(arguments[1]) / name, text);
    return count == 2 || are_the_same(drawn, arguments[2]) ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
