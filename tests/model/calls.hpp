// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "call.hpp"
#include "shape.hpp"

// What machine.hpp hands on to the model. All but launch() are called by a running thread.
namespace model {

int multiprocessors();
void launch(Shape const&, Body const&);

void syncthreads(Site const&);
std::uint64_t meet(Call, unsigned mask, std::uint64_t value, unsigned other, int width, Site const&);

void* shared(std::ptrdiff_t byte, std::size_t bytes, std::size_t alignment, Access, Site const&);

void init_mbarrier(std::ptrdiff_t byte, unsigned arrivals, Site const&);
void publish_barriers(Site const& = Site::here());
void arrive(std::ptrdiff_t byte, unsigned bytes, Site const&);
void wait_for_phase(std::ptrdiff_t byte, unsigned parity, Site const&);
void copy_in(std::ptrdiff_t to, void const* from, std::size_t bytes, std::ptrdiff_t mbarrier, Site const&);
void copy_out(void* to, std::ptrdiff_t from, std::size_t bytes, Site const&);
void wait_until_copied_out(Site const& = Site::here());
void copy_in(std::ptrdiff_t to, void const* from, std::size_t bytes, std::size_t alignment, Site const&);
void wait_until_copied_in(Site const& = Site::here());
void fence_for_copies(Site const& = Site::here());

void load_word(void const* address, void* value, unsigned bytes, bool acquire, Site const&);
void store_word(void* address, void const* value, unsigned bytes, bool release, Site const&);
unsigned fetch_add(unsigned* address, unsigned summand, Site const& = Site::here());
std::uint64_t fetch_add(std::uint64_t* address, std::uint64_t summand, Site const& = Site::here());
unsigned fetch_increment(unsigned* address, unsigned last, Site const& = Site::here());
void fence(Site const& = Site::here());
void pause(Site const& = Site::here());
void sleep();

void wait_for_previous_grid(Site const& = Site::here());
void let_next_grid_start(Site const& = Site::here());

}  // namespace model
