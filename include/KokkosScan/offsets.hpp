// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/scan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace KokkosScan {

/// Row offsets from row counts, as in CSR: offsets(0) = 0, offsets(i + 1) = offsets(i) + counts(i). offsets has one
/// entry more than counts. Its last is the total, which a trailing argument T& also brings to the host: that call
/// waits.
template <class Where, class Counts, class Offsets, class... Total>
void offsets_from_counts(std::string const& label, Where const& where, Counts const& counts, Offsets const& offsets,
                         Total&&... total) {
  static_assert(driver::Place<Where>,
                "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle");
  if constexpr (driver::Place<Where>) {
    using Exec = std::remove_cvref_t<decltype(driver::instance(where))>;
    driver::check_view<Counts, Exec>();
    driver::check_view<Offsets, Exec>();
    driver::check_dest<Offsets>();
    static_assert(sizeof...(Total) <= 1, "KokkosScan: too many arguments");
    using Value = typename Offsets::non_const_value_type;
    static_assert((std::is_same_v<Total, Value&> && ...),
                  "KokkosScan: the total of offsets_from_counts is a variable of the value type of offsets; on the "
                  "device it is the last entry of offsets");

    std::size_t const n = counts.extent(0);
    driver::check_extents(label, "counts", n, "offsets", offsets.extent(0), 1);
    // Unmanaged: to count the holders of a View takes as long as a small scan.
    using Borrowed = Kokkos::View<typename Offsets::data_type, typename Offsets::array_layout,
                                  typename Offsets::device_type, Kokkos::MemoryUnmanaged>;
    Borrowed const borrowed(offsets);
    auto const front = Kokkos::subview(borrowed, std::pair<std::size_t, std::size_t>(0, n));
    auto const last  = Kokkos::subview(borrowed, n);
    using driver::Footprint;
    driver::check_in_place_or_apart(label, "counts", Footprint::of(counts), "offsets", Footprint::of(front));
    driver::check_apart(label, "counts", Footprint::of(counts), "the last entry of offsets", Footprint::of(last));
    (driver::check_apart(label, "counts", Footprint::of(counts), "the total", Footprint::of(total)), ...);
    (driver::check_apart(label, "offsets", Footprint::of(offsets), "the total", Footprint::of(total)), ...);

    KokkosScan::exclusive_scan(label, where, counts, front, Value{}, Sum{}, last);
    (driver::bring_to_host(label, driver::instance(where), last.data(), total), ...);
  }
}
template <NoLabel Where, class Counts, class Offsets, class... Total>
void offsets_from_counts(Where const& where, Counts const& counts, Offsets const& offsets, Total&&... total) {
  static std::string const label = "KokkosScan::offsets_from_counts";
  KokkosScan::offsets_from_counts(label, where, counts, offsets, static_cast<Total&&>(total)...);
}

}  // namespace KokkosScan
