# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What plot.py draws of a result of perf/run --ranks: for weak and strong scaling a panel for each operation and type, for
one element a rank another picture. Time over the number of ranks; measured with marks, the model's as a line."""
import json

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator

OURS = "KokkosScan::mpi"
SHOWN = {
    OURS: dict(color="#D55E00", marker="o", linewidth=1.8, markersize=5, zorder=5),
    "KokkosScan alone": dict(color="#0072B2", marker="^", linewidth=1.2, markersize=4),
    "by hand": dict(color="#009E73", marker="s", linewidth=1.2, markersize=4),
    "copy": dict(color="#000000", linestyle=(0, (5, 2)), linewidth=1.2),
    "MPI_Exscan": dict(color="#CC79A7", marker="D", linewidth=1.4, markersize=4),
}
MODEL = dict(color="#D55E00", linewidth=5, alpha=0.25, solid_capstyle="round", zorder=2)
TITLES = {
    "weak": "Weak scaling: as many elements on each rank",
    "strong": "Strong scaling: as many elements in all",
    "latency": "One element on each rank",
}


def time_of(seconds, _):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:g} {unit}"
    return f"{seconds * 1e9:g} ns"


def draw_panel(axes, title, rows, predictions):
    for name, look in SHOWN.items():
        points = sorted((row["ranks"], row) for row in rows if row["implementation"] == name)
        if points:
            ranks = [count for count, _ in points]
            axes.plot(ranks, [row["median_seconds"] for _, row in points], label=name, **look)
            axes.fill_between(ranks, [row["quartile_1_seconds"] for _, row in points],
                              [row["quartile_3_seconds"] for _, row in points], color=look["color"], alpha=0.15, linewidth=0)
    # Where it was measured, the model knows how fast so many ranks copy at the same time.
    measured = {row["ranks"]: row["predicted_seconds"] for row in rows if row["implementation"] == OURS}
    beyond = {one["ranks"]: one["seconds"] for one in predictions}
    points = sorted({**beyond, **measured}.items())
    if points:
        axes.plot(*zip(*points), label="model", **MODEL)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    # At least a factor of four, so that what differs by a tenth does not look as if it did by ten, and has labels.
    low, high = axes.get_ylim()
    wider = max(1, 4 * low / high) ** 0.5
    axes.set_ylim(low / wider, high * wider)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(time_of))
    axes.yaxis.set_minor_formatter("")
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
    axes.set_xlabel("ranks", fontsize=9)
    axes.tick_params(labelsize=8.5)


def draw_scaling(source, folder, where, save):
    with open(source, encoding="utf-8") as file:
        result = json.load(file)
    rows = [row for row in result["rows"] if row["status"] == "measured"]
    where += (f"\n{result['machine']['ranks']} ranks, {result['machine']['ranks on a node']} on a node, "
              f"{result['machine']['MPI']}")
    for scaling, title in TITLES.items():
        of_scaling = [row for row in rows if row["scaling"] == scaling]
        panels = list(dict.fromkeys((row["operation"], row["type"], row["n"]) for row in of_scaling))
        if not panels:
            continue
        sizes = len({n for _, _, n in panels})
        columns = min(sizes if sizes > 1 else 3, 4, len(panels))
        lines = -(-len(panels) // columns)
        figure, grid = plt.subplots(lines, columns, figsize=(1.2 + 3.9 * columns, 0.9 + 2.8 * lines), squeeze=False)
        for axes in list(grid.flat)[len(panels):]:
            axes.set_visible(False)
        for axes, panel in zip(grid.flat, panels):
            operation, kind, n = panel

            def is_of_panel(one, panel=panel):
                return one["scaling"] == scaling and (one["operation"], one["type"], one["n"]) == panel

            draw_panel(axes, f"{operation}, {kind}" + (f", n = {n}" if n > 1 else ""), list(filter(is_of_panel, rows)),
                       list(filter(is_of_panel, result["predictions"])))
        figure.tight_layout(w_pad=2.0, h_pad=1.2)
        handles, labels = grid[0][0].get_legend_handles_labels()
        inch = 1 / figure.get_figheight()
        figure.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=len(labels), fontsize=9,
                      frameon=False)
        left = grid[0][0].get_position().x0
        figure.text(left, 1 + 0.05 * inch, where, fontsize=9, color="#444444", va="bottom")
        figure.text(left, 1 + 0.5 * inch, title, fontsize=13, fontweight="bold", va="bottom")
        save(figure, folder, scaling)
