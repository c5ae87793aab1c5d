// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checks.hpp"

#include <stdexcept>

namespace KokkosScan::driver {

void throw_overlap(std::string const& label, char const* a_name, Footprint const& a, char const* b_name,
                   Footprint const& b, Allowed allowed) {
  auto const text = [](Footprint const& of) {
    return std::to_string(of.count) + " values of " + std::to_string(of.size) + " bytes from address " +
           std::to_string(of.first) + ", stride " + std::to_string(of.stride) + " bytes";
  };
  throw std::invalid_argument(
      label + ": " + a_name + " (" + text(a) + ") and " + b_name + " (" + text(b) + ") overlap; " +
      (allowed == Allowed::apart ? std::string(a_name) + " and " + b_name + " may share no memory"
                                 : "a result may only overlap what it is made of by being the same View"));
}

void throw_not_distinct(std::string const& label, char const* name, Footprint const& view) {
  throw std::invalid_argument(label + ": the " + std::to_string(view.count) + " values of " + name + ", of " +
                              std::to_string(view.size) + " bytes, are only " + std::to_string(view.stride) +
                              " bytes apart: they would overwrite each other");
}

void throw_too_short(std::string const& label, char const* from_name, std::size_t from, char const* dest_name,
                     std::size_t dest, std::size_t more) {
  throw std::invalid_argument(label + ": " + from_name + ".extent(0) is " + std::to_string(from) + " and " + dest_name +
                              ".extent(0) is " + std::to_string(dest) + "; " + dest_name + " must have " +
                              (more ? "one entry more" : "at least the same extent"));
}

void throw_not_edges(std::string const& label, std::size_t edges, std::size_t counts) {
  throw std::invalid_argument(label + ": edges.extent(0) is " + std::to_string(edges) + " and counts.extent(0) is " +
                              std::to_string(counts) + "; edges must have one entry more");
}

void throw_overflow(std::string const& label, std::string const& total, std::string const& most) {
  throw std::overflow_error(label + ": the counts sum up to " + total + ", but the value type of offsets holds " +
                            most + " at most; take a wider one");
}

}  // namespace KokkosScan::driver
