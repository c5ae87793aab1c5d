// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "channel.hpp"
#include "under_way.hpp"

// The debug check of calls across ranks (Options::check): whether all ranks are in the same call with the same types.
namespace KokkosScan::ranks {

/// The name of a type as compilers write it, for people to read.
template <class T>
std::string_view type_name() {
  std::string_view const all  = __PRETTY_FUNCTION__;
  std::string_view const mark = "T = ";
  std::size_t const begin     = all.find(mark) + mark.size();
  // g++ goes on with what string_view stands for, clang and nvcc do not.
  return all.substr(begin, std::min(all.find("; std::string_view", begin), all.rfind(']')) - begin);
}

/// Compares what each rank says of its call, and throws std::invalid_argument on every rank if two differ: it names the
/// first two of them, and what they say. All ranks come here, before anything else of the call.
inline void check_agreement(Channel& channel, std::string const& label, std::string const& text) {
  // What does not fit is compared by a number that stands for it.
  constexpr std::size_t length = 244;
  struct Said {
    char text[length];
    unsigned of_all;
    unsigned bytes;
  };
  std::string const all = label + ": " + text;
  Said own{};
  std::copy_n(all.data(), std::min(all.size(), length - 1), own.text);
  own.of_all = 2166136261u;  // FNV-1a
  for (char const letter : all) own.of_all = (own.of_all ^ static_cast<unsigned char>(letter)) * 16777619u;
  own.bytes = static_cast<unsigned>(all.size());

  Channel::Bytes said = channel.take(sizeof(Said) * static_cast<std::size_t>(channel.size()));
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Iallgather(&own, sizeof(Said), MPI_BYTE, said.data(), sizeof(Said), MPI_BYTE, channel.comm(), &request),
          "MPI_Iallgather");
  wait_for(&request, 1);

  Said first{}, other{};
  int differs = no_rank;
  std::memcpy(&first, said.data(), sizeof(Said));
  for (int rank = 1; rank < channel.size() && differs == no_rank; ++rank) {
    std::memcpy(&other, said.data() + sizeof(Said) * static_cast<std::size_t>(rank), sizeof(Said));
    if (std::memcmp(&first, &other, sizeof(Said)) != 0) differs = rank;
  }
  channel.give_back(std::move(said));
  if (differs != no_rank)
    throw std::invalid_argument(label + ": the ranks are not in the same call: rank 0 says \"" + first.text +
                                "\", rank " + std::to_string(differs) + " says \"" + other.text + "\"");
}

}  // namespace KokkosScan::ranks
