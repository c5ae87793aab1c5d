// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <model/model.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

#include "cases.hpp"

// Each barrier, fence, wait, arrival, release and acquire in the text of the kernels is left out for once, by the
// execution model, and some schedule must miss it.
namespace test {
namespace {

namespace fs = std::filesystem;
using model::Duty;
using model::Site;

constexpr char const* nothing  = "nothing";
constexpr int seeds            = 100;
constexpr int seeds_of_useless = 10;

/// A duty in the text: the file's name in cuda_native/, the line, and which it is.
using DutySite  = std::tuple<std::string, unsigned, Duty>;
using DutySites = std::map<DutySite, std::set<Case>>;  // and the cases that come there

/// What the model need not miss, by the end of some text that stands once in that file.
struct Useless {
  char const* file;
  char const* text;
  Duty duty;
};
constexpr Useless useless[] = {
    // Only so that no more copies are under way than keep memory busy.
    {"pipeline/loader.hpp", "TileRecord<Problem>(earlier.index).full(slice).wait(earlier.parity);", Duty::wait},
    // Behind the last load of results. Before the next ones are stored, the warp meets behind its wait for copies.
    {"pipeline/storer.hpp", "[](int, int) {});\n    }\n    __syncwarp();", Duty::warp_barrier},
};

fs::path const& kernels() {
  static fs::path const folder = fs::canonical(KOKKOSSCAN_KERNELS);
  return folder;
}

std::string text_of(fs::path const& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::string name_of(DutySite const& site) {
  auto const& [file, line, duty] = site;
  return "the " + to_string(duty) + " at " + file + ":" + std::to_string(line);
}

/// The file that a place is in. Its name may be spelt in many ways: a/../b/c.hpp.
std::string file_of(Site const& where) {
  static std::map<char const*, std::string> names;
  auto& name = names[where.file];
  if (name.empty()) name = fs::canonical(where.file).lexically_relative(kernels()).generic_string();
  return name;
}

std::string found(Case is_right, int seed, model::Omissions const& omissions) {
  auto const number = static_cast<std::uint32_t>(seed);
  model::Model const model({.seed = number, .omissions = omissions, .most_turns = 3'000'000});
  try {
    return is_right(number) ? nothing : "wrong";
  } catch (model::ModelError const& error) {
    return to_string(error.kind());
  }
}

/// All duties of the kernels that some case comes to; as they are, nothing is wrong with them.
DutySites sites_of(std::vector<Case> const& cases) {
  DutySites sites;
  for (Case const& is_right : cases)
    for (int seed = 0; seed < 3; ++seed) {
      auto const note = [&](Duty duty, Site const& where) {
        std::string const file = file_of(where);
        if (file.rfind("..", 0) != 0) sites[{file, where.line, duty}].insert(is_right);  // not a kernel of the test
        return false;
      };
      EXPECT_EQ(found(is_right, seed, note), nothing) << "seed " << seed;
    }
  return sites;
}

std::set<DutySite> useless_sites() {
  std::set<DutySite> sites;
  for (auto const& [file, words, duty] : useless) {
    std::string const text  = text_of(kernels() / file);
    std::size_t const place = text.find(words);
    EXPECT_TRUE(place != std::string::npos && text.find(words, place + 1) == std::string::npos)
        << file << " says no longer, or more than once: " << words;
    auto const end = text.begin() + static_cast<std::ptrdiff_t>(std::min(place, text.size() - 1)) +
                     static_cast<std::ptrdiff_t>(std::string(words).size());
    sites.insert({file, static_cast<unsigned>(1 + std::count(text.begin(), end, '\n')), duty});
  }
  return sites;
}

/// Says how it was first missed, if it was.
std::string missed(DutySite const& site, std::set<Case> const& cases, int most) {
  bool came       = false;
  auto const omit = [&](Duty duty, Site const& where) {
    if (DutySite(file_of(where), where.line, duty) != site) return false;
    return came = true;
  };
  for (int seed = 0; seed < most; ++seed)
    for (Case const& is_right : cases)
      if (std::string const what = found(is_right, seed, omit); what != nothing)
        return what + " by seed " + std::to_string(seed);
  EXPECT_TRUE(came) << name_of(site);
  return nothing;
}

void expect_all_are_missed(std::vector<Case> const& cases) {
  std::set<DutySite> const known_as_useless = useless_sites();
  for (auto const& [site, coming] : sites_of(cases)) {
    bool const is_useless  = known_as_useless.count(site) > 0;
    std::string const what = missed(site, coming, is_useless ? seeds_of_useless : seeds);
    std::printf("%s: %s\n", name_of(site).c_str(), what.c_str());
    if (is_useless)
      EXPECT_EQ(what, nothing) << name_of(site) << " is of use after all: take it from the list of those that are not";
    else
      EXPECT_NE(what, nothing) << name_of(site) << " can be left out, and " << seeds << " seeds do not miss it";
  }
}

TEST(Omissions, are_missed_in_single_passes) { expect_all_are_missed(single_passes()); }
TEST(Omissions, are_missed_in_single_waves) { expect_all_are_missed(single_waves()); }
/// What a pipeline waits for where there are no marks, or all leaves in one piece, others may wait for, too.
std::vector<Case> all_pipelines() {
  std::vector<Case> all = pipelines();
  for (auto const& others : {segments(), compactions()}) all.insert(all.end(), others.begin(), others.end());
  return all;
}

TEST(Omissions, are_missed_in_pipelines) { expect_all_are_missed(all_pipelines()); }
TEST(Omissions, are_missed_in_teams) { expect_all_are_missed(teams()); }
TEST(Omissions, are_missed_in_columns) { expect_all_are_missed(columns()); }
TEST(Omissions, are_missed_in_sorts) { expect_all_are_missed(sorts()); }
TEST(Omissions, are_missed_in_histograms) { expect_all_are_missed(histograms()); }
TEST(Omissions, are_missed_in_rows) { expect_all_are_missed(ragged_rows()); }

/// A kernel of which no case knows would have no omission, either.
TEST(Omissions, of_the_wait_for_the_previous_grid_are_of_all_kernels) {
  std::regex const kernel(R"(\b__global__\b)"), wait(R"(\b(begin_behind|wait_for)_previous_grid\(\);)");
  int kernels_in_all = 0;
  for (auto const& entry : fs::recursive_directory_iterator(kernels())) {
    std::string const file = entry.path().lexically_relative(kernels()).generic_string();
    if (entry.path().extension() != ".hpp" || file.rfind("machine", 0) == 0) continue;
    std::string const text = text_of(entry.path());
    auto const count       = [&](std::regex const& words) {
      return std::distance(std::sregex_iterator(text.begin(), text.end(), words), std::sregex_iterator());
    };
    EXPECT_EQ(count(kernel), count(wait)) << file << " has a kernel that does not wait, or does so twice";
    kernels_in_all += static_cast<int>(count(kernel));
  }
  EXPECT_GT(kernels_in_all, 20);
}

TEST(Omissions, are_of_all_duties_in_the_text) {
  std::set<std::pair<std::string, unsigned>> seen;
  for (auto const& cases :
       {single_passes(), single_waves(), all_pipelines(), teams(), columns(), sorts(), histograms(), ragged_rows()})
    for (auto const& [site, coming] : sites_of(cases))
      seen.insert({std::get<std::string>(site), std::get<unsigned>(site)});

  std::regex const duty(R"(\b(__syncthreads|fence|fence_for_copies|publish_barriers|wait_until_copied_(in|out))\(\))"
                        R"(|\b__syncwarp\(|\b(begin_behind|wait_for)_previous_grid\(\))"
                        R"(|\.(arrive|arrive_and_expect|wait)\(|\b(store_release|load_acquire)\()");
  std::set<std::pair<std::string, unsigned>> written;
  for (auto const& entry : fs::recursive_directory_iterator(kernels())) {
    std::string const file = entry.path().lexically_relative(kernels()).generic_string();
    if (entry.path().extension() != ".hpp" || file.rfind("machine", 0) == 0) continue;
    std::istringstream lines(text_of(entry.path()));
    std::string line;
    for (unsigned number = 1; std::getline(lines, line); ++number)
      if (std::regex_search(line.substr(0, line.find("//")), duty)) written.insert({file, number});
  }
  EXPECT_GT(written.size(), 0U);
  for (auto const& [file, line] : written)
    EXPECT_TRUE(seen.count({file, line})) << file << ":" << line << " is a duty that no case comes to: add one";
  for (auto const& [file, line] : seen)
    EXPECT_TRUE(written.count({file, line}))
        << file << ":" << line << " is a duty that the pattern above does not know";
}

}  // namespace
}  // namespace test
