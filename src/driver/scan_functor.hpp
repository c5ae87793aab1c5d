// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/functor.hpp"
#include "../core/problem.hpp"
#include "arguments.hpp"
#include "scan_indices.hpp"
#include "scan_views.hpp"

// Scans by a functor for Kokkos::parallel_scan: from a policy or a length, the functor and a total to a problem.
namespace KokkosScan::driver {

// The functor names the type of its index, perhaps a narrower one.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif

/// A functor of the user's that only a host will call, while the call of the API lasts: by reference where to copy it
/// would count the holders of its Views, and so that nvcc does not warn of what is for the host alone.
template <class F, bool by_reference>
class HostFunctor {
 public:
  explicit HostFunctor(F const& functor) : kept_(keep(functor)) {}

  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  template <class... Arguments>
  KOKKOSSCAN_FUNCTION void operator()(Arguments&&... arguments) const {
    functor()(static_cast<Arguments&&>(arguments)...);
  }
  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  template <class... Arguments>
    requires requires(F const& f, Arguments&&... arguments) { f.init(static_cast<Arguments&&>(arguments)...); }
  KOKKOSSCAN_FUNCTION void init(Arguments&&... arguments) const {
    functor().init(static_cast<Arguments&&>(arguments)...);
  }
  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  template <class... Arguments>
    requires requires(F const& f, Arguments&&... arguments) { f.join(static_cast<Arguments&&>(arguments)...); }
  KOKKOSSCAN_FUNCTION void join(Arguments&&... arguments) const {
    functor().join(static_cast<Arguments&&>(arguments)...);
  }

 private:
  static decltype(auto) keep(F const& functor) {
    if constexpr (by_reference)
      return &functor;
    else
      return (functor);
  }
  KOKKOSSCAN_FUNCTION F const& functor() const {
    if constexpr (by_reference)
      return *kept_;
    else
      return kept_;
  }

  std::conditional_t<by_reference, F const*, F> kept_;
};

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

template <class ExecOrHandle, class F>
decltype(auto) functor_for_exec(F const& functor) {
  constexpr bool at_once = runs_at_once<typename BackendFor<ExecOrHandle>::type>;
  constexpr bool on_host = exec::is_on_host<InstanceOf<ExecOrHandle>>;
#if defined(__NVCC__)
  constexpr bool is_wrapped = on_host;
#else
  constexpr bool is_wrapped = at_once && on_host && !std::is_trivially_copyable_v<F>;
#endif
  if constexpr (is_wrapped)
    return HostFunctor < F, at_once && !std::is_trivially_copyable_v < F >> (functor);
  else
    return (functor);
}

/// The second argument of a functor's call operator, the work tag aside; for a functor that says no value_type.
template <class F, class Index, class Update, class Final>
std::type_identity<Update> update_of(void (F::*)(Index, Update&, Final) const);
template <class Tag, class F, class Index, class Update, class Final>
std::type_identity<Update> update_behind(void (F::*)(Tag, Index, Update&, Final) const);
template <class Tag, class F, class Index, class Update, class Final>
std::type_identity<Update> update_behind(void (F::*)(Tag const&, Index, Update&, Final) const);

/// As Kokkos has it: what the functor says, else the type of the total, else what the call operator takes. Nothing, if
/// none of them says.
template <class Functor, class Tag, class TotalValue>
auto value_of_functor() {
  if constexpr (requires { typename Functor::value_type; })
    return std::type_identity<typename Functor::value_type>();
  else if constexpr (!std::is_same_v<TotalValue, Nothing>)
    return std::type_identity<TotalValue>();
  else if constexpr (requires { update_of(&Functor::operator()); } && std::is_void_v<Tag>)
    return decltype(update_of(&Functor::operator()))();
  else if constexpr (requires { update_behind<Tag>(&Functor::operator()); })
    return decltype(update_behind<Tag>(&Functor::operator()))();
  else
    return std::type_identity<Nothing>();
}

/// The value type of a total, however it is given.
template <class TotalArgument>
struct ValueOfTotal : ValueOf<TotalArgument> {};
template <class T>
struct ValueOfTotal<Total<T>> {
  using type = typename Total<T>::value_type;
};

/// What is scanned over: `count` indices from `begin` on, of the type that the functor is called with.
template <class Index_, class Tag_>
struct Indices {
  using Index = Index_;
  using Tag   = Tag_;

  Index begin;
  std::size_t count;
};

template <class T>
inline constexpr bool is_range_policy = false;
template <class... Properties>
inline constexpr bool is_range_policy<Kokkos::RangePolicy<Properties...>> = true;

/// A length, or what becomes one in silence, as Kokkos takes it.
template <class T>
inline constexpr bool is_count =
    std::integral<T> || (!std::is_arithmetic_v<T> && std::is_convertible_v<T const&, std::size_t>);

template <class, class... Properties>
auto indices_of(std::string const&, Kokkos::RangePolicy<Properties...> const& policy) {
  using Policy     = Kokkos::RangePolicy<Properties...>;
  auto const begin = policy.begin(), end = policy.end();
  std::size_t const count = begin < end ? static_cast<std::size_t>(end) - static_cast<std::size_t>(begin) : 0;
  return Indices<typename Policy::member_type, typename Policy::work_tag>{begin, count};
}
/// The index of a length has the sign that Kokkos gives it, and 64 bits on devices, too, where n may be as long.
template <class Exec, class Count>
  requires is_count<Count>
auto indices_of(std::string const& label, Count const& n) {
  using Member = typename Kokkos::RangePolicy<Exec>::member_type;
  using Index  = std::conditional_t<std::is_signed_v<Member>, std::int64_t, std::uint64_t>;
  if constexpr (std::integral<Count>)
    return Indices<Index, void>{0, length_of(label, n)};
  else
    return Indices<Index, void>{0, static_cast<std::size_t>(n)};
}

/// The types of a call.
template <class Exec, class Indices, class Functor, class TotalArgument>
struct FunctorCall {
  using Tag        = typename Indices::Tag;
  using TotalType  = std::remove_cvref_t<TotalArgument>;
  using TotalValue = typename ValueOfTotal<TotalType>::type;
  using Given      = typename decltype(value_of_functor<Functor, Tag, TotalValue>())::type;
  using Value      = std::remove_cv_t<std::remove_reference_t<Given>>;
  using Called     = core::ScanFunctor<Value, typename Indices::Index, Tag, Functor>;

  static constexpr bool has_total = !std::is_same_v<TotalType, Nothing>;

  /// What a total is, whatever is scanned.
  static consteval bool check_total() {
    constexpr bool is_rank_0 = !Kokkos::is_view_v<TotalType> || is_rank_0_view<TotalType>;
    static_assert(is_rank_0, "KokkosScan: a total must be a variable or a View of rank 0");
    constexpr bool is_lasting =
        std::is_lvalue_reference_v<TotalArgument> && !std::is_const_v<std::remove_reference_t<TotalArgument>>;
    constexpr bool is_variable = Kokkos::is_view_v<TotalType> || is_total<TotalType> || !has_total || is_lasting;
    static_assert(is_variable,
                  "KokkosScan: a total must be a variable or a View of rank 0, neither const nor a temporary value");
    constexpr bool reaches = [] {
      if constexpr (requires { typename TotalType::memory_space; })
        return is_written<Exec> || is_written<Kokkos::DefaultHostExecutionSpace>;
      else
        return true;
    }();
    static_assert(reaches, "KokkosScan: neither exec nor the host can access the memory space of the total");
    return is_rank_0 && is_variable && reaches;
  }

  static consteval bool check_value() {
    constexpr bool is_known = !std::is_same_v<Given, Nothing>;
    static_assert(is_known,
                  "KokkosScan: the value type of the scan cannot be told from the functor's call operator: let the "
                  "functor have a value_type, or pass a total");
    constexpr bool is_array = std::is_array_v<Given>;
    static_assert(!is_array,
                  "KokkosScan: parallel_scan takes no value_type = T[]: let it be a Kokkos::Array<T, n>, or call "
                  "Kokkos::parallel_scan");
    constexpr bool is_plain = !std::is_reference_v<Given> && !std::is_const_v<Given>;
    static_assert(is_array || is_plain, "KokkosScan: the functor's value type must not be const, nor a reference");
    constexpr bool serves = ValueType<Value>;
    static_assert(is_array || serves,
                  "KokkosScan: the functor's value type must be trivially copyable and of 1 to 64 bytes");
    return is_known && !is_array && is_plain && serves;
  }

  static consteval bool check_functor() {
    constexpr bool is_called = Called::is_called;
    static_assert(is_called,
                  "KokkosScan: the functor must be callable as functor(i, update, final), behind the work tag if the "
                  "policy has one, update being of the functor's value type or else the total's, and a const functor "
                  "must be");
    constexpr bool begins = Called::has_init || std::is_default_constructible_v<Value>;
    static_assert(begins,
                  "KokkosScan: the functor needs an init(update), behind the work tag if the policy has one: its value "
                  "type has no default constructor");
    constexpr bool joins = Called::has_join || requires(Value& left, Value const& right) { left += right; };
    static_assert(joins,
                  "KokkosScan: the functor needs a join(dest, src), behind the work tag if the policy has one: its "
                  "value type has no +=");
    return is_called && begins && joins;
  }

  /// Whether a space can write the View that a total is.
  template <class Space>
  static constexpr bool is_written = Kokkos::SpaceAccessibility<Space, typename TotalType::memory_space>::accessible;

  static consteval bool check() {
    if constexpr (check_total() && check_value()) {
      constexpr bool same = !has_total || std::is_same_v<TotalValue, Value>;
      static_assert(same, "KokkosScan: a total must have the functor's value type");
      return check_functor() && same;
    } else {
      return false;
    }
  }

  /// The total as scans take it. A View that exec cannot write is a variable of the host's.
  static auto total(std::remove_reference_t<TotalArgument>& given) {
    if constexpr (!has_total) {
      return Nothing();
    } else if constexpr (Kokkos::is_view_v<TotalType>) {
      if constexpr (is_written<Exec>)
        return Total<TotalType>(given);
      else
        return Total<Value>(*given.data());
    } else if constexpr (is_total<TotalType>) {
      if constexpr (!requires { given.address; })
        return given;
      else if constexpr (is_written<Exec>)
        return given;
      else
        return Total<Value>(*given.address);
    } else {
      return Total<Value>(given);
    }
  }
};

template <class ExecOrHandle, class Range, class Functor, class TotalArgument>
void scan_by_functor(std::string const& label, ExecOrHandle const& exec_or_handle, Range const& range,
                     Functor const& functor, TotalArgument&& total) {
  using Exec    = InstanceOf<ExecOrHandle>;
  using Indices = decltype(driver::indices_of<Exec>(label, range));
  using C       = FunctorCall<Exec, Indices, Functor, TotalArgument>;
  if constexpr (C::check()) {
    using Value           = typename C::Value;
    using Kept            = std::decay_t<decltype(driver::functor_for_exec<ExecOrHandle>(functor))>;
    using Called          = core::ScanFunctor<Value, typename Indices::Index, typename Indices::Tag, Kept>;
    Indices const indices = driver::indices_of<Exec>(label, range);
    Called const called{driver::functor_for_exec<ExecOrHandle>(functor), indices.begin};
    // The total of no indices is the functor's init, which nothing but its total asks for.
    core::Maybe<Value> start;
    if (indices.count == 0 && C::has_total) start.put(called.initial());
    driver::run_with_total(label, exec_or_handle, core::FunctorScan<Called>(called, indices.count, start),
                           C::total(total));
  }
}

/// The execution space of a functor that is called for a length: as Kokkos has it.
template <class Functor>
auto space_of_functor() {
  if constexpr (requires { typename Functor::execution_space; })
    return typename Functor::execution_space();
  else if constexpr (requires { typename Functor::device_type::execution_space; })
    return typename Functor::device_type::execution_space();
  else
    return Kokkos::DefaultExecutionSpace();
}

/// Behind an exec or a Handle: a policy for it or a length, a functor, and perhaps a total.
template <class ExecOrHandle, class Range, class Functor, class... TotalArgument>
void functor_arguments_on(std::string const& label, ExecOrHandle const& exec_or_handle, Range const& range,
                          Functor const& functor, TotalArgument&&... total) {
  constexpr bool is_range = is_range_policy<Range> || is_count<Range>;
  static_assert(is_range,
                "KokkosScan: parallel_scan takes a Kokkos::RangePolicy or an integer n, and within kernels the "
                "ranges of a team or a thread");
  constexpr bool few = sizeof...(TotalArgument) <= 1;
  static_assert(few, "KokkosScan: behind the functor of parallel_scan may stand a total and nothing else");
  if constexpr (is_range && few) {
    constexpr bool is_for_exec = [] {
      if constexpr (is_range_policy<Range>)
        return std::is_same_v<typename Range::execution_space, InstanceOf<ExecOrHandle>>;
      else
        return true;
    }();
    static_assert(is_for_exec, "KokkosScan: the policy and the Handle have different execution spaces");
    if constexpr (is_for_exec && sizeof...(TotalArgument) == 1)
      driver::scan_by_functor(label, exec_or_handle, range, functor, static_cast<TotalArgument&&>(total)...);
    else if constexpr (is_for_exec)
      driver::scan_by_functor(label, exec_or_handle, range, functor, Nothing());
  }
}

template <class First, class Second, class... Rest>
void functor_arguments(std::string const& label, First const& first, Second&& second, Rest&&... rest) {
  if constexpr (is_exec_or_handle<First>) {
    static_assert(sizeof...(Rest) > 0,
                  "KokkosScan: behind exec or a Handle parallel_scan takes a policy or n, a functor "
                  "and perhaps a total");
    if constexpr (sizeof...(Rest) > 0) driver::functor_arguments_on(label, first, second, static_cast<Rest&&>(rest)...);
  } else if constexpr (is_range_policy<First>) {
    driver::functor_arguments_on(label, first.space(), first, second, static_cast<Rest&&>(rest)...);
  } else {
    driver::functor_arguments_on(label, space_of_functor<std::remove_cvref_t<Second>>(), first, second,
                                 static_cast<Rest&&>(rest)...);
  }
}

}  // namespace KokkosScan::driver
