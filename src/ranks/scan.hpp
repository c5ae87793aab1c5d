// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "../driver/scan_views.hpp"
#include "agreement.hpp"
#include "arriving.hpp"
#include "calls.hpp"
#include "crossing.hpp"
#include "shared_value.hpp"

// A scan of rank-1 Views across ranks: each rank reads its share for its aggregate, the aggregates are combined across
// ranks (Crossing), and each rank scans its share with what stands before it as the start, a parameter of its kernels.
// A total goes from the rank that has the last element, with the bits of that, to all others.
namespace KokkosScan::ranks {

/// An argument as a call keeps it: by itself where its caller goes on meanwhile.
template <bool is_started, class T>
using Kept = std::conditional_t<is_started, std::decay_t<T>, std::remove_reference_t<T> const&>;

template <class T>
struct PutValue {
  T* address;
  T value;
  KOKKOS_FUNCTION void operator()(int) const { core::put(*address, value); }
};

/// Of a call without a total.
struct NothingShared {
  explicit NothingShared(Channel&) {}
};

/// One call. It goes from stage to stage; who waits goes through them waiting.
template <core::Kind kind, driver::Roles roles, bool is_started, class ExecOrHandle, class From, class Dest,
          class... Rest>
class Scan {
  using C             = driver::Call<roles, From, Dest, Rest...>;
  using Order         = typename C::Order;
  using Value         = typename C::Value;
  using Op            = typename C::Op;
  using Init          = typename C::Init;
  using TotalArgument = typename C::TotalArgument;
  using Carry         = core::Maybe<Value>;

  static constexpr bool has_init    = !std::is_same_v<Init, driver::Nothing>;
  static constexpr bool has_total   = driver::is_total<TotalArgument>;
  static constexpr bool is_reversed = Order::reversed;
  // Asked of the type: of total(), within a member function, nvcc finds it of every total.
  static constexpr bool total_is_in_a_view = requires(TotalArgument const& total) { total.address; };

 public:
  /// All ranks come here, and from now on wait for this one.
  Scan(std::string const& label, Channel& channel, ExecOrHandle const& exec, From const& from, Dest const& dest,
       std::tuple<Rest...> const& rest)
      : label_(label),
        channel_(channel),
        exec_(exec),
        from_(from),
        dest_(dest),
        rest_(rest),
        n_(from.extent(0)),
        position_(channel.position(is_reversed)),
        is_alone_(channel.size() == 1),
        found_(label_, exec_),
        crossing_(channel, label_, is_reversed, op()),
        total_(channel) {
    attempt([&] {
      check();
      // If a rank failed before, as this one knows, this call is done by no rank.
      if (channel_.failed_before() == no_rank) find_own();
    });
  }

  /// Throws what failed.
  void wait() {
    go_on(true);
    if (error_) std::rethrow_exception(error_);
  }
  /// Goes as far as is possible without waiting, and says whether all is done.
  bool test() { return go_on(false); }
  /// Lets others have what they wait for, if it is there.
  void send_what_is_known() { send_own(false); }
  /// Nothing more is written. Others get what they wait for; but a total that would come from here fails.
  void give_up() { is_given_up_ = true; }

 private:
  enum class Stage { own, crossing, last, total, done };

  bool go_on(bool waits) {
    if (stage_ == Stage::own && !send_own(waits)) return false;
    if (stage_ == Stage::crossing) {
      if (!waits && !has_crossed()) return false;
      attempt([&] {
        Carry const& before = crossing_.wait();
        crossing_.finish([&] { scan_behind(before); });
      });
      stage_ = has_total ? Stage::last : Stage::done;
    }
    if constexpr (has_total) return share_total(waits);
    return true;
  }

  bool send_own(bool waits) {
    if (!has_found(waits)) return false;
    attempt([&] { crossing_.begin([&] { return own(); }, n_ > 0 ? position_ : no_rank); });
    stage_ = Stage::crossing;
    return true;
  }

  /// The rank of the last element sends the total, and whoever has an error says so instead; all get it.
  bool share_total(bool waits) {
    int const last = crossing_.greatest();
    if (stage_ == Stage::last) {
      if (last == no_rank) {
        attempt([&] { find_total_of_nothing(); });
        stage_ = Stage::done;
        return true;
      }
      if (!has_found(waits)) return false;
      attempt([&] {
        int const root      = is_reversed ? channel_.size() - 1 - last : last;
        int const failed    = crossing_.failed() != no_rank ? crossing_.failed() : channel_.rank();
        bool const is_there = !error_ && !is_given_up_;
        total_.begin(crossing_.next_tag(), root, is_there && position_ == last ? &found_.value() : nullptr,
                     is_there ? no_rank : failed);
      });
      stage_ = Stage::total;
    }
    if (stage_ == Stage::total) {
      if (!waits && !has_total_arrived()) return false;
      attempt([&] {
        if (waits) total_.wait();
        if (error_ || is_given_up_) return;
        if (total_.failed() != no_rank)
          throw std::runtime_error(label_ + ": rank " + std::to_string(total_.failed()) +
                                   " failed in this call (what it threw says why), or gave it up; there is no total");
        put_total(total_.value());
      });
      stage_ = Stage::done;
    }
    return true;
  }

  /// An error of MPI ends the waiting, too.
  bool has_crossed() {
    bool is_done = true;
    attempt([&] { is_done = crossing_.test(); });
    return is_done;
  }
  bool has_total_arrived() {
    bool is_done = true;
    attempt([&] { is_done = total_.test(); });
    return is_done;
  }
  /// What kernels find.
  bool has_found(bool waits) {
    if (error_ || !is_expected_ || found_.is_there()) return true;
    if (waits) attempt([&] { found_.wait(); });
    return waits;
  }

  /// f(), whose error waits until all that others wait for is done. The first counts.
  template <class F>
  void attempt(F const& f) {
    try {
      f();
    } catch (...) {
      if (!error_) error_ = std::current_exception();
    }
  }

  void check() const {
    driver::check_scan(label_, from_, dest_, n_, init(), total());
    ranks::refuse_in_capture(label_, exec_);
  }

  /// What this rank has itself: its aggregate, and on the first rank that behind init; of the last one nobody asks. The
  /// first one's scan would find it, too, but all others would wait for that, for 2 n bytes instead of n.
  void find_own() {
    bool const is_first = position_ == 0, is_waited_for = position_ + 1 < channel_.size();
    if (n_ == 0 && !(is_first && has_init)) return;
    if (!is_alone_ && !is_waited_for) return;
    is_expected_ = true;
    found_.enqueue(is_started, [&](Value* address) {
      if (is_alone_)
        scan(init(), address);
      else if (is_first)
        reduce(init(), address);
      else
        reduce(Carry(), address);
    });
  }
  Carry own() const {
    if (error_) std::rethrow_exception(error_);
    return is_expected_ ? Carry(found_.value()) : Carry();
  }

  void scan_behind(Carry const& before) {
    if (n_ == 0 || is_alone_ || is_given_up_) return;
    auto const scan_to = [&](Value* address) {
      if (position_ == 0)
        scan(init(), address);
      else
        scan(before, address);
    };
    is_expected_ = has_total && position_ == crossing_.greatest();
    if (is_expected_)
      found_.enqueue(is_started, scan_to);
    else
      scan_to(nullptr);
  }

  template <class Init_>
  void reduce(Init_ const& before, Value* address) const {
    driver::with_elements(from_, [&](auto const& elements) {
      driver::run_scan(label_, exec_,
                       driver::make_reduction<Value, ExecOrHandle>(driver::in_direction<is_reversed>(elements, n_), n_,
                                                                   op(), unary(), before, address));
    });
  }
  template <class Init_>
  void scan(Init_ const& before, Value* address) const {
    driver::with_elements(from_, [&](auto const& elements) {
      driver::with_elements(dest_, [&](auto const& outputs) {
        auto problem  = driver::make_scan<kind, Value, ExecOrHandle>(driver::in_direction<is_reversed>(elements, n_),
                                                                     driver::in_direction<is_reversed>(outputs, n_), n_,
                                                                     op(), unary(), before);
        problem.total = address;
        driver::run_scan(label_, exec_, problem);
      });
    });
  }

  void find_total_of_nothing() const {
    if (error_ || is_given_up_) return;
    driver::check_total_of_nothing<Op, Init, Value>(label_, "from is empty on all ranks", n_, total());
    driver::with_elements(from_, [&](auto const& elements) {
      driver::run_with_total(label_, exec_,
                             driver::make_reduction<Value, ExecOrHandle>(
                                 driver::in_direction<is_reversed>(elements, n_), n_, op(), unary(), init(), nullptr),
                             total());
    });
  }
  void put_total(Value const& value) const {
    if constexpr (total_is_in_a_view) {
      if constexpr (driver::runs_at_once<typename driver::BackendFor<ExecOrHandle>::type>)
        core::put(*total().address, value);
      else
        driver::enqueue_once(label_, exec_, PutValue<Value>{total().address, value});
    } else {
      core::put(total().value, value);
    }
  }

  decltype(auto) op() const { return driver::argument_or<Order::index(roles.op), Sum>(rest_); }
  decltype(auto) unary() const { return driver::argument_or<Order::index(roles.unary), Unchanged>(rest_); }
  decltype(auto) init() const { return driver::argument_or<Order::index(roles.init), driver::Nothing>(rest_); }
  decltype(auto) total() const { return driver::argument_or<Order::first(Order::totals), driver::Nothing>(rest_); }

  Kept<is_started, std::string> label_;
  Channel& channel_;
  Kept<is_started, ExecOrHandle> exec_;
  Kept<is_started, From> from_;
  Kept<is_started, Dest> dest_;
  Kept<is_started, std::tuple<Rest...>> rest_;
  std::size_t n_;
  int position_;
  bool is_alone_;
  Arriving<Value, ExecOrHandle> found_;
  bool is_expected_ = false, is_given_up_ = false;
  std::exception_ptr error_;
  Crossing<Value, Op> crossing_;
  [[no_unique_address]] std::conditional_t<has_total, SharedValue<Value>, NothingShared> total_;
  Stage stage_ = Stage::own;
};

/// The same of a caller who goes on meanwhile.
template <core::Kind kind, driver::Roles roles, class ExecOrHandle, class From, class Dest, class... Rest>
class StartedScan final : public Operation {
 public:
  StartedScan(std::string const& label, Channel& channel, ExecOrHandle const& exec, From const& from, Dest const& dest,
              std::tuple<Rest...> const& rest)
      : channel_(channel.shared_from_this()), scan_(label, channel, exec, from, dest, rest) {
    scan_.send_what_is_known();
  }

  bool test() noexcept override {
    UnderWay::all_go_on();
    return is_done_;
  }
  void wait() override {
    leave();
    scan_.wait();
  }
  void give_up() noexcept override {
    leave();
    scan_.give_up();
    try {
      scan_.wait();
    } catch (...) {
      // Nobody is there who would want to know.
    }
  }

 private:
  void go_on() noexcept override { is_done_ = is_done_ || scan_.test(); }

  std::shared_ptr<Channel> channel_;  // its communicator may be freed meanwhile
  bool is_done_ = false;
  Scan<kind, roles, true, ExecOrHandle, From, Dest, Rest...> scan_;
};

/// What the arguments are, in words, as of a scan on one rank.
template <driver::Roles roles, class ExecOrHandle, class From, class Dest, class... Rest>
consteval bool check_call() {
  constexpr bool has_length = (driver::is_length<std::remove_cvref_t<Rest>> || ...);
  static_assert(!has_length,
                "KokkosScan: scans across ranks take no Length; what the host knows is a subview, and a rank may have "
                "nothing");
  if constexpr (!has_length)
    return driver::check_call<roles, ExecOrHandle, From, Dest, Rest...>();
  else
    return false;
}

/// Whether all ranks are in this call, if the options of a Handle ask for that.
template <core::Kind kind, class C, class ExecOrHandle>
void check_scans_agree(Channel& channel, std::string const& label, ExecOrHandle const& exec) {
  check_calls_agree(channel, label, exec, [] {
    return std::string(kind == core::Kind::inclusive ? "inclusive" : "exclusive") +
           (C::Order::first(C::Order::axes) != driver::absent ? ", along an axis" : "") +
           (C::Order::reversed ? ", reversed" : "") + ", of " + std::string(type_name<typename C::Value>()) + " (" +
           std::to_string(sizeof(typename C::Value)) + " bytes), by " + std::string(type_name<typename C::Op>()) +
           (std::is_same_v<typename C::Init, driver::Nothing> ? "" : ", with init") +
           (driver::is_total<typename C::TotalArgument> ? ", with a total" : "");
  });
}

}  // namespace KokkosScan::ranks
