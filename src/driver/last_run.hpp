// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <new>
#include <string>

#include "../core/run_state.hpp"
#include "read_element.hpp"
#include "scan_keys.hpp"

// The last run of keys and what its values combine to: found from the end, so that no more is read than some thousand
// elements, or of a longer run up to three times that, and twice where it is far longer.
namespace KokkosScan::driver {

/// What an instance finds of a piece of an array, and the host reads.
template <class Key, class T>
struct FoundInPiece {
  Key first, last;             // of the whole array
  Key before_piece, at_piece;  // on both sides of where the piece begins, if anything is before it
  core::Keyed<T> aggregate;
};

/// Stores the keys of that.
template <class Keys, class T>
struct StoreKeysOfPiece {
  Keys keys;
  std::size_t n, begin;
  FoundInPiece<core::ElementOf<Keys>, T>* to;

  KOKKOSSCAN_FUNCTION void operator()() const {
    core::put(to->first, keys[0]);
    core::put(to->last, keys[n - 1]);
    core::put(to->before_piece, keys[begin > 0 ? begin - 1 : 0]);
    core::put(to->at_piece, keys[begin]);
  }
};

/// The values of a piece and where runs begin in it. Whoever makes the first value stores the keys, too: a kernel of
/// their own would take as long as this one.
template <class T, class Keys, class From, class Op, class Equal>
struct FromPiece : core::FromKeyedArray<T, Keys, From, Op, Equal, core::NoInit, core::FirstMayGoOn> {
  using Source = core::FromKeyedArray<T, Keys, From, Op, Equal, core::NoInit, core::FirstMayGoOn>;

  StoreKeysOfPiece<Keys, T> store_keys;

  template <class Key, class Element>
  KOKKOSSCAN_FUNCTION core::Keyed<T> make(bool is_first, Key const& previous, Key const& key,
                                          Element const& element) const {
    if (is_first) store_keys();
    return Source::make(is_first, previous, key, element);
  }
  KOKKOSSCAN_FUNCTION core::Keyed<T> load(std::size_t i) const {
    if (i == 0) store_keys();
    return Source::load(i);
  }
};

/// One search for the last run of n > 0 elements. It stands in memory that the instance and the host reach.
template <class Key, class T>
class LastRun {
  static constexpr std::size_t at_first = 4096;

 public:
  explicit LastRun(std::size_t n) : n_(n), begin_(n), end_(n) {}

  /// Starts to read the next piece from the end, twice as long as the one before.
  template <class ExecOrHandle, class Keys, class From, class Op, class Equal>
  void enqueue(std::string const& label, ExecOrHandle const& exec_or_handle, Keys const& keys, From const& from,
               Op const& op, Equal const& equal) {
    using Keyed        = core::Keyed<T>;
    using Piece        = FromPiece<T, Keys, From, Op, Equal>;
    auto const combine = [&]<class Source>(Source source) {
      source.skip(begin_);
      driver::run_scan(label, exec_or_handle,
                       core::Problem<Keyed, Source, core::WithinRuns<T, Op>, core::Discard<Keyed>>{
                           source, {}, end_ - begin_, {op}, {}, &found_.aggregate});
    };
    end_   = begin_;
    begin_ = end_ > most_ ? end_ - most_ : 0;
    most_ *= 2;
    StoreKeysOfPiece<Keys, T> const store_keys{keys, n_, begin_, &found_};
    typename Piece::Source const source{keys, from, op, equal, {false}, {}};
    if constexpr (runs_at_once<typename BackendFor<ExecOrHandle>::type>) {
      store_keys();
      combine(source);  // which hosts have compiled
    } else {
      combine(Piece{source, store_keys});
    }
  }
  /// Starts to read the first key alone.
  template <class ExecOrHandle, class Keys>
  void enqueue_first(std::string const& label, ExecOrHandle const& exec_or_handle, Keys const& keys) {
    driver::begin_to_read(label, exec_or_handle, keys, 0, &found_.first);
  }

  /// Once the instance has been waited for: whether the run begins in what was read.
  template <class Op, class Equal>
  bool take(Op const& op, Equal const& equal) {
    T const own = found_.aggregate.value();
    aggregate_.put(aggregate_ ? static_cast<T>(op(own, *aggregate_)) : own);
    bool const begins = found_.aggregate.begins_run();  // behind the first of the piece, of which the host knows
    is_one_run_       = !begins && begin_ == 0;
    is_found_         = begins || begin_ == 0 || !equal(found_.before_piece, found_.at_piece);
    return is_found_;
  }
  bool is_found() const { return is_found_; }

  Key const& first() const { return found_.first; }
  core::RunState<Key, T> state() const { return {found_.first, found_.last, *aggregate_, is_one_run_}; }

 private:
  std::size_t n_, begin_, end_, most_ = at_first;
  core::Maybe<T> aggregate_;
  bool is_found_ = false, is_one_run_ = false;
  union {  // without a value until the instance stores one
    FoundInPiece<Key, T> found_;
  };
};

/// A View as an array, in the direction of a scan. What only its end is read of need not be made twice, for Views whose
/// elements turn out to lie side by side and for others.
template <bool reversed, class View>
auto array_of(View const& view, std::size_t n) {
  using Element = typename View::value_type;
  if constexpr (is_contiguous<View>)
    return in_direction<reversed>(core::Contiguous<Element>{view.data()}, n);
  else
    return in_direction<reversed>(core::Strided<Element>{view.data(), static_cast<std::ptrdiff_t>(view.stride(0))}, n);
}

/// What the last run of n > 0 elements combines to, and their outermost keys. Waits.
template <class T, class ExecOrHandle, class Keys, class From, class Op, class Equal>
core::RunState<core::ElementOf<Keys>, T> find_last_run(std::string const& label, ExecOrHandle const& exec_or_handle,
                                                       Keys const& keys, From const& from, std::size_t n, Op const& op,
                                                       Equal const& equal) {
  using Run = LastRun<core::ElementOf<Keys>, T>;
  ValueOfInstance<Run, ExecOrHandle> found(label, exec_or_handle);
  Run& run = *::new (static_cast<void*>(found.place())) Run(n);
  do
    found.enqueue([&](Run* piece) {
      piece->enqueue(label, exec_or_handle, keys, from, for_exec<ExecOrHandle>(op), for_exec<ExecOrHandle>(equal));
    });
  while (!found.wait().take(op, equal));
  return run.state();
}

/// The scan by key of elements, whose first run goes on with what stands before it, if anything does.
template <core::Kind kind, bool reversed, class Value, class ExecOrHandle, class Keys, class From, class Dest, class Op,
          class Equal, class Init>
void scan_keys_behind(core::Maybe<core::Keyed<Value>> const& before, std::string const& label,
                      ExecOrHandle const& exec_or_handle, Keys const& keys, From const& from, Dest const& dest,
                      Op const& op, Equal const& equal, Init const& init) {
  std::size_t const n = from.extent(0);
  driver::with_arrays<reversed>(
      n,
      [&](auto const&... arrays) {
        driver::run_scan(label, exec_or_handle,
                         driver::make_keyed_scan<kind, Value>(
                             arrays..., n, for_exec<ExecOrHandle>(op), for_exec<ExecOrHandle>(equal),
                             start_of_runs<kind, ExecOrHandle, Value>(init), core::FirstMayGoOn{!before}, before));
      },
      keys, from, dest);
}

}  // namespace KokkosScan::driver
