// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "call.hpp"
#include "place.hpp"

// What machine.hpp hands on to the model. All but launch() are called by a running thread.
namespace model {

struct Shape {
  unsigned blocks;
  int threads;
  std::size_t shared;
};

/// A kernel and its arguments.
struct Body {
  void (*call)(void const*);
  void const* data;
};

int multiprocessors();
void launch(Shape const&, Body const&);

void syncthreads(Place const&);
std::uint64_t meet(Call, unsigned mask, std::uint64_t value, unsigned other, int width, Place const&);

void const* read_shared(std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment, Place const&);
void* write_shared(std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment, Place const&);

void init_mbarrier(std::ptrdiff_t byte, unsigned arrivals, Place const&);
void publish_barriers(Place const& = Place::here());
void arrive(std::ptrdiff_t byte, unsigned bytes, Place const&);
void wait_for_phase(std::ptrdiff_t byte, unsigned parity, Place const&);
void copy_in(std::ptrdiff_t to, void const* from, std::size_t bytes, std::ptrdiff_t mbarrier, Place const&);
void copy_out(void* to, std::ptrdiff_t from, std::size_t bytes, Place const&);
void wait_until_copied_out(Place const& = Place::here());
void fence_for_copies(Place const& = Place::here());

void load_word(void const* place, void* value, unsigned bytes, bool acquire, Place const&);
void store_word(void* place, void const* value, unsigned bytes, bool release, Place const&);
unsigned fetch_add(unsigned* place, unsigned summand, Place const& = Place::here());
std::uint64_t fetch_add(std::uint64_t* place, std::uint64_t summand, Place const& = Place::here());
unsigned fetch_increment(unsigned* place, unsigned last, Place const& = Place::here());
void fence(Place const& = Place::here());
void pause(Place const& = Place::here());
void sleep();

}  // namespace model
