// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "svg.hpp"
#include "timeline.hpp"

namespace pictures {
namespace {

using KokkosScan::cuda::TileState;

constexpr int width = 800 * px, right = 776 * px;
constexpr int row_height = 26 * px, gap_height = 20 * px, bar_height = 12 * px;

class Picture {
 public:
  Picture(Timeline const& timeline, TimelineView const& view)
      : timeline_(timeline),
        view_(view),
        left_(view.names_blocks ? 124 * px : 84 * px),
        top_(view.launches.empty() ? 68 * px : 92 * px) {
    bottom_ = top_;
    for (int const row : view.rows) {
      int const height = row < 0 ? gap_height : row_height;
      ys_.push_back(bottom_ + height / 2);
      bottom_ += height;
    }
  }

  std::string draw() {
    heads();
    axis();
    groups();
    for (Bar const& bar : timeline_.bars)
      if (is_shown(bar)) draw(bar);
    launches();
    flows();
    arrows();
    publications();
    int const height = explain(bottom_ + 58 * px);
    return svg_.file(width, height, view_.title, description());
  }

 private:
  int x(Time time) const { return left_ + static_cast<int>(time * (right - left_) / timeline_.end); }
  int row(Bar const& bar) const { return view_.launches.empty() ? bar.tile : static_cast<int>(bar.block); }
  bool is_shown(Bar const& bar) const {
    return std::find(view_.rows.begin(), view_.rows.end(), row(bar)) != view_.rows.end();
  }
  /// The middle of its row, or of the gap in which it is left out.
  int y(Bar const& bar) const {
    std::size_t place = 0;
    while (view_.rows[place] < row(bar) && (view_.rows[place] >= 0 || view_.rows[place + 1] <= row(bar))) ++place;
    return ys_[place];
  }
  Bar const& bar(int i) const { return timeline_.bars[i]; }
  Publication const& publication(int i) const { return timeline_.publications[i]; }

  void heads() {
    svg_.text({20 * px, 30 * px}, view_.title, "", colour::ink, 15 * px, true);
    svg_.text({20 * px, 50 * px}, view_.about);
    for (std::size_t i = 0; i < ys_.size(); ++i)
      if (view_.rows[i] < 0)
        svg_.text({38 * px, ys_[i] + 5 * px}, "\u22ee", "middle", colour::grey, 14 * px);
      else
        svg_.text({20 * px, ys_[i] + 4 * px},
                  view_.row_name + " " + std::to_string(view_.rows[i]) + block_of(view_.rows[i]));
  }

  /// The block that has a tile, if it is to be named.
  std::string block_of(int row) const {
    for (Bar const& b : timeline_.bars)
      if (view_.names_blocks && b.tile == row) return ", block " + std::to_string(b.block);
    return {};
  }

  void axis() {
    Time step = 1;
    for (int i = 0; timeline_.end / step > 8; ++i) step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    Path path;
    int const low = bottom_ + 6 * px;
    path.move({left_, low}).across(right);
    for (Time time = 0; time <= timeline_.end; time += step) {
      path.move({x(time), low}).down(low + 5 * px);
      svg_.text({x(time), low + 18 * px},
                step < 1000 || time == 0 ? std::to_string(time) : std::to_string(time / 1000) + " k", "middle",
                colour::grey, 11 * px);
    }
    svg_.stroke(path, colour::grey, 10);
    svg_.text({20 * px, low + 18 * px}, "events");
  }

  void groups() {
    if (view_.group == 0) return;
    Path borders;
    for (std::size_t i = 1; i < ys_.size(); ++i)
      if (view_.rows[i] > 0 && view_.rows[i] % view_.group == 0)
        borders.move({20 * px, ys_[i] - row_height / 2}).across(right);
    svg_.stroke(borders, colour::border, 20);
  }

  void launches() {
    if (view_.launches.empty()) return;
    svg_.text({20 * px, top_ - 10 * px}, view_.launch_name);
    std::vector<Span> spans(view_.launches.size(), {timeline_.end, 0});
    for (Bar const& b : timeline_.bars) {
      Span& span = spans.at(b.launch);
      span       = {std::min(span.begin, b.span.begin), std::max(span.end, b.span.end)};
    }
    Path borders;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      std::string const& name = view_.launches[i];
      svg_.text({(x(spans[i].begin) + x(spans[i].end)) / 2, top_ - 10 * px},
                name.empty() ? std::to_string(timeline_.strides[i]) : name, "middle", colour::ink);
      if (i > 0) borders.move({x(spans[i].begin), top_ - 20 * px}).down(bottom_);
    }
    svg_.stroke(borders, colour::border, 20);
  }

  /// Spans of time; those that a reader could not tell apart become one.
  void boxes(std::vector<Span> const& spans, int middle, int height, std::string_view colour) {
    constexpr int least = 10;
    Path path;
    int begin = 0, end = -1;
    auto const finish = [&] {
      if (end >= 0) path.rectangle({begin, middle - height / 2}, std::max(end - begin, least), height);
    };
    for (Span const& span : spans) {
      if (end < 0 || x(span.begin) > std::max(end, begin + least) + least) {
        finish();
        begin = x(span.begin);
      }
      end = x(span.end);
    }
    finish();
    svg_.fill(path, colour);
  }

  void draw(Bar const& b) {
    std::vector<Span> waits, works, polls;
    for (Wait const& wait : b.waits) waits.push_back(wait.span);
    std::sort(waits.begin(), waits.end(), [](Span const& a, Span const& c) { return a.begin < c.begin; });
    for (Span turn : b.turns) {
      for (Span const& wait : waits) {
        Span const poll{std::max(turn.begin, wait.begin), std::min(turn.end, wait.end)};
        if (poll.begin >= poll.end) continue;
        if (turn.begin < poll.begin) works.push_back({turn.begin, poll.begin});
        polls.push_back(poll);
        turn.begin = poll.end;
      }
      if (turn.begin < turn.end) works.push_back(turn);
    }
    boxes({b.span}, y(b), bar_height, colour::light_blue);
    boxes(waits, y(b), bar_height, colour::light_orange);
    boxes(polls, y(b), bar_height / 3, colour::orange);
    boxes(works, y(b), bar_height, colour::blue);
  }

  /// From the launch before, which has ended.
  void flows() {
    Path path;
    for (Flow const& flow : timeline_.flows) {
      Bar const& to   = bar(flow.to_bar);
      auto const from = std::find_if(timeline_.bars.begin(), timeline_.bars.end(), [&](Bar const& b) {
        return b.launch + 1 == to.launch && b.block == flow.from_block;
      });
      if (from != timeline_.bars.end()) path.move({x(from->span.end), y(*from)}).line({x(to.span.begin), y(to)});
    }
    svg_.stroke(path, colour::grey, 10);
  }

  void arrows() {
    for (Bar const& b : timeline_.bars)
      for (Wait const& wait : b.waits)
        if (wait.ended_by >= 0 && is_shown(b)) {
          Publication const& by = publication(wait.ended_by);
          svg_.arrow({x(by.time), y(bar(by.bar))}, {x(wait.span.end), y(b) - bar_height / 2}, colour::ink);
          if (!is_shown(bar(by.bar))) draw(by);
        }
  }

  void publications() {
    for (Publication const& p : timeline_.publications)
      if (is_shown(bar(p.bar))) draw(p);
  }
  void draw(Publication const& p) { sign(p.state, {x(p.time), y(bar(p.bar))}); }
  void sign(TileState state, Point at) {
    if (state == TileState::aggregate)
      svg_.circle(at, 4 * px, colour::white, colour::ink);
    else
      svg_.diamond(at, 55, colour::ink, colour::white);
  }
  bool is_any(TileState state) const {
    return std::any_of(timeline_.publications.begin(), timeline_.publications.end(),
                       [&](Publication const& p) { return p.state == state && is_shown(bar(p.bar)); });
  }

  /// The signs that occur. Returns where the picture ends.
  int explain(int at) {
    Legend legend(svg_, {20 * px, at}, width - 12 * px);
    auto const box = [&](std::string_view colour, int height) {
      return [this, colour, height](Point p) {
        svg_.fill(Path().rectangle({p.x - 7 * px, p.y - height / 2}, 14 * px, height), colour);
      };
    };
    legend.entry("works", box(colour::blue, bar_height));
    legend.entry("could work, others have their turn", box(colour::light_blue, bar_height));
    if (!timeline_.publications.empty()) {
      legend.entry("waits", box(colour::light_orange, bar_height));
      legend.entry("polls in vain", box(colour::orange, bar_height / 3));
      if (is_any(TileState::aggregate))
        legend.entry("publishes an aggregate", [&](Point p) { sign(TileState::aggregate, p); });
      if (is_any(TileState::inclusive_prefix))
        legend.entry("publishes a prefix", [&](Point p) { sign(TileState::inclusive_prefix, p); });
      legend.entry("ends a wait", [&](Point p) { svg_.arrow({p.x - 7 * px, p.y}, {p.x + 7 * px, p.y}, colour::ink); });
      if (view_.group > 0) legend.entry("border of a group", box(colour::border, 2 * px));
    } else {
      legend.entry("is used by", box(colour::grey, px));
      legend.entry("end of a launch", [&](Point p) {
        svg_.stroke(Path().move({p.x, p.y - 6 * px}).down(p.y + 6 * px), colour::border, 20);
      });
    }
    return legend.bottom() + 18 * px;
  }

  std::string description() const {
    std::string text = view_.about + " Recorded from a run of the kernels; time counts what all threads together did.";
    for (Bar const& b : timeline_.bars)
      for (Wait const& wait : b.waits)
        if (wait.ended_by >= 0 && is_shown(b))
          text += " Tile " + std::to_string(b.tile) + " waited for tile " +
                  std::to_string(bar(publication(wait.ended_by).bar).tile) + ".";
    return text;
  }

  Timeline const& timeline_;
  TimelineView const& view_;
  int left_, top_, bottom_;
  std::vector<int> ys_;  // of the rows
  Svg svg_;
};

}  // namespace

std::string draw_timeline(Timeline const& timeline, TimelineView const& view) { return Picture(timeline, view).draw(); }

}  // namespace pictures
