// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "svg.hpp"

#include <cstdlib>

namespace pictures {
namespace {

std::string escaped(std::string_view words) {
  std::string text;
  for (char const c : words)
    if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else
      text += c;
  return text;
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

/// About as wide as a line of text is; fonts differ.
int width_of(std::string_view words) {
  int width = 0;
  for (char const c : words)
    width += std::string_view("iljtfr,.' ").find(c) != std::string_view::npos ? 42 : c == 'm' || c == 'w' ? 108 : 72;
  return width;
}

int square_root(int of) {
  int root = 0;
  while ((root + 1) * (root + 1) <= of) ++root;
  return root;
}

}  // namespace

std::string number(int tenths) {
  int const rest = std::abs(tenths % 10);
  return (tenths < 0 ? "-" : "") + std::to_string(std::abs(tenths / 10)) + (rest ? "." + std::to_string(rest) : "");
}

Path& Path::add(char what, Point to) {
  data_ += what + number(to.x) + " " + number(to.y);
  return *this;
}
Path& Path::down(int y) {
  data_ += "V" + number(y);
  return *this;
}
Path& Path::across(int x) {
  data_ += "H" + number(x);
  return *this;
}
Path& Path::rectangle(Point corner, int width, int height) {
  data_ += "M" + number(corner.x) + " " + number(corner.y) + "h" + number(width) + "v" + number(height) + "h" +
           number(-width) + "z";
  return *this;
}

void Svg::stroke(Path const& path, std::string_view colour, int width, std::string_view more) {
  if (path.data().empty()) return;
  body_ += "<path fill=\"none\"" + attribute("stroke", colour) + attribute("stroke-width", number(width)) +
           (more.empty() ? "" : " " + std::string(more)) + attribute("d", path.data()) + "/>\n";
}

void Svg::fill(Path const& path, std::string_view colour) {
  if (path.data().empty()) return;
  body_ += "<path" + attribute("fill", colour) + attribute("d", path.data()) + "/>\n";
}

void Svg::circle(Point centre, int radius, std::string_view fill, std::string_view stroke) {
  body_ += "<circle" + attribute("cx", number(centre.x)) + attribute("cy", number(centre.y)) +
           attribute("r", number(radius)) + attribute("fill", fill) + attribute("stroke", stroke) + "/>\n";
}

void Svg::diamond(Point c, int radius, std::string_view fill, std::string_view stroke) {
  Path path;
  path.move({c.x - radius, c.y}).line({c.x, c.y - radius}).line({c.x + radius, c.y}).line({c.x, c.y + radius});
  body_ += "<path" + attribute("fill", fill) + attribute("stroke", stroke) + attribute("d", path.data() + "z") + "/>\n";
}

void Svg::arrow(Point from, Point to, std::string_view colour) {
  int const dx = to.x - from.x, dy = to.y - from.y;
  int const length = square_root(dx * dx + dy * dy);
  if (length == 0) return;
  constexpr int head = 6 * px, half = 5 * px / 2;
  auto const behind = [&](int along, int aside) {
    return Point{to.x - (dx * along + dy * aside) / length, to.y - (dy * along - dx * aside) / length};
  };
  Path shaft, point;
  shaft.move(from).line(behind(head, 0));
  point.move(to).line(behind(head, half)).line(behind(head, -half));
  stroke(shaft, colour, 12);
  fill(point, colour);
}

void Svg::text(Point baseline, std::string_view words, std::string_view anchor, std::string_view colour, int size,
               bool bold) {
  body_ += "<text" + attribute("x", number(baseline.x)) + attribute("y", number(baseline.y)) +
           (anchor.empty() ? "" : attribute("text-anchor", anchor)) + attribute("fill", colour) +
           (size == 12 * px ? "" : attribute("font-size", number(size))) +
           (bold ? attribute("font-weight", "600") : "") + ">" + escaped(words) + "</text>\n";
}

std::string Svg::file(int width, int height, std::string_view title, std::string_view description) const {
  std::string const w = number(width), h = number(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + w + " " + h + "\" width=\"" + w + "\" height=\"" +
         h + "\" role=\"img\" aria-labelledby=\"title description\"\n" +
         " font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\" font-size=\"12\">\n" +
         "<title id=\"title\">" + escaped(title) + "</title>\n" + "<desc id=\"description\">" + escaped(description) +
         "</desc>\n" + "<rect x=\"0.5\" y=\"0.5\" width=\"" + number(width - px) + "\" height=\"" +
         number(height - px) + "\" rx=\"8\" fill=\"" + std::string(colour::white) + "\" stroke=\"" +
         std::string(colour::faint) + "\"/>\n" + body_ + "</svg>\n";
}

Point Legend::next(std::string_view words) {
  int const width = 22 * px + width_of(words);
  if (at_.x > left_ && at_.x + width > right_) at_ = {left_, at_.y + 20 * px};
  Point const text{at_.x + 22 * px, at_.y};
  at_.x += width + 16 * px;
  return text;
}

}  // namespace pictures
