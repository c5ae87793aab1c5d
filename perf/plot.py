#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/plot.py RESULT.json FOLDER [PICTURE...]: draws a result of perf/run --json as PNG and SVG.

One picture for each operation and type with figures for at least three n: GB/s over n for each contestant, with the
copy. One for all of them, best-peer: the speed of KokkosScan over that of the best other contestant. And where there are
single algorithms, ladder-OPERATION-TYPE: their share of the speed of copy, a panel for each grid algorithm, a line for
each block algorithm. Of a result of perf/run --ranks weak, strong and latency: times over the number of ranks, and what
the model says of up to 131072. PICTUREs are the only ones wanted, as best-peer, or best-peer.svg for one of the two files.

Those that the README shows are kept in the folder of the result's name: perf/results/MACHINE/DATE.json is drawn to
perf/results/MACHINE/DATE.
"""
import math
import os
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("perf/plot.py: matplotlib is not installed for this Python (Debian: apt-get install python3-matplotlib; "
             "elsewhere: pip install matplotlib)")

matplotlib.use("Agg")  # no display needed
matplotlib.rcParams.update({
    "svg.hashsalt": "KokkosScan",  # the same input gives the same file
    "svg.fonttype": "none", "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True, "axes.grid": True,
    "grid.color": "#DDDDDD", "grid.linewidth": 0.7})
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator

from plot_ranks import draw_scaling
from result import COPY, OURS, algorithm, disturbed, load, place

# Colours that colour-blind readers can tell apart (most are Okabe's and Ito's); markers for those who print in grey.
STYLES = {
    OURS: dict(color="#D55E00", marker="o", linewidth=2.8, markersize=6, zorder=5),
    COPY: dict(color="#000000", linestyle=(0, (5, 2)), linewidth=1.6, zorder=4),
    OURS + " forward": dict(color="#0072B2", marker="^"),
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
LADDER = dict(color="#000000", linewidth=1.7, markersize=4.5, zorder=3)
TYPE_COLOURS = {"i8": "#56B4E9", "i16": "#0072B2", "i32": "#009E73", "i64": "#000000", "f32": "#D55E00", "f64": "#CC79A7"}

wanted, drawn = set(), set()  # names of pictures; all are wanted if none is


def power_axis(axes, values, most=11):
    exponents = sorted({round(math.log2(n)) for n in values})
    shown = exponents[::-(-len(exponents) // most)]
    axes.set_xscale("log", base=2)
    axes.set_xticks([2.0**e for e in shown], [f"$2^{{{e}}}$" for e in shown])
    axes.minorticks_off()


def speed_axis(axes):
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(FixedLocator([m * 10.0**e for e in range(-4, 5) for m in (1, 2, 5)]))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()


def apart(wanted, gap, low):
    """Rising heights as near to those wanted as they can be with a gap between them, and none below low."""
    runs = []  # of labels that touch: how many, and the sum of where the lowest of all would be
    for position, height in enumerate(wanted):
        runs.append((1, height - position * gap))
        while len(runs) > 1 and runs[-2][1] / runs[-2][0] > runs[-1][1] / runs[-1][0]:
            runs[-2:] = [tuple(map(sum, zip(*runs[-2:])))]
    lowest = [max(low, total / count) for count, total in runs for _ in range(count)]
    return [height + position * gap for position, height in enumerate(lowest)]


def label_ends(figure, axes, ends, size=9.5):
    """Names each line at its right end, (name, x, y, colour, bold), moved apart where they would overlap."""
    figure.canvas.draw()
    to_pixels, to_data = axes.transData.transform, axes.transData.inverted().transform
    ends = sorted((to_pixels(end[1:3])[1], end) for end in ends)
    right = axes.get_xlim()[1]
    heights = apart([height for height, _ in ends], 1.25 * size * figure.dpi / 72, axes.get_window_extent().y0)
    for height, (_, (name, x, y, colour, bold)) in zip(heights, ends):
        axes.annotate(name, xy=(x, y), xytext=(right * 1.25, to_data((0, height))[1]), color=colour, va="center",
                      fontsize=size, fontweight="bold" if bold else "normal", annotation_clip=False,
                      arrowprops=dict(arrowstyle="-", color=colour, linewidth=0.6, alpha=0.6, relpos=(0, 0.5), shrinkA=0, shrinkB=2))


def is_wanted(name, extensions=("png", "svg")):
    return not wanted or not wanted.isdisjoint({name, *(f"{name}.{extension}" for extension in extensions)})


def save(figure, folder, name):
    for extension in ("png", "svg"):
        path = os.path.join(folder, f"{name}.{extension}")
        if not is_wanted(name, (extension,)):
            continue
        figure.savefig(path, dpi=150, bbox_inches="tight", metadata={"Date": None} if extension == "svg" else None)
        print(path)
        drawn.update((name, f"{name}.{extension}"))
    plt.close(figure)


def draw_speeds(group, lines, folder, where):
    operation, kind = group
    if not is_wanted(f"{operation}-{kind}"):
        return
    figure, axes = plt.subplots(figsize=(9, 5.4))
    ends = []
    for name, rows in lines.items():
        ns = [row["n"] for row in rows]
        speeds = [row["bytes_per_second"] * 1e-9 for row in rows]
        look = {**dict(color="#E69F00", linewidth=1.3, markersize=4.5, marker="*"), **STYLES.get(name, {})}
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
    save(figure, folder, f"{operation}-{kind}")


def shares(rows):
    return [(row["n"], 100 * row["copy_ratio"]) for row in sorted(rows, key=lambda row: row["n"]) if row.get("copy_ratio")]


def draw_panels(name, title, where, panels, folder, columns, size, y_axis):
    """For each name of a panel its lines, (name, points, look); all panels have the same axes."""
    if not is_wanted(name):
        return
    rows = -(-len(panels) // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(2.1 + 3.1 * columns, 0.6 + 2.7 * rows), sharex=True, sharey=True,
                                squeeze=False)
    for axes in grid.flat[len(panels):]:
        axes.set_visible(False)
    for axes, (panel, lines) in zip(grid.flat, panels.items()):
        for _, points, look in lines:
            axes.plot(*zip(*points), **look)
        axes.set_title(panel, loc="left", fontsize=size + 1.5, fontweight="bold")
        axes.tick_params(labelbottom=True, labelsize=size)
        y_axis(axes)
    power_axis(grid[0][0], [n for lines in panels.values() for _, points, _ in lines for n, _ in points], most=8)
    grid[-1][0].set_xlabel("n, elements", fontsize=size)
    figure.tight_layout(w_pad=3.2, h_pad=1.0)
    for axes, lines in zip(grid.flat, panels.values()):
        label_ends(figure, axes, [(line, *points[-1], look["color"], False) for line, points, look in lines], size)
    left, top, inch = grid[0][0].get_position().x0, grid[0][0].get_position().y1, 1 / figure.get_figheight()
    figure.text(left, top + 0.42 * inch, where, fontsize=9, color="#444444", va="bottom")
    figure.text(left, top + (0.5 + 0.16 * len(where.split("\n"))) * inch, title, fontsize=13, fontweight="bold")
    save(figure, folder, name)


def draw_ladder(group, lines, folder, where):
    """One panel for each grid algorithm below the other: pages are narrow on a phone."""
    points_of = {name: [(row["n"], 100 * row["copy_ratio"]) for row in rows if row.get("copy_ratio")]
                 for name, rows in lines.items()}
    panels = {}
    for name, points in points_of.items():
        grid, block = algorithm(name) or ("automatic", "")
        if grid != "automatic" and points:  # automatic is one of the others
            panels.setdefault(grid, []).append((block, points, {**LADDER, **BLOCKS.get(block, {})}))
    if not panels:
        return
    greys = [(name, points_of[name], {**LADDER, **look}) for name, look in GREYS.items() if points_of.get(name)]
    for grid, blocks in panels.items():
        if len(blocks) == 1:  # hillis_steele has no tiles, so there is no block algorithm to name
            blocks[0] = grid, blocks[0][1], {**LADDER, **STYLES[OURS]}
        blocks[:0] = greys
    highest = max(percent for blocks in panels.values() for _, points, _ in blocks for _, percent in points)

    def y_axis(axes):
        axes.set_ylabel("% of copy", fontsize=10)
        axes.set_ylim(0, 1.04 * highest)

    draw_panels(f"ladder-{'-'.join(group)}", f"Every algorithm: {', '.join(group)}", where, panels, folder, 1, 10, y_axis)


def draw_ratios(groups, folder, where):
    """One panel for each operation."""
    panels = {}
    for (operation, kind), lines in groups.items():
        best = {}
        for name, rows in lines.items():
            if name != COPY and not name.startswith(OURS):
                for row in rows:
                    best[row["n"]] = min(row["median_seconds"], best.get(row["n"], math.inf))
        points = sorted((row["n"], best[row["n"]] / row["median_seconds"]) for row in lines.get(OURS, []) if row["n"] in best)
        if len(points) >= 2:
            look = dict(color=TYPE_COLOURS.get(kind, "#D55E00"), marker="o", linewidth=1.8, markersize=3)
            panels.setdefault(operation, []).append((kind, points, look))

    def y_axis(axes):
        axes.axhline(1, color="#000000", linewidth=1, linestyle=(0, (5, 2)))
        speed_axis(axes)

    if panels:
        draw_panels("best-peer", "KokkosScan: times as fast as the best other contestant, over n", where, panels, folder,
                    min(4, len(panels)), 8.5, y_axis)


def main(source, folder, *pictures):
    machine, rows = load(source)
    os.makedirs(folder, exist_ok=True)
    wanted.update(pictures)
    if "ranks" in machine:
        draw_scaling(source, folder, place(machine), save)
        refuse_others(source)
        return
    groups = {(row["operation"], row["type"]): {} for row in rows}
    for row in sorted(rows, key=lambda row: row["n"]):
        groups[row["operation"], row["type"]].setdefault(row["implementation"], []).append(row)
    if not groups:
        sys.exit(f"{source} holds no measured row: nothing to draw")

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
    refuse_others(source)


def refuse_others(source):
    if wanted - drawn:
        sys.exit(f"{source} gives no picture {', '.join(sorted(wanted - drawn))}; without names all that it gives are drawn")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
