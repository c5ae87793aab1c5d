// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf {

/// 5000,2^20
inline std::vector<std::size_t> parse_lengths(std::string const& text) {
  std::vector<std::size_t> lengths;
  std::stringstream list(text);
  for (std::string one; std::getline(list, one, ',');) {
    if (!std::regex_match(one, std::regex("[1-9][0-9]{0,11}|2\\^[1-3]?[0-9]")))
      throw std::invalid_argument("--n " + text + ": lengths are wanted, as in 5000,2^20");
    bool const is_power = one.rfind("2^", 0) == 0;
    lengths.push_back(is_power ? std::size_t{1} << std::stoul(one.substr(2)) : std::stoull(one));
  }
  return lengths;
}

}  // namespace perf
