# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks oracle_answers, and compares its answers.

Integers, and what else has one right result, must be the same; of other floats the error is within the bound of a sum
of so many rounded terms.
"""
import math
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import scipy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


class Wrong(Exception):
    pass


class Answers:
    """The arrays that answer one question."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def array(self, dtype, shape):
        if self.at + np.dtype(dtype).itemsize * math.prod(shape) > len(self.data):
            raise Wrong(f"{len(self.data)} bytes end before an array of {shape}")
        count = math.prod(shape)
        values = np.frombuffer(self.data, dtype, count, self.at) if count else np.empty(0, dtype)
        self.at += values.nbytes
        return values.reshape(shape)


def same(expected, found):
    expected = np.asarray(expected)
    if expected.shape != found.shape:
        raise Wrong(f"{found.shape} instead of {expected.shape}")
    wrong = np.argwhere(expected != found)
    if len(wrong):
        place = tuple(wrong[0])
        raise Wrong(f"{found[place]} at {place} instead of {expected[place]}, and {len(wrong) - 1} others")


worst = {}  # the largest part of a bound that was needed


def close(expected, found, allowed, what):
    error = np.abs(found.astype(np.longdouble) - expected)
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(error == 0, 0, error / allowed)
    if part.size:
        worst[what] = max(worst.get(what, 0.0), float(part.max()))
    if not np.all(error <= allowed):
        place = np.unravel_index(int(np.argmax(part)), part.shape)
        raise Wrong(f"{found[place]} at {place} instead of {expected[place]}: {part[place]} times the bound")


def ask(program, cases):
    """A case is the line of a question, its arrays, and what checks the Answers. Returns whether any is wrong."""
    cases = list(cases)
    with tempfile.TemporaryDirectory() as folder:
        questions, answers = Path(folder, "questions"), Path(folder, "answers")
        with questions.open("wb") as file:
            for line, arrays, _ in cases:
                file.write(line.encode() + b"\n")
                for array in arrays:
                    file.write(array.tobytes())
        subprocess.run([program, questions, answers], check=True)
        data = answers.read_bytes()
    at = wrong = 0
    for line, _, check in cases:
        size = int.from_bytes(data[at : at + 8], sys.byteorder)
        found = Answers(data[at + 8 : at + 8 + size])
        at += 8 + size
        try:
            check(found)
            if found.at != size:
                raise Wrong(f"{size} bytes instead of {found.at}")
        except Wrong as error:
            print(f"WRONG: {line}: {error}")
            wrong += 1
    if at != len(data):
        print(f"WRONG: {len(data)} bytes of answers instead of {at}")
        wrong += 1
    for what, part in worst.items():
        print(f"{what}: {part:.3g} of the bound of its error")
    print(f"NumPy {np.__version__}, SciPy {scipy.__version__}: {len(cases)} questions, {wrong} wrong answers")
    return wrong != 0
