# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What plot.py and readme_table.py both know of a result of perf/run --json."""
import json
import sys

OURS = "KokkosScan"
COPY = "copy"


def load(path):
    """Where and with what it was measured, and the rows that were; an empty kernel moves nothing and is left out."""
    try:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"{path} should be a result of perf/run --json, and cannot be read: {error}")
    return result["machine"], [row for row in result["rows"] if row["status"] == "measured" and row["bytes"] > 0]


def algorithm(name):
    """The grid and block algorithm of "KokkosScan/GRID+BLOCK" or "KokkosScan/GRID", None of another contestant."""
    if not name.startswith(OURS + "/"):
        return None
    grid, _, block = name.removeprefix(OURS + "/").partition("+")
    return grid, block or "automatic"


def disturbed(row):
    # Results of before 2026-11-23 do not say whether others shared the cores.
    return (row["unsteady"] or row["copy_drifts"] or row["others_at_work"]
            or 2 * row.get("shared_rounds", 0) >= len(row["seconds"]))


def place(machine):
    """On what and with what it was measured."""
    cub = f", CUB {machine['CUB']}" if "CUB" in machine else ""  # results of before 2026-11-26 do not say
    what = (f"{machine['gpu']}, CUDA {machine['CUDA'].split(',')[0]}{cub}" if "gpu" in machine else
            f"{machine['cpu'].strip()}, {machine['threads']} threads")
    return (f"{what}, {machine['compiler'].split('(')[0].strip()}, Kokkos {machine['Kokkos']} "
            f"({machine['Kokkos spaces'].split(',')[0]}), {machine['date'][:10]}")
