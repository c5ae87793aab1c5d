#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/readme_table.py RESULT.json    writes the table of the README from a result of perf/run --json
perf/readme_table.py --check           exit status 1 unless the README's table is what its result gives

The table stands between <!-- table: begin --> and <!-- table: end --> in README.md, and names its result in its last line.
"""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
README = os.path.join(ROOT, "README.md")
MARKED = re.compile(r"(<!-- table: begin -->\n)(.*?)(<!-- table: end -->)", re.S)
SOURCE = re.compile(r"\[(perf/results/[^]]+\.json)\]")

# Operations and types in the order of the table; of each the largest n there is, and what fits the caches.
SHOWN = [
    ("inclusive_sum", "f32", "sum of floats"),
    ("inclusive_sum", "f64", "sum of doubles"),
    ("inclusive_sum", "i32", "sum of 32-bit integers"),
    ("inclusive_max", "f32", "maximum of floats"),
    ("inclusive_lambda", "f32", "a lambda on floats"),
    ("transform_exclusive", "f32", "transform and exclusive sum, floats"),
    ("offsets", "i32_i64", "counts to offsets, 32 to 64 bits"),
]
CACHED = 2**16
COLUMNS = ["copy", "KokkosScan", "serial loop", "std", "std::execution::par", "oneTBB", "GNU parallel", "Kokkos::parallel_scan",
           "Kokkos::Experimental", "cub::DeviceScan", "Thrust"]


def size(n):
    return f"2<sup>{n.bit_length() - 1}</sup>" if n & (n - 1) == 0 else str(n)


def speed(row):
    value = row["bytes_per_second"] * 1e-9
    return f"{value:.0f}" if value >= 99.5 else f"{value:.1f}"


def lines_for(rows, operation, kind, title, columns):
    mine = [row for row in rows if row["operation"] == operation and row["type"] == kind]
    ns = sorted({row["n"] for row in mine})
    for n in sorted({CACHED, ns[-1]} & set(ns)) if ns else []:
        cells = {row["implementation"]: row for row in mine if row["n"] == n}
        if "KokkosScan" not in cells:
            continue
        ours = cells["KokkosScan"]
        peers = [row["median_seconds"] for name, row in cells.items()
                 if name != "copy" and not name.startswith("KokkosScan")]
        best = f"{min(peers) / ours['median_seconds']:.1f}" if peers else ""
        shown = [f"**{speed(cells[name])}**" if name == "KokkosScan" else speed(cells[name]) if name in cells else "–"
                 for name in columns]
        yield "| " + " | ".join([title, size(n), *shown, best]) + " |"


def table(result, source):
    machine = result["machine"]
    rows = [row for row in result["rows"] if row["status"] == "measured" and row["bytes"] > 0]
    here = {row["implementation"] for row in rows}
    columns = [name for name in COLUMNS if name in here]
    heads = ["GB/s", "n", *(f"`{name}`" if "::" in name else name for name in columns), "× best other"]
    out = ["| " + " | ".join(heads) + " |", "|---|" + "---:|" * (len(heads) - 1)]
    for operation, kind, title in SHOWN:
        out += lines_for(rows, operation, kind, title, columns)
    if len(out) == 2:
        sys.exit(f"{source} has no figures that the table shows: run perf/run without --filter")
    version = machine["compiler"].split("(")[0].strip()
    out += ["", f"{machine['cpu'].strip()}, {machine['threads']} threads, {version}, "
            f"Kokkos {machine['Kokkos']} ({machine['Kokkos spaces'].split(',')[0]}), {machine['date'][:10]}; GB/s count "
            f"what is read and written, medians of `./perf/run`; all figures: [{source}]({source}).", ""]
    return "\n".join(out)


def main(arguments):
    with open(README, encoding="utf-8") as file:
        readme = file.read()
    found = MARKED.search(readme)
    if not found:
        sys.exit("README.md has no place for the table; put these two lines where it shall stand:\n"
                 "<!-- table: begin -->\n<!-- table: end -->")
    check = arguments == ["--check"]
    if check:
        named = SOURCE.search(found[2])
        if not named:
            sys.exit("The table of README.md names no result; write it with perf/readme_table.py perf/results/...json")
        source = named[1]
    else:
        source = os.path.relpath(os.path.abspath(arguments[0]), ROOT)
        if not source.startswith("perf/results/"):
            sys.exit(f"{source}: the README's figures must be kept; copy the file to perf/results/MACHINE/DATE.json first")
    with open(os.path.join(ROOT, source), encoding="utf-8") as file:
        result = json.load(file)
    new = readme[:found.start()] + found[1] + table(result, source) + found[3] + readme[found.end():]
    if new == readme:
        print(f"The table of README.md is that of {source}.")
    elif check:
        sys.exit(f"The table of README.md is not what {source} gives; write it with perf/readme_table.py {source}")
    else:
        with open(README, "w", encoding="utf-8") as file:
            file.write(new)
        print(f"README.md now has the table of {source}.")


if __name__ == "__main__":
    if len(sys.argv) != 2 or (sys.argv[1].startswith("-") and sys.argv[1] != "--check"):
        sys.exit(__doc__)
    main(sys.argv[1:])
