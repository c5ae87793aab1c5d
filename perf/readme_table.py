#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/readme_table.py RESULT.json                   writes the tables of README.md and docs/algorithms.md
                                                   that a result of perf/run --json has figures for
perf/readme_table.py --table TABLE RESULT.json     writes that table alone
perf/readme_table.py --check                       exit status 1 unless each table is what its result gives

A table stands between <!-- table MACHINE/KIND: begin --> and <!-- table MACHINE/KIND: end -->, and names its result, a
perf/results/MACHINE/DATE.json, in its last line. Nothing between the two is a table not yet written.
KIND is contestants, KokkosScan beside what else there is, or ladder, every grid algorithm with every block algorithm.
A ladder shows its picture, too, if that is kept in the folder of the result's name:

    perf/plot.py perf/results/MACHINE/DATE.json perf/results/MACHINE/DATE ladder-inclusive_sum-i32.svg
"""
import argparse
import os
import re
import sys

from result import algorithm, disturbed, load, place

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENTS = ["README.md", "docs/algorithms.md"]
MARK = re.compile(r"<!-- table.*?-->")
MARKED = re.compile(r"(<!-- table (\S+): begin -->\n)(.*?)(<!-- table \2: end -->)", re.S)
SOURCE = re.compile(r"\[(perf/results/[^]]+\.json)\]")

# Operations and types in the order of the table.
SHOWN = [
    ("inclusive_sum", "f32", "sum of floats"),
    ("inclusive_sum@graph", "f32", "sum of floats, in a graph"),
    ("inclusive_sum", "f64", "sum of doubles"),
    ("inclusive_sum", "i32", "sum of 32-bit integers"),
    ("offsets", "i32_i64", "counts to offsets, 32 to 64 bits"),
]
COLUMNS = ["copy", "KokkosScan", "serial loop", "std", "std::execution::par", "oneTBB", "GNU parallel", "cub::DeviceScan",
           "Thrust", "Kokkos::parallel_scan", "Kokkos::Experimental"]
# The n shown, of those there are, beside the largest: on a host one that fits the caches will do; on a GPU most n are
# bound by something else, by the launch, by latency, by the second-level cache, by memory.
SIZES_ON_HOST = {2**16}
SIZES_ON_GPU = {2**10, 2**20, 2**28}
SIZES_OF_LADDER = {2**10, 2**14, 2**18, 2**22, 2**24, 2**28}
# Beside the n of rows that others disturbed.
STAR = "&nbsp;\\*"


# ---------------------------------------------------------------- words and figures

def size(n):
    return f"2<sup>{n.bit_length() - 1}</sup>" if n & (n - 1) == 0 else str(n)


def code(name):
    return f"`{name}`" if "::" in name else name


def speed(row):
    value = row["bytes_per_second"] * 1e-9
    return f"{value:.0f}" if value >= 99.5 else f"{value:.1f}"


def line(cells):
    return "| " + " | ".join(cells) + " |"


def head(cells, left=1):
    return [line(cells), "|" + "---|" * left + "---:|" * (len(cells) - left)]


def chosen(ns, wanted):
    return sorted(n for n in ns if n in wanted or n == max(ns))


def last_line(machine, meaning, source):
    return f"{place(machine)}; {meaning}; all figures: [{source}]({source})."


# ---------------------------------------------------------------- contestants

def contestants(machine, rows, source):
    on_gpu = "gpu" in machine
    columns = [name for name in COLUMNS if any(row["implementation"] == name for row in rows)]
    body = []
    for operation, kind, title in SHOWN:
        mine = [row for row in rows if row["operation"] == operation and row["type"] == kind]
        for n in chosen({row["n"] for row in mine}, SIZES_ON_GPU if on_gpu else SIZES_ON_HOST):
            cells = {row["implementation"]: row for row in mine if row["n"] == n}
            ours = cells.pop("KokkosScan", None)
            if ours:
                peers = [row["median_seconds"] for name, row in cells.items()
                         if name != "copy" and not name.startswith("KokkosScan")]
                # On GPUs the best are too close to each other for one digit.
                best = f"{min(peers) / ours['median_seconds']:.{2 if on_gpu else 1}f}" if peers else ""
                shown = [f"**{speed(ours)}**" if name == "KokkosScan" else speed(cells[name]) if name in cells else "–"
                         for name in columns]
                body.append(line([title, size(n) + (STAR if disturbed(ours) else ""), *shown, best]))
    if not body:
        return []
    meaning = "GB/s count what is read and written, medians of `./perf/run`"
    if any(STAR in text for text in body):
        meaning += f"; {STAR}: unsteady, since others used the machine or the speed of a copy drifted, and perhaps some way off"
    return [*head(["GB/s", "n", *map(code, columns), "× best other"]), *body, "", last_line(machine, meaning, source)]


# ---------------------------------------------------------------- ladder

def share(row):
    """Percent of the copy, with no more digits than another run would give again."""
    value = 100 * row["copy_ratio"]
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}"


def ladder(machine, rows, source):
    rows = [row for row in rows if row["operation"] == "inclusive_sum" and row.get("copy_ratio")
            and not row["implementation"].startswith("KokkosScan/automatic")]  # one of the others
    kinds = [row["type"] for row in rows if row["implementation"].startswith("KokkosScan/")]
    if not kinds:
        return []
    kind = "i32" if "i32" in kinds else kinds[0]
    title = next((title for operation, of, title in SHOWN if (operation, of) == ("inclusive_sum", kind)), f"sum, {kind}")
    groups = {}  # of each grid: of each block: the rows by n
    for row in rows:
        if row["type"] == kind:
            grid, block = algorithm(row["implementation"]) or ("", row["implementation"])
            groups.setdefault(grid, {}).setdefault(block, {})[row["n"]] = row
    peers = groups.pop("", {})
    ns = chosen({n for blocks in groups.values() for cells in blocks.values() for n in cells}, SIZES_OF_LADDER)

    def cells(by_n, show=share, best=None):
        texts = [show(by_n[n]) if n in by_n else "–" for n in ns]
        return texts[:-1] + [f"**{texts[-1]}**" if texts[-1] == best else texts[-1]]

    out = head([f"% of copy, {title}", "block", *map(size, ns)], left=2)
    for name in COLUMNS:
        if name in peers:
            title = "copy, GB/s" if name == "copy" else f"{name}, automatic" if name == "KokkosScan" else code(name)
            out.append(line([title, "", *cells(peers[name], speed if name == "copy" else share)]))
    for grid, blocks in groups.items():
        at_last = [by_n[ns[-1]] for by_n in blocks.values() if ns[-1] in by_n]
        best = share(max(at_last, key=lambda row: row["copy_ratio"])) if len(at_last) > 1 else None
        for position, (block, by_n) in enumerate(blocks.items()):
            # hillis_steele has no tiles
            out.append(line([f"**`{grid}`**" if position == 0 else "", f"`{block}`" if len(blocks) > 1 else "",
                             *cells(by_n, best=best)]))
    picture = f"{source.removesuffix('.json')}/ladder-inclusive_sum-{kind}.svg"
    if os.path.exists(os.path.join(ROOT, picture)):
        out += ["", f"![Share of the speed of copy over n, a panel for each grid algorithm, a line for each block "
                f"algorithm]({picture})"]
    return [*out, "", last_line(machine, "% of the speed of a copy of the same bytes, medians of `./perf/run`; bold: "
                                         f"the fastest block of each grid at {size(ns[-1])}", source)]


# ---------------------------------------------------------------- documents

# Each with what perf/run must measure for it.
KINDS = {
    "contestants": (contestants, "./perf/run --json FILE"),
    "ladder": (ladder, f"./perf/run --filter 'inclusive_sum/i32/({'|'.join(map(str, sorted(SIZES_OF_LADDER)))})/"
                       "(KokkosScan/)?' --json FILE"),
}


def table(kind, source, document):
    """The text of a table, empty if the result has no figures for it. Links are those of the document's folder."""
    lines = KINDS[kind][0](*load(os.path.join(ROOT, source)), source) if source else []
    return "".join(text.replace("](perf/", f"]({'../' * document.count('/')}perf/") + "\n" for text in lines)


def main(check, wanted, result):
    given = os.path.relpath(os.path.realpath(result), os.path.realpath(ROOT)) if result else ""
    if given and not re.fullmatch(r"perf/results/[^/]+/[^/]+\.json", given):
        sys.exit(f"{given}: figures that are shown must be kept; copy the file to perf/results/MACHINE/DATE.json first")
    served, names, wrong = 0, [], []
    for document in DOCUMENTS:
        path = os.path.join(ROOT, document)
        with open(path, encoding="utf-8") as file:
            text = new = file.read()
        places = MARKED.findall(text)
        if len(MARK.findall(text)) != 2 * len(places) or not all(name.partition("/")[2] in KINDS for _, name, _, _ in places):
            sys.exit(f"{document} should have places for tables, each between two lines like these, and has "
                     f"{' '.join(MARK.findall(text))}:\n"
                     "<!-- table xeon/contestants: begin -->\n<!-- table xeon/contestants: end -->\n"
                     f"before the slash the folder in perf/results, behind it {' or '.join(KINDS)}.")
        for begin, name, old, end in places:
            names.append(name)
            folder, kind = name.split("/")
            if wanted not in (None, name) or given and given.split("/")[2] != folder:
                continue
            source = given or "".join(SOURCE.findall(old)[-1:])
            table_now = table(kind, source, document)
            served += bool(table_now)
            if not table_now:
                missing = f"The table {name} of {document} has no figures {f'in {source}' if source else 'yet'}; they come from\n"
                (wrong.append if wanted or check and old.strip() else print)(missing + KINDS[kind][1])
            elif table_now == old:
                print(f"The table {name} of {document} is that of {source}.")
            elif check:
                wrong.append(f"The table {name} of {document} is not what {source} gives; write it with\n"
                             f"perf/readme_table.py --table {name} {source}")
            else:
                new = new.replace(begin + old + end, begin + table_now + end)
                print(f"{document} now has the table {name} of {source}.")
        if new != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
    if wrong or given and not served:
        sys.exit("\n".join(wrong) or f"{given} serves no table {wanted or ''}; there are {', '.join(names)}, named by the folder "
                 "in perf/results and what they show")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table")
    parser.add_argument("result", nargs="?")
    options = parser.parse_args()
    if options.check == bool(options.result):
        sys.exit(__doc__)
    main(options.check, options.table, options.result)
