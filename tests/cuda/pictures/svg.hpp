// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace pictures {

/// Lengths are tenths of a pixel, in integers, so that a picture has the same bytes on every machine.
inline constexpr int px = 10;

struct Point {
  int x, y;
};

std::string number(int tenths);

/// Two colours, each with a light companion, a tone between them for what separates, and greys.
namespace colour {
inline constexpr std::string_view blue = "#3b6ea5", light_blue = "#d3e2f2", orange = "#c2702a",
                                  light_orange = "#f6dfc8", border = "#e2c091", white = "#ffffff", faint = "#d0d7de",
                                  grey = "#6e7781", ink = "#24292f";
}

/// What is drawn in one style: the data of a <path>.
class Path {
 public:
  Path& move(Point to) { return add('M', to); }
  Path& line(Point to) { return add('L', to); }
  Path& down(int y);
  Path& across(int x);
  Path& rectangle(Point corner, int width, int height);
  std::string const& data() const { return data_; }

 private:
  Path& add(char what, Point to);
  std::string data_;
};

/// A picture as text. What is drawn later lies on top.
class Svg {
 public:
  void stroke(Path const&, std::string_view colour, int width, std::string_view more = {});
  void fill(Path const&, std::string_view colour);
  void circle(Point centre, int radius, std::string_view fill, std::string_view stroke);
  void diamond(Point centre, int radius, std::string_view fill, std::string_view stroke);
  void arrow(Point from, Point to, std::string_view colour);
  void text(Point baseline, std::string_view words, std::string_view anchor = {},
            std::string_view colour = colour::grey, int size = 12 * px, bool bold = false);

  /// The whole file: on a white card, so that it can be read on any background.
  std::string file(int width, int height, std::string_view title, std::string_view description) const;

 private:
  std::string body_;
};

/// The explanations of the signs, in lines from left to right.
class Legend {
 public:
  Legend(Svg& svg, Point at, int right) : svg_(svg), left_(at.x), right_(right), at_(at) {}

  /// sign(p) draws it around p, 7 px to each side.
  template <class Sign>
  void entry(std::string_view words, Sign const& sign) {
    Point const text = next(words);
    sign(Point{text.x - 14 * px, text.y - 4 * px});
    svg_.text(text, words);
  }
  int bottom() const { return at_.y; }

 private:
  Point next(std::string_view words);

  Svg& svg_;
  int left_, right_;
  Point at_;
};

}  // namespace pictures
