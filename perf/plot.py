#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/plot.py RESULT.json FOLDER [PICTURE...]: draws a result of perf/run --json as PNG and SVG.

One picture for each operation and type with figures for at least three n: GB/s over n for each contestant, with the
copy. One for all of them, best-peer: the speed of KokkosScan over that of the best other contestant. And where there are
single algorithms, ladder-OPERATION-TYPE: their share of the speed of copy, a panel for each grid algorithm, a line for
each block algorithm. PICTUREs are the only ones wanted, as best-peer, or best-peer.svg for one of the two files.

Those that the README shows are kept in the folder of the result's name: perf/results/MACHINE/DATE.json is drawn to
perf/results/MACHINE/DATE.
"""
import collections
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

from result import COPY, OURS, algorithm, disturbed, load, place

# Colours that colour-blind readers can tell apart (most are Okabe's and Ito's); markers for those who print in grey.
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
# Single algorithms: the automatic block is a band, which may lie behind the one that it stands for; others are grey.
BLOCKS = {
    "automatic": dict(color="#D55E00", linewidth=6, alpha=0.3, solid_capstyle="round", zorder=2),
    "serial": dict(color="#332288", marker="X"),
    "kogge_stone_global": dict(color="#E69F00", marker="v"),
    "kogge_stone": dict(color="#999933", marker="P"),
    "kogge_stone_double_buffered": dict(color="#882255", marker="X"),
    "brent_kung": dict(color="#56B4E9", marker="s"),
    "blelloch": dict(color="#CC79A7", marker="D"),
    "three_phase": dict(color="#009E73", marker="^"),
    "warp_shuffle": dict(color="#0072B2", marker="o"),
}
GREYS = {
    COPY: dict(color="#000000", linestyle=(0, (5, 2)), linewidth=1.4),
    "cub::DeviceScan": dict(color="#404040", linewidth=1.4),
    "Kokkos::parallel_scan": dict(color="#808080", linewidth=1.4),
}
OTHERS = ["#E69F00", "#56B4E9", "#009E73", "#0072B2", "#CC79A7", "#999999"]

wanted, drawn = set(), set()  # names of pictures; all are wanted if none is


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
    for a, b in zip(places, places[1:]):  # what the lower edge has left of overlaps
        b[0] = max(b[0], a[0] + height)
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
        if wanted and not wanted & {name, f"{name}.{extension}"}:
            continue
        figure.savefig(path, dpi=150, bbox_inches="tight", metadata={"Date": None} if extension == "svg" else None)
        print(path)
        drawn.update((name, f"{name}.{extension}"))
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


def shares(rows):
    return [(row["n"], 100 * row["copy_ratio"]) for row in sorted(rows, key=lambda row: row["n"]) if row.get("copy_ratio")]


def draw_ladder(group, lines, folder, where):
    """One panel for each grid algorithm below the other, all with the same axes: pages are narrow on a phone."""
    operation, kind = group
    greys = {name: shares(lines[name]) for name in GREYS if name in lines}
    panels = collections.OrderedDict()
    for name, rows in lines.items():
        pair, points = algorithm(name), shares(rows)
        if pair and pair[0] != "automatic" and points:  # automatic is one of the others
            panels.setdefault(pair[0], collections.OrderedDict())[pair[1]] = points
    if not panels:
        return
    figure, grid = plt.subplots(len(panels), 1, figsize=(5.2, 0.6 + 2.7 * len(panels)), sharex=True, sharey=True,
                                squeeze=False)
    panel_of = dict(zip(panels, grid.flat))
    ends = {name: [] for name in panels}
    for name, axes in panel_of.items():
        looks = {**{grey: (GREYS[grey], points) for grey, points in greys.items()},
                 **{block: (BLOCKS.get(block, {}), points) for block, points in panels[name].items()}}
        if len(panels[name]) == 1:  # hillis_steele has no tiles, so there is no block algorithm to name
            looks[name] = STYLES[OURS], looks.pop(*panels[name])[1]
        for line, (look, points) in looks.items():
            look = {**dict(color="#000000", linewidth=1.7, markersize=4.5, zorder=3), **look}
            axes.plot(*zip(*points), **look)
            ends[name].append((line, *points[-1], look["color"], False))
        axes.set_title(name, loc="left", fontsize=11.5, fontweight="bold")
        axes.set_ylabel("% of copy", fontsize=10)
        axes.tick_params(labelbottom=True, labelsize=10)
        tidy(axes)
    everything = [point for points in [*greys.values(), *(p for blocks in panels.values() for p in blocks.values())]
                  for point in points]
    power_axis(grid[0][0], [n for n, _ in everything], most=8)
    grid[0][0].set_ylim(0, 1.04 * max(percent for _, percent in everything))
    grid[-1][0].set_xlabel("n, elements", fontsize=10)
    figure.tight_layout(h_pad=1.0)
    for name, axes in panel_of.items():
        label_ends(figure, axes, ends[name], size=10)
    top = grid[0][0].get_position().y1 + 0.42 / figure.get_figheight()
    left = grid[0][0].get_position().x0
    figure.text(left, top, where, fontsize=9, color="#444444", va="bottom")
    figure.text(left, top + (0.08 + 0.16 * len(where.split("\n"))) / figure.get_figheight(),
                f"Every algorithm: {operation}, {kind}", fontsize=13, fontweight="bold")
    save(figure, folder, f"ladder-{operation}-{kind}")


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


def main(source, folder, *pictures):
    machine, rows = load(source)
    os.makedirs(folder, exist_ok=True)
    matplotlib.rcParams["svg.hashsalt"] = "KokkosScan"  # the same input gives the same file
    matplotlib.rcParams["svg.fonttype"] = "none"

    groups = collections.OrderedDict()
    for row in rows:
        lines = groups.setdefault((row["operation"], row["type"]), collections.OrderedDict())
        lines.setdefault(row["implementation"], []).append(row)
    if not groups:
        sys.exit(f"{source} holds no measured row: nothing to draw")

    wanted.update(pictures)
    where = place(machine)
    marked = sum(map(disturbed, rows))
    if marked:
        where += f"\n{marked} of {len(rows)} figures were measured with interference (marked in the table)"
    for group, lines in groups.items():
        if max(len(rows) for rows in lines.values()) >= 3:
            contestants = {name: rows for name, rows in lines.items() if not algorithm(name)}
            if set(contestants) != {COPY}:
                draw_speeds(group, contestants, folder, where)
            draw_ladder(group, lines, folder, where)
    draw_ratios(groups, folder, where)
    if wanted - drawn:
        sys.exit(f"{source} gives no picture {', '.join(sorted(wanted - drawn))}; without names all that it gives are drawn")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
