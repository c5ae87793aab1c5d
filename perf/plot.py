#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/plot.py RESULT.json FOLDER: draws a result of perf/run --json as PNG and SVG.

One picture for each operation and type with figures for at least three n: GB/s over n for each contestant, with the
copy. And one for all of them: the speed of KokkosScan over that of the best other contestant.
"""
import collections
import json
import math
import os
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("perf/plot.py: matplotlib is not installed for this Python (Debian: apt-get install python3-matplotlib; "
             "elsewhere: pip install matplotlib)")

matplotlib.use("Agg")  # no display needed
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

# Colours that colour-blind readers can tell apart (most are Okabe's and Ito's); markers for those who print in grey.
OURS = "KokkosScan"
COPY = "copy"
STYLES = {
    OURS: dict(color="#D55E00", marker="o", linewidth=2.8, markersize=6, zorder=5),
    COPY: dict(color="#000000", linestyle=(0, (5, 2)), linewidth=1.6, zorder=4),
    "serial loop": dict(color="#A0A0A0", marker="."),
    "std": dict(color="#606060", marker="x"),
    "std::execution::par": dict(color="#882255", marker="v"),
    "oneTBB": dict(color="#CC79A7", marker="s"),
    "GNU parallel": dict(color="#009E73", marker="D"),
    "Kokkos::parallel_scan": dict(color="#0072B2", marker="^"),
    "Kokkos::Experimental": dict(color="#56B4E9", marker="P"),
    "cub::DeviceScan": dict(color="#009E73", marker="D"),
    "Thrust": dict(color="#CC79A7", marker="s"),
}
OTHERS = ["#E69F00", "#56B4E9", "#009E73", "#0072B2", "#CC79A7", "#999999"]


def style(name, position):
    basic = dict(linewidth=1.3, markersize=4.5)
    return {**basic, **STYLES.get(name, dict(color=OTHERS[position % len(OTHERS)], marker="*"))}


def power_axis(axes, values, most=11):
    exponents = sorted({round(math.log2(n)) for n in values})
    step = -(-len(exponents) // most)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator([2.0**e for e in exponents[::step]]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"$2^{{{round(math.log2(n))}}}$"))
    axes.xaxis.set_minor_locator(NullLocator())


def speed_axis(axes):
    axes.set_yscale("log")
    ticks = [m * 10.0**e for e in range(-4, 5) for m in (1, 2, 5)]
    axes.yaxis.set_major_locator(FixedLocator(ticks))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_minor_locator(NullLocator())


def label_ends(figure, axes, ends, size=9.5):
    """Names each line at its right end, (name, x, y, colour, bold), moved apart where they would overlap."""
    figure.canvas.draw()
    to_pixels, to_data = axes.transData.transform, axes.transData.inverted().transform
    height = 1.25 * size * figure.dpi / 72
    low, high = axes.get_window_extent().y0, axes.get_window_extent().y1
    places = sorted(([to_pixels((x, y))[1], name, x, y, colour, bold] for name, x, y, colour, bold in ends))
    wanted = [place[0] for place in places]
    for _ in range(200):  # push neighbours apart, a little at a time
        for a, b in zip(places, places[1:]):
            overlap = height - (b[0] - a[0])
            if overlap > 0:
                a[0] -= overlap / 2
                b[0] += overlap / 2
        for place, want in zip(places, wanted):
            place[0] += 0.02 * (want - place[0])
            place[0] = min(max(place[0], low), high)
    right = axes.get_xlim()[1]
    for pixel, name, x, y, colour, bold in places:
        target = to_data((0, pixel))[1]
        axes.annotate(name, xy=(x, y), xytext=(right * 1.25, target), color=colour, va="center", fontsize=size,
                      fontweight="bold" if bold else "normal", annotation_clip=False,
                      arrowprops=dict(arrowstyle="-", color=colour, linewidth=0.6, alpha=0.6, relpos=(0, 0.5), shrinkA=0, shrinkB=2))


def tidy(axes):
    axes.grid(True, which="major", color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def save(figure, folder, name):
    for extension in ("png", "svg"):
        path = os.path.join(folder, f"{name}.{extension}")
        figure.savefig(path, dpi=150, bbox_inches="tight", metadata={"Date": None} if extension == "svg" else None)
        print(path)
    plt.close(figure)


def draw_speeds(group, lines, folder, where):
    operation, kind = group
    figure, axes = plt.subplots(figsize=(9, 5.4))
    ends = []
    for position, (name, rows) in enumerate(lines.items()):
        rows.sort(key=lambda row: row["n"])
        ns = [row["n"] for row in rows]
        speeds = [row["bytes_per_second"] * 1e-9 for row in rows]
        look = style(name, position)
        axes.plot(ns, speeds, **look)
        if name in (OURS, COPY):  # the spread of all of them would hide the lines
            axes.fill_between(ns, [row["bytes"] / row["quartile_3_seconds"] * 1e-9 for row in rows],
                              [row["bytes"] / row["quartile_1_seconds"] * 1e-9 for row in rows],
                              color=look["color"], alpha=0.15, linewidth=0)
        ends.append((name, ns[-1], speeds[-1], look["color"], name == OURS))
    power_axis(axes, [row["n"] for rows in lines.values() for row in rows])
    speed_axis(axes)
    axes.set_xlabel("n, elements")
    axes.set_ylabel("GB/s, read and written")
    label_ends(figure, axes, ends)
    axes.set_title(f"{operation}, {kind}", loc="left", fontsize=13, fontweight="bold", pad=14 + 12 * len(where.split("\n")))
    axes.text(0, 1.025, where, transform=axes.transAxes, fontsize=9, color="#444444", va="bottom")
    tidy(axes)
    save(figure, folder, f"{operation}-{kind}")


TYPE_COLOURS = {"i8": "#56B4E9", "i16": "#0072B2", "i32": "#009E73", "i64": "#000000", "f32": "#D55E00", "f64": "#CC79A7"}


def ratios_to_best_peer(lines):
    best = {}
    for name, rows in lines.items():
        if name != COPY and not name.startswith(OURS):
            for row in rows:
                best[row["n"]] = min(row["median_seconds"], best.get(row["n"], math.inf))
    return sorted((row["n"], best[row["n"]] / row["median_seconds"]) for row in lines.get(OURS, []) if row["n"] in best)


def draw_ratios(groups, folder, where):
    """One panel for each operation, all with the same axes."""
    panels = collections.OrderedDict()
    for (operation, kind), lines in groups.items():
        points = ratios_to_best_peer(lines)
        if len(points) >= 2:
            panels.setdefault(operation, []).append((kind, points))
    if not panels:
        return
    columns = min(4, len(panels))
    rows = -(-len(panels) // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(1 + 3.1 * columns, 0.8 + 2.8 * rows), sharex=True, sharey=True,
                                squeeze=False)
    everything = [point for lines in panels.values() for _, points in lines for point in points]
    for axes in grid.flat[len(panels):]:
        axes.set_visible(False)
    for axes, (operation, lines) in zip(grid.flat, panels.items()):
        for kind, points in lines:
            axes.plot(*zip(*points), color=TYPE_COLOURS.get(kind, "#D55E00"), marker="o", linewidth=1.8, markersize=3)
        axes.axhline(1, color="#000000", linewidth=1, linestyle=(0, (5, 2)))
        power_axis(axes, [n for n, _ in everything], most=6)
        speed_axis(axes)
        tidy(axes)
        axes.set_title(operation, loc="left", fontsize=10.5, fontweight="bold")
        axes.tick_params(labelbottom=True, labelsize=8.5)
    figure.tight_layout(w_pad=3.2, h_pad=1.2)
    for axes, lines in zip(grid.flat, panels.values()):
        label_ends(figure, axes, [(kind, *points[-1], TYPE_COLOURS.get(kind, "#D55E00"), False) for kind, points in lines],
                   size=8.5)
    top = figure.subplotpars.top + 0.42 / figure.get_figheight()
    left = grid[0][0].get_position().x0
    figure.text(left, top + 0.34 / figure.get_figheight(), "KokkosScan: times as fast as the best other contestant, over n",
                fontsize=13, fontweight="bold")
    figure.text(left, top, where, fontsize=9, color="#444444", va="bottom")
    save(figure, folder, "best-peer")


def main(source, folder):
    with open(source, encoding="utf-8") as file:
        result = json.load(file)
    os.makedirs(folder, exist_ok=True)
    matplotlib.rcParams["svg.hashsalt"] = "KokkosScan"  # the same input gives the same file
    matplotlib.rcParams["svg.fonttype"] = "none"

    groups = collections.OrderedDict()
    for row in result["rows"]:
        if row["status"] == "measured" and row["bytes"] > 0:  # an empty kernel moves nothing
            lines = groups.setdefault((row["operation"], row["type"]), collections.OrderedDict())
            lines.setdefault(row["implementation"], []).append(row)
    if not groups:
        sys.exit(f"{source} holds no measured row: nothing to draw")

    machine = result["machine"]
    where = (f"{machine['cpu'].strip()}, {machine['threads']} threads, Kokkos {machine['Kokkos']} "
             f"({machine['Kokkos spaces'].split(',')[0]}), {machine['compiler']}, {machine['date'][:10]}")
    rows = [row for lines in groups.values() for rows in lines.values() for row in rows]
    marked = sum(row["unsteady"] or row["copy_drifts"] or row["others_at_work"] for row in rows)
    if marked:
        where += f"\n{marked} of {len(rows)} figures were measured with interference (marked in the table)"
    for group, lines in groups.items():
        if max(len(rows) for rows in lines.values()) >= 3:
            draw_speeds(group, lines, folder, where)
    draw_ratios(groups, folder, where)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
