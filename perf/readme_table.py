#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/readme_table.py RESULT.json                   writes the tables of README.md and docs/algorithms.md
                                                   that a result of perf/run --json has figures for
perf/readme_table.py --table TABLE RESULT.json     writes that table alone
perf/readme_table.py --check [RESULT.json]         exit status 1 unless each table is what its result gives (or, of the
                                                   tables of its machine, what RESULT.json gives)

A table stands between <!-- table MACHINE/KIND: begin --> and <!-- table MACHINE/KIND: end -->, and names its result, a
perf/results/MACHINE/DATE.json, in its last line. Nothing between the two is a table not yet written.
KIND is contestants, KokkosScan beside what else there is, or ladder, every grid algorithm with every block algorithm.
A ladder shows its picture, too, if that is kept in the folder of the result's name:

    perf/plot.py perf/results/MACHINE/DATE.json perf/results/MACHINE/DATE ladder-inclusive_sum-i32.svg
"""
import argparse
import json
import os
import re
import sys

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
    ("inclusive_sum@graph", "i32", "sum of 32-bit integers, in a graph"),
    ("inclusive_max", "f32", "maximum of floats"),
    ("inclusive_lambda", "f32", "a lambda on floats"),
    ("transform_exclusive", "f32", "transform and exclusive sum, floats"),
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


def short(value):
    return f"{value:.0f}" if value >= 99.5 else f"{value:.1f}"


def speed(row):
    return short(row["bytes_per_second"] * 1e-9)


def line(cells):
    return "| " + " | ".join(cells) + " |"


def head(cells, left=1):
    return [line(cells), "|" + "---|" * left + "---:|" * (len(cells) - left)]


def chosen(ns, wanted):
    return sorted(n for n in ns if n in wanted or n == max(ns))


def place(machine):
    """On what and with what it was measured."""
    if "gpu" in machine:
        what = f"{machine['gpu']}, CUDA {machine['CUDA'].split(',')[0]}"
    else:
        what = f"{machine['cpu'].strip()}, {machine['threads']} threads"
    version = machine["compiler"].split("(")[0].strip()
    return (f"{what}, {version}, Kokkos {machine['Kokkos']} ({machine['Kokkos spaces'].split(',')[0]}), "
            f"{machine['date'][:10]}")


def last_line(machine, meaning, source):
    return f"{place(machine)}; {meaning}; all figures: [{source}]({source})."


# ---------------------------------------------------------------- contestants

def disturbed(row):
    # Results of before 2026-11-23 do not say whether others shared the cores.
    return (row["unsteady"] or row["copy_drifts"] or row["others_at_work"]
            or 2 * row.get("shared_rounds", 0) >= len(row["seconds"]))


def lines_for(rows, operation, kind, title, columns, on_gpu):
    mine = [row for row in rows if row["operation"] == operation and row["type"] == kind]
    for n in chosen({row["n"] for row in mine}, SIZES_ON_GPU if on_gpu else SIZES_ON_HOST):
        cells = {row["implementation"]: row for row in mine if row["n"] == n}
        if "KokkosScan" not in cells:
            continue
        peers = [row["median_seconds"] for name, row in cells.items()
                 if name != "copy" and not name.startswith("KokkosScan")]
        # On GPUs the best are too close to each other for one digit.
        best = f"{min(peers) / cells['KokkosScan']['median_seconds']:.{2 if on_gpu else 1}f}" if peers else ""
        shown = [f"**{speed(cells[name])}**" if name == "KokkosScan" else speed(cells[name]) if name in cells else "–"
                 for name in columns]
        mark = STAR if disturbed(cells["KokkosScan"]) else ""
        yield line([title, size(n) + mark, *shown, best])


def contestants(machine, rows, source):
    here = {row["implementation"] for row in rows}
    columns = [name for name in COLUMNS if name in here]
    body = [text for operation, kind, title in SHOWN
            for text in lines_for(rows, operation, kind, title, columns, "gpu" in machine)]
    if not body:
        return []
    meaning = "GB/s count what is read and written, medians of `./perf/run`"
    if any(STAR in text for text in body):
        meaning += f"; {STAR}: unsteady, since others used the machine or the speed of a copy drifted, and perhaps some way off"
    return [*head(["GB/s", "n", *map(code, columns), "× best other"]), *body, "", last_line(machine, meaning, source)]


# ---------------------------------------------------------------- ladder

def algorithm(name):
    """The grid and block algorithm of a row "KokkosScan/GRID+BLOCK" or "KokkosScan/GRID"."""
    grid, _, block = name.removeprefix("KokkosScan/").partition("+")
    return grid, block or "automatic"


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
            name = row["implementation"]
            grid, block = algorithm(name) if name.startswith("KokkosScan/") else ("", name)
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
    """The lines of a table, none if the result has no figures for it. Links are those of the document's folder."""
    try:
        with open(os.path.join(ROOT, source), encoding="utf-8") as file:
            result = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"{source} should be a result of perf/run --json, and cannot be read: {error}\n"
                 "Keep the result there, or write the tables that name it from another one.")
    rows = [row for row in result["rows"] if row["status"] == "measured" and row["bytes"] > 0]
    up = "../" * document.count("/")
    return [text.replace("](perf/", f"]({up}perf/") for text in KINDS[kind][0](result["machine"], rows, source)]


def tables_of(document, text):
    """The marked places, as matches of MARKED. Exits if a mark is not one of a pair."""
    found = list(MARKED.finditer(text))
    how = ("put two lines like these where a table shall stand:\n<!-- table xeon/contestants: begin -->\n"
           "<!-- table xeon/contestants: end -->\n"
           f"before the slash the folder in perf/results, behind it {' or '.join(KINDS)}.")
    marks = MARK.findall(text)
    paired = [mark for match in found for mark in MARK.findall(match[0])]
    if not found or len(marks) != 2 * len(found) or marks != paired:
        sys.exit(f"{document} should have places for tables, each between two marks, and has {len(marks)} marks, of which "
                 f"{2 * len(found)} are pairs" + (f": {' '.join(marks)}" if marks else "") + f"; {how}")
    for match in found:
        if not re.fullmatch(rf"[^/]+/({'|'.join(KINDS)})", match[2]):
            sys.exit(f"{document} has a place for a table {match[2]}, which is not MACHINE/KIND; {how}")
    return found


def source_of(match):
    """The result that a table names, None if it is not yet written."""
    if not match[3].strip():
        return None
    named = SOURCE.findall(match[3].strip().splitlines()[-1])
    if not named:
        sys.exit(f"The last line of the table {match[2]} should name its result, and does not; write it "
                 f"with\nperf/readme_table.py --table {match[2]} perf/results/{match[2].split('/')[0]}/DATE.json")
    return named[0]


def main(arguments):
    texts, found = {}, []  # of each document; all places, with their documents
    for document in DOCUMENTS:
        with open(os.path.join(ROOT, document), encoding="utf-8") as file:
            texts[document] = file.read()
        found += [(document, match) for match in tables_of(document, texts[document])]
    given = None
    if arguments.result:
        given = os.path.relpath(os.path.realpath(arguments.result), os.path.realpath(ROOT))
        if not re.fullmatch(r"perf/results/[^/]+/[^/]+\.json", given):
            sys.exit(f"{given}: figures that are shown must be kept; copy the file to perf/results/MACHINE/DATE.json first")
    wanted = [(document, match) for document, match in found if arguments.table in (None, match[2])]
    mine = [(document, match) for document, match in wanted if not given or match[2].split("/")[0] == given.split("/")[2]]
    if not mine:
        sys.exit(f"There is no place for {arguments.table or 'a table'}{f' of {given}' if given else ''} in "
                 f"{' or '.join(DOCUMENTS)}; there are places for {', '.join(match[2] for _, match in found)}. Before the "
                 "slash is the folder in perf/results.")

    new, written, wrong = dict(texts), 0, []
    for document, match in mine:
        name, (machine, kind) = match[2], match[2].split("/")
        source = given or source_of(match)
        if source is None:
            print(f"The table {name} of {document} is not yet written.")
            continue
        if source.split("/")[2] != machine:
            sys.exit(f"The table {name} of {document} should name a result in perf/results/{machine}, and names {source}; "
                     f"write it with\nperf/readme_table.py --table {name} perf/results/{machine}/DATE.json")
        lines = table(kind, source, document)
        if not lines and given and not arguments.table and not arguments.check:
            print(f"The table {name} of {document} stays as it is: {source} has no figures for it; they come\n"
                  f"from {KINDS[kind][1]}")
            continue
        if not lines:
            sys.exit(f"The table {name} of {document} needs figures that {source} does not have; measure them with\n"
                     f"{KINDS[kind][1]}")
        written += 1
        text = "\n".join(lines) + "\n"
        if text == match[3]:
            print(f"The table {name} of {document} is that of {source}.")
        elif arguments.check:
            wrong.append(f"The table {name} of {document} is not what {source} gives; write it with\n"
                         f"perf/readme_table.py --table {name} {source}")
        else:
            print(f"{document} now has the table {name} of {source}.")
        new[document] = new[document].replace(match[0], match[1] + text + match[4])
    if wrong:
        sys.exit("\n".join(wrong))
    if given and not written:
        sys.exit(f"{given} has figures for none of {', '.join(match[2] for _, match in mine)}: nothing was written")
    if not arguments.check:
        for document, text in new.items():
            if text != texts[document]:
                with open(os.path.join(ROOT, document), "w", encoding="utf-8") as file:
                    file.write(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table")
    parser.add_argument("result", nargs="?")
    options = parser.parse_args()
    if not options.check and not options.result:
        sys.exit(__doc__)
    main(options)
