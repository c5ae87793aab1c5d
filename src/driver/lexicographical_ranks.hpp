// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/strings.hpp"
#include "results.hpp"
#include "segmented_sort.hpp"

// The ranks of strings, in rounds of a sort and a scan each (src/core/strings.hpp).
namespace KokkosScan {

/// No string is longer than that; of those that are, only so many characters count.
///
///   Longest{n}
template <class Integer>
struct Longest {
  static_assert(std::integral<Integer>, "KokkosScan: Longest{n} is an integer: how long strings are at most");
  Integer most;
  explicit constexpr Longest(Integer n) : most(n) {}
};

namespace driver {

template <class X>
inline constexpr bool is_longest = false;
template <class Integer>
inline constexpr bool is_longest<Longest<Integer>> = true;

/// The arguments behind the ranks.
template <class... Rest>
struct RanksCall {
  using Order = Sorted<Rest...>;

  static constexpr std::array<bool, sizeof...(Rest) + 1> bounds{is_longest<Rest>...};

  using CountArgument = ArgumentOr<Order::first(Order::totals), Nothing, Rest...>;
  using BoundArgument = ArgumentOr<Order::first(bounds), Nothing, Rest...>;

  template <class Exec>
  static consteval bool check() {
    constexpr bool only = Order::count(Order::totals) <= 1 && Order::count(bounds) <= 1 &&
                          Order::count(Order::totals) + Order::count(bounds) == sizeof...(Rest);
    static_assert(only, "KokkosScan: behind ranks may stand Total{distinct} and Longest{n}, each once");
    if constexpr (only && is_total<CountArgument>) {
      constexpr bool is_integer = CountType<typename CountArgument::value_type>;
      static_assert(is_integer, "KokkosScan: a count must be an integer");
      return is_integer && check_total<typename CountArgument::value_type, Exec, CountArgument>();
    } else {
      return only;
    }
  }
};

/// Rounds of sorting and naming parts, Index being the type of the numbers of parts.
template <class ExecOrHandle, class Text, class Integer>
class RankStrings {
  using Index  = std::uint32_t;
  using Key    = std::uint64_t;
  using Word   = core::Word64<core::ElementOf<Text>>;
  using Keys   = ByDigits<RadixOrderOf<Key>>;
  using Placed = core::PartsOfStrings<Integer, Word::characters>;

 public:
  RankStrings(std::string const& label, ExecOrHandle const& exec, Text const& text,
              core::Strings<Integer> const& strings)
      : label_(label), exec_(exec), text_(text), strings_(strings), parts_(most_needs()) {
    std::size_t const most = first_round().places();
    keys_                  = parts_.add<Key>(most);
    other_keys_            = parts_.add<Key>(most);
    places_                = parts_.add<Index>(most);
    other_places_          = parts_.add<Index>(most);
    names_                 = parts_.add<Index>(most);
    largest_               = parts_.add<Index>(1);
  }

  /// Of a text and strings; a name for each part is an Index, and there is one for none.
  static std::size_t most_parts(std::size_t text, std::size_t strings) { return text / Word::characters + strings; }

  core::Needs const& needs() const { return parts_.needs(); }

  template <class Ranks, class Count>
  void run(core::Memory const& memory, Ranks const& ranks, Count* distinct) const {
    core::KeysOfParts<Index> const to{Parts::at<Key>(memory, keys_), Parts::at<Index>(memory, places_)};
    Index* const names = Parts::at<Index>(memory, names_);
    Placed round       = first_round();
    make_keys(core::MakeWords<Index, Integer, Text>{to, round, text_});
    name_parts(memory, round, Word::bits);
    while (!is_last(round)) {
      Placed const halves = round;
      round               = next_round(halves);
      int const bits      = name_bits(halves);
      make_keys(core::MakePairs<Index, Placed>{to, round, halves, names, bits});
      name_parts(memory, round, 2 * bits);
    }
    driver::for_each_index(
        label_, exec_, round.places(), round.places(),
        core::TakeRanks<Index, Ranks, Count>{names, Parts::at<Index>(memory, largest_), ranks, distinct});
  }

 private:
  /// A word without a count does not tell the empty string from others.
  Placed first_round() const { return {strings_, 0, Word::has_count && strings_.most <= Word::characters}; }
  Placed next_round(Placed const& round) const {
    return {strings_, round.doublings + 1, strings_.most <= 2 * round.width()};
  }
  static bool is_last(Placed const& round) { return round.only_first; }
  static int name_bits(Placed const& halves) { return std::bit_width(halves.places()); }

  static Keys keys_of(int bits) { return {driver::radix_order<Key>(false, 0, bits)}; }
  auto naming(std::size_t n, core::NewKeys<Index> const& source = {}, core::PutNames<Index> const& sink = {},
              Index* largest = nullptr) const {
    return core::Problem<Index, core::NewKeys<Index>, Sum, core::PutNames<Index>>{source, sink, n, {}, {}, largest};
  }

  core::Needs most_needs() const {
    core::Needs most;
    int bits = Word::bits;
    for (Placed round = first_round();; round = next_round(round)) {
      std::size_t const n = round.places();
      take_most(most, keys_of(bits).template needs<Key, Index>(exec_, n));
      take_most(most, driver::plan(exec_, naming(n)).needs);
      if (is_last(round)) return most;
      bits = 2 * name_bits(round);
    }
  }
  static void take_most(core::Needs& most, core::Needs const& needs) {
    most.scratch = std::max(most.scratch, needs.scratch);
    most.states  = std::max(most.states, needs.states);
  }

  /// Threads of a device write side by side; one of a host goes on from what it has found.
  static constexpr std::size_t places_together = writes_to_host<InstanceOf<ExecOrHandle>> ? 256 : 1;

  template <class Make>
  void make_keys(Make const& make) const {
    std::size_t const places = make.parts.places();
    driver::for_each_index(label_, exec_, (places + places_together - 1) / places_together, places,
                           core::AtPlaces<Make>{make, places, places_together});
  }
  /// Sorts keys by so many bits, and numbers those that differ.
  void name_parts(core::Memory const& memory, Placed const& round, int bits) const {
    std::size_t const n = round.places();
    Key* const keys     = Parts::at<Key>(memory, keys_);
    Index* const places = Parts::at<Index>(memory, places_);
    if (n > 1)
      keys_of(bits).run(label_, exec_, n, keys, Parts::at<Key>(memory, other_keys_), places,
                        Parts::at<Index>(memory, other_places_), memory);
    auto const problem =
        naming(n, {keys}, {places, Parts::at<Index>(memory, names_)}, Parts::at<Index>(memory, largest_));
    driver::run_in(memory, label_, exec_, driver::plan(exec_, problem), problem);
  }

  std::string const& label_;
  ExecOrHandle const& exec_;
  Text text_;
  core::Strings<Integer> strings_;
  Parts parts_;
  std::size_t keys_, other_keys_, places_, other_places_, names_, largest_;
};

[[noreturn, gnu::cold]] inline void throw_too_many_parts(std::string const& label, std::size_t text,
                                                         std::size_t strings) {
  throw std::invalid_argument(label + ": a text of " + std::to_string(text) + " characters and " +
                              std::to_string(strings) +
                              " strings have parts of a word, one more for each string, that are not fewer than 2^32");
}

struct LexicographicalRanks {
  template <class ExecOrHandle, class Text, class Offsets, class Ranks, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, Text const& text, Offsets const& offsets,
                   Ranks const& ranks, Rest const&... rest) {
    using Exec = InstanceOf<ExecOrHandle>;
    using Call = RanksCall<Rest...>;
    if constexpr (check_arrays<Exec, Text, Offsets, Ranks>() && Call::template check<Exec>()) {
      constexpr bool are_integers = std::integral<ValueIn<Text>> && sizeof(ValueIn<Text>) <= 8 &&
                                    CountType<ValueIn<Offsets>> && CountType<ValueIn<Ranks>>;
      static_assert(are_integers,
                    "KokkosScan: text, offsets and ranks must be Views of integers, characters of up to 64 bits");
      if constexpr (are_integers && check_written<Ranks, std::uint32_t>()) {
        std::tuple<Rest const&...> const all(rest...);
        checked(label, exec, text, offsets, ranks, argument_or<Call::Order::first(Call::Order::totals), Nothing>(all),
                argument_or<Call::Order::first(Call::bounds), Nothing>(all));
      }
    }
  }

 private:
  template <class ExecOrHandle, class Text, class Offsets, class Ranks, class CountArgument, class Bound>
  static void checked(std::string const& label, ExecOrHandle const& exec, Text const& text, Offsets const& offsets,
                      Ranks const& ranks, CountArgument const& count, Bound const& bound) {
    using Integer       = ValueIn<Offsets>;
    std::size_t const m = text.extent(0), n = offsets.extent(0) > 0 ? offsets.extent(0) - 1 : 0;
    check_extents(label, "offsets without its last entry", n, "ranks", ranks.extent(0));
    if (n > 0) check_holds<ValueIn<Ranks>>(label, "ranks", n - 1);
    if constexpr (is_total<CountArgument>)
      check_holds<typename CountArgument::value_type>(label, "the count, Total{x},", n);
    Regions regions(label);
    regions.reads("text", text, m).reads("offsets", offsets, offsets.extent(0)).writes("ranks", ranks, n);
    if constexpr (is_total<CountArgument>) regions.and_count(count, Nothing{});
    core::Strings<Integer> strings{{strided<Integer const>(offsets), n}, m, m};
    if constexpr (is_longest<Bound>) strings.most = std::min(m, driver::length_of(label, bound.most, "Longest"));
    driver::check_segments(label, exec, strings.offsets, m, "offsets", "text");
    if (n == 0) return rank_nothing(label, exec, count);
    driver::with_elements(text, [&](auto const& elements) {
      using Ranking = RankStrings<ExecOrHandle, std::remove_cvref_t<decltype(elements)>, Integer>;
      if (Ranking::most_parts(m, n) >= std::numeric_limits<std::uint32_t>::max()) throw_too_many_parts(label, m, n);
      // Whatever strings there are, calls of a size need the same.
      core::Needs const needs = Ranking(label, exec, elements, strings).needs();
      // Where all that was asked for is done, offsets can be read; else that would have to wait.
      if constexpr (runs_at_once<typename BackendFor<ExecOrHandle>::type>)
        strings.most = std::min(strings.most, longest(strings));
      Ranking const ranking(label, exec, elements, strings);
      auto const places = strided<typename Ranks::value_type>(ranks);
      if constexpr (is_total<CountArgument>) {
        driver::with_result(label, exec, needs, count,
                            [&](core::Memory const& memory, auto* distinct) { ranking.run(memory, places, distinct); });
      } else {
        auto const leases = driver::lease(exec, needs);
        ranking.run(leases.memory(), places, static_cast<std::uint64_t*>(nullptr));
      }
    });
  }

  template <class ExecOrHandle, class CountArgument>
  static void rank_nothing(std::string const& label, ExecOrHandle const& exec, CountArgument const& count) {
    if constexpr (is_total<CountArgument>)
      driver::with_result(label, exec, {}, count, [&]<class Count>(core::Memory const&, Count* distinct) {
        driver::for_each_index(label, exec, 1, 1, core::PutNone<Count>{distinct});
      });
  }

  template <class Integer>
  static std::size_t longest(core::Strings<Integer> const& strings) {
    std::size_t most = 0;
    for (std::size_t i = 0; i < strings.count(); ++i) most = std::max(most, strings.length(i));
    return most;
  }
};

}  // namespace driver
}  // namespace KokkosScan
