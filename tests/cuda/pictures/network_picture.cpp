// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "network.hpp"
#include "svg.hpp"

namespace pictures {
namespace {

constexpr int width = 800 * px, left = 84 * px, right = 24 * px;
constexpr int inputs_at       = 84 * px;
constexpr int barrier_spacing = 5 * px;

std::string count_of(int count, std::string const& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string covered(Traced const& value) {
  return value.first == value.last ? std::to_string(value.last)
                                   : std::to_string(value.first) + "\u2013" + std::to_string(value.last);
}

class Picture {
 public:
  Picture(Network const& network, std::string const& name) : network_(network), name_(name), few_(network.n <= 20) {
    column_width_ = (width - left - right) / (network.n + (network.exclusive ? 1 : 0));
    // The same for every thread schedule, in which things happen in any order.
    for (Spot const& spot : network.spots) spots_.push_back(&spot);
    std::sort(spots_.begin(), spots_.end(), [](Spot const* a, Spot const* b) {
      return std::tie(a->row, a->column, a->buffer, a->first) < std::tie(b->row, b->column, b->buffer, b->first);
    });
    place_rows();
  }

  std::string draw() {
    heads();
    barriers();
    wires();
    operands();
    for (Spot const* spot : spots_) dot(centre(*spot), *spot);
    results();
    int const height = captions(results_at_ + 34 * px);
    return svg_.file(width, height, title(), description());
  }

 private:
  int x(int column) const { return left + column * column_width_ + column_width_ / 2; }
  int y(int row) const { return ys_[row]; }
  Point centre(Spot const& spot) const { return {x(spot.column), y(spot.row)}; }
  Spot const& spot(int i) const { return network_.spots[i]; }
  int dot_radius() const { return few_ ? 5 * px : 32; }

  unsigned epoch(int row) const { return row == 0 ? 0 : network_.rows[row - 1].epoch; }
  int rows() const { return static_cast<int>(network_.rows.size()); }
  int barriers_before(int row) const {
    return static_cast<int>((row > rows() ? network_.barriers : epoch(row)) - epoch(row - 1));
  }

  /// Between two rows: the barriers, then room for the oblique lines, the more the farther they go.
  void place_rows() {
    ys_.push_back(inputs_at);
    slopes_.push_back(0);
    for (int row = 1; row <= rows(); ++row) {
      int farthest = 0;
      for (Spot const* s : spots_)
        if (s->row == row)
          for (int const from : s->from)
            if (from >= 0) farthest = std::max(farthest, std::abs(spot(from).column - s->column));
      slopes_.push_back(22 * px + std::min(farthest * column_width_ / 12, 34 * px));
      ys_.push_back(y(row - 1) + room_of_barriers(row) + slopes_.back());
    }
    results_at_ = y(rows()) + room_of_barriers(rows() + 1) + 26 * px;
  }
  int room_of_barriers(int row) const { return 9 * px + barriers_before(row) * barrier_spacing; }

  std::string title() const { return name_ + ", " + std::to_string(network_.n) + " elements"; }

  std::string summary() const {
    int operations = 0, steps = 0;
    for (Row const& row : network_.rows) {
      operations += row.operations;
      steps += row.operations > 0;
    }
    return count_of(operations, "operation") + " in " + count_of(steps, "step") + ", " +
           count_of(static_cast<int>(network_.barriers), "barrier") + ", " + count_of(network_.threads, "thread") +
           " in the block";
  }
  std::string description() const {
    std::string text =
        "Recorded from a run of the kernel's block algorithm: " + summary() + ". Operations of each step:";
    for (Row const& row : network_.rows)
      if (row.operations > 0) text += " " + std::to_string(row.operations);
    return text + ".";
  }

  void heads() {
    svg_.text({20 * px, 30 * px}, title(), "", colour::ink, 15 * px, true);
    svg_.text({20 * px, 64 * px}, "element");
    for (int i = 0; i < network_.n; i += few_ ? 1 : 8) svg_.text({x(i), 64 * px}, std::to_string(i), "middle");
    if (network_.exclusive) svg_.text({x(network_.n), 64 * px}, "aggregate", "middle");
    int step = 0;
    for (int row = 1; row <= rows(); ++row)
      svg_.text({20 * px, y(row) + 4 * px},
                network_.rows[row - 1].operations > 0 ? "step " + std::to_string(++step) : "copies");
  }

  void barriers() {
    Path path;
    for (int row = 1; row <= rows() + 1; ++row)
      for (int b = 0; b < barriers_before(row); ++b)
        path.move({left - 8 * px, y(row - 1) + 11 * px + b * barrier_spacing}).across(width - right + 4 * px);
    svg_.stroke(path, colour::border, thick(colour::border));
  }

  /// From the value that stands in a place at the end, down to the result.
  void wires() {
    Path path;
    for (int i = 0; i <= network_.n; ++i) {
      if (!has_result(i)) continue;
      Spot const& last = spot(network_.result[i].spot);
      path.move(centre(last)).down(results_at_ - 14 * px);
    }
    svg_.stroke(path, colour::faint, 12);
  }
  bool has_result(int i) const { return network_.exclusive ? i > 0 : i < network_.n; }

  /// A value goes down in its place, and in the last moment across.
  void lead(Path& path, Spot const& from, Spot const& to) const {
    path.move(centre(from));
    if (from.column == to.column) {
      path.down(y(to.row));
      return;
    }
    int const turn = y(to.row) - slopes_[to.row];
    if (turn > y(from.row)) path.down(turn);
    path.line(centre(to));
  }

  void operands() {
    Path lefts, rights, copies;
    for (Spot const* s : spots_) {
      if (s->what == Spot::What::input) continue;
      bool const combined = s->what == Spot::What::combined;
      lead(combined ? lefts : copies, spot(s->from[0]), *s);
      if (combined) lead(rights, spot(s->from[1]), *s);
    }
    svg_.stroke(copies, colour::grey, 12, "stroke-dasharray=\"3 3\"");
    svg_.stroke(rights, right_operand, thick(right_operand));
    svg_.stroke(lefts, left_operand, thick(left_operand));
  }

  void dot(Point at, Spot const& s) {
    int const r = dot_radius();
    if (s.what == Spot::What::input)
      svg_.circle(at, r / 2, colour::grey, colour::grey);
    else if (s.what == Spot::What::copied)
      svg_.circle(at, r - 10, colour::white, s.buffer == Buffer::scratch ? colour::orange : colour::blue);
    else if (s.handed_on || (s.stored && s.buffer == Buffer::scratch))
      svg_.circle(at, r, colour::orange, colour::orange);
    else if (s.stored)
      svg_.circle(at, r, colour::blue, colour::blue);
    else
      svg_.circle(at, r, colour::light_blue, colour::blue);
  }

  void results() {
    svg_.text({20 * px, results_at_}, "result");
    for (int i = 0; i <= network_.n; ++i)
      if (has_result(i) && (few_ || i % 8 == 7))
        svg_.text({x(i), results_at_}, covered(network_.result[i]), "middle", colour::ink, 11 * px);
  }

  /// What was counted, and what the signs mean, of those that occur. Returns where the picture ends.
  int captions(int at) {
    svg_.text({20 * px, at}, summary(), "", colour::ink, 13 * px);
    at += 26 * px;
    Legend legend(svg_, {20 * px, at}, width - 12 * px);
    auto const of_line = [&](std::string const& words, std::string_view colour) {
      legend.entry(words, [&](Point p) {
        svg_.stroke(Path().move({p.x - 7 * px, p.y}).across(p.x + 7 * px), colour, thick(colour));
      });
    };
    of_line("left operand", left_operand);
    of_line("right operand", right_operand);
    bool const two      = network_.scratch_use == ScratchUse::buffer;
    auto const combined = Spot::What::combined, copied = Spot::What::copied;
    auto const of_dot = [&](Spot::What what, bool stored, Buffer buffer, std::string const& words) {
      Spot const example{what, 0, 0, 0, 0, 0, {}, stored, buffer};
      for (Spot const* s : spots_)
        if (s->what == what && kind(*s) == kind(example)) return legend.entry(words, [&](Point p) { dot(p, example); });
    };
    of_dot(combined, false, Buffer::tile, "combined, kept in registers only");
    of_dot(combined, true, Buffer::tile, "combined, kept in the tile");
    of_dot(combined, true, Buffer::scratch,
           two ? "combined, kept in the second buffer" : "combined, handed on as an aggregate");
    of_dot(copied, true, Buffer::scratch, two ? "copied into the second buffer" : "copied out as the aggregate");
    of_dot(copied, true, Buffer::tile, two ? "copied into the tile" : "copied within the tile");
    if (network_.barriers > 0) of_line("barrier", colour::border);
    return legend.bottom() + 18 * px;
  }

  /// How a dot is filled.
  static int kind(Spot const& s) {
    if (s.what == Spot::What::combined && s.handed_on) return 2;
    return !s.stored ? 0 : s.buffer == Buffer::tile ? 1 : 2;
  }

  int thick(std::string_view colour) const { return colour == colour::border ? 20 : few_ ? 15 : 10; }

  static constexpr std::string_view left_operand = "#3d4f63", right_operand = "#a9b6c4";

  Network const& network_;
  std::string const& name_;
  bool few_;  // elements, so that each can be labelled
  int column_width_;
  std::vector<Spot const*> spots_;
  std::vector<int> ys_, slopes_;  // of the rows
  int results_at_ = 0;
  Svg svg_;
};

}  // namespace

std::string draw_network(Network const& network, std::string const& name) { return Picture(network, name).draw(); }

}  // namespace pictures
