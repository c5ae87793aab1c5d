#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""images.py PROGRAM: asks PROGRAM, oracle_answers, and compares its answers with NumPy, SciPy and exact arithmetic.

Tables of sums, windows, erosion and dilation, polynomials, recurrences and graphs. Integers and whatever else has one
right result must be the same; of other floats the error is within the bound of a sum of so many rounded terms.
"""
import math
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

try:
    import numpy as np
    from numpy.polynomial import polynomial
    from scipy import ndimage, signal, sparse
    from scipy.sparse import csgraph
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

random = np.random.default_rng(7)
UNIT = {np.dtype(np.float32): 2.0**-24, np.dtype(np.float64): 2.0**-53}


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


worst = {}


def close(expected, found, allowed, what):
    """Within the bound; how much of it was needed is told at the end."""
    error = np.abs(found.astype(np.longdouble) - expected)
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(error == 0, 0, error / allowed)
    if part.size:
        worst[what] = max(worst.get(what, 0.0), float(part.max()))
    if not np.all(error <= allowed):
        place = np.unravel_index(int(np.argmax(part)), part.shape)
        raise Wrong(f"{found[place]} at {place} instead of {expected[place]}: {part[place]} times the bound")


def summed(values):
    for axis in range(values.ndim):
        values = np.cumsum(values, axis=axis)
    return values


def tables():
    def case(name, dtype, of_sums, shape):
        count = 40 if math.prod(shape) else 0
        if name == "i32":
            image = random.integers(-(2**31), 2**31, shape, dtype=dtype)
        else:
            image = random.uniform(-1, 1, shape).astype(dtype)
        ends = np.sort(random.integers(0, np.array(shape) + 1, (count, 2, len(shape)), dtype=np.int32), axis=1)
        boxes = np.ascontiguousarray(ends.reshape(count, 2 * len(shape)))

        def check(answers):
            table, sums = answers.array(of_sums, shape), answers.array(of_sums, (count,))
            slices = [tuple(slice(a, b) for a, b in zip(low, high)) for low, high in ends]
            if name == "i32":
                same(summed(image.astype(np.int64)), table)
                same(np.array([image[box].astype(np.int64).sum() for box in slices], np.int64), sums)
                return
            wide = image.astype(np.longdouble)
            bound = UNIT[np.dtype(of_sums)] * sum(shape) * summed(np.abs(wide))
            close(summed(wide), table, bound, f"table of {name}")
            exact = np.array([math.fsum(image[box].ravel().astype(float)) for box in slices])
            # So many entries of the table, and a sum of them.
            corners = 2 ** len(shape) * 2 * (bound.max() if bound.size else 0)
            close(exact, sums, np.full(count, corners), f"boxes of {name}")

        text = " ".join(map(str, shape))
        return f"table {name} {len(shape)} {text} {count}", [image, boxes], check

    for shape in [(0, 5), (1, 1), (2, 3), (1, 1000), (1000, 1), (257, 300), (129, 1025)]:
        yield case("i32", np.int32, np.int64, shape)
        yield case("f32", np.float32, np.float32, shape)
    for shape in [(0, 2, 2), (1, 1, 1), (2, 1, 2), (5, 7, 9), (64, 33, 40)]:
        yield case("i32", np.int32, np.int64, shape)
        yield case("f64", np.float64, np.float64, shape)


def filtered(op, image, before, after, axis):
    size = before + after + 1
    if op == "sum":  # of integers, which a double holds
        sums = np.cumsum(np.moveaxis(image, axis, -1).astype(np.int64), axis=-1)
        sums = np.concatenate([np.zeros(sums.shape[:-1] + (1,), np.int64), sums], axis=-1)
        n = sums.shape[-1] - 1
        place = np.arange(n)
        ends, begins = np.minimum(n, place + after + 1), np.maximum(0, place - before)
        return np.moveaxis(sums[..., ends] - sums[..., begins], -1, axis).astype(float)
    of = {"min": (ndimage.minimum_filter1d, np.inf), "max": (ndimage.maximum_filter1d, -np.inf)}
    function, outside = of[op]
    if not image.size:
        return image
    return function(image, size, axis=axis, mode="constant", cval=outside, origin=before - size // 2)


def windows():
    def case(op, before, after, shape, axis):
        image = random.integers(-(2**20), 2**20, shape).astype(float)

        def check(answers):
            same(filtered(op, image, before, after, axis), answers.array(np.float64, shape))

        text = " ".join(map(str, shape))
        return f"windows {op} {before} {after} {len(shape)} {axis} {text}", [image], check

    widths = [(0, 0), (1, 1), (0, 4), (7, 0), (3, 10), (500, 499)]
    for op in ["min", "max", "sum"]:
        for n in [0, 1, 2, 1000, 131072]:
            for before, after in widths + [(n + 3, 2), (0, n)]:
                yield case(op, before, after, (n,), 0)
        for shape in [(1, 1), (2, 3), (100, 257), (1000, 33)]:
            for axis in [0, 1]:
                for before, after in widths:
                    yield case(op, before, after, shape, axis)
        for axis in [0, 1, 2]:
            yield case(op, 2, 5, (17, 40, 65), axis)


def morphology():
    def case(along_0, along_1, shape):
        image = random.normal(size=shape)
        size = (2 * along_0 + 1, 2 * along_1 + 1)

        def erosion(of):
            return ndimage.grey_erosion(of, size=size, mode="constant", cval=np.inf)

        def dilation(of):
            return ndimage.grey_dilation(of, size=size, mode="constant", cval=-np.inf)

        def check(answers):
            for first, second in [(erosion, dilation), (dilation, erosion)]:
                once = first(image)
                same(once, answers.array(np.float64, shape))
                same(second(once), answers.array(np.float64, shape))

        return f"morphology {along_0} {along_1} {shape[0]} {shape[1]}", [image], check

    for shape in [(1, 1), (2, 9), (64, 65), (201, 300)]:
        for along in [(0, 0), (1, 1), (2, 5), (20, 0)]:
            yield case(*along, shape)


def wide(fraction):
    return np.longdouble(float(fraction)) + np.longdouble(float(fraction - Fraction(float(fraction))))


def exact_polynomial(coefficients, x):
    """By Horner's rule of integers: all numbers are multiples of a power of 1/2."""
    ratios = [float(c).as_integer_ratio() for c in coefficients]
    places = max((ratio[1].bit_length() - 1 for ratio in ratios), default=0)
    numerator, denominator = float(x).as_integer_ratio()
    value, scale = 0, 0
    for part, of in reversed(ratios):
        value = value * numerator + (part << (places - of.bit_length() + 1 + scale))
        scale += denominator.bit_length() - 1
    return Fraction(value, 1 << max(0, places + scale - (denominator.bit_length() - 1)))


def polynomials():
    def check_of(coefficients, points, expected, what):
        n = len(coefficients)

        def check(answers):
            found, at_one = answers.array(points.dtype, points.shape), answers.array(points.dtype, (1,))
            if points.dtype == np.uint32:
                same(expected(), found)
                same(found[:1], at_one)
                return
            # The term of x^i has i products and as many sums, and some more where parts are put together.
            terms = np.abs(coefficients) * (2 * np.arange(n) + 8)
            sizes = polynomial.polyval(np.abs(points).astype(np.longdouble), terms) if n else 0
            allowed = 2.0**-53 * sizes + np.zeros(points.shape)
            close(expected(), found, allowed, what)
            close(expected()[:1], at_one, allowed[:1], what + ", one point")

        return check

    for n in [0, 1, 2, 1000, 131072]:
        for count in [1, 50]:
            integers = random.integers(0, 2**32, n, dtype=np.uint32)
            at = random.integers(0, 2**32, count, dtype=np.uint32)

            def wrapped(integers=integers, at=at):  # NumPy's own makes floats of them
                values = np.zeros(len(at), np.uint32)
                for integer in integers[::-1]:
                    values = values * at + integer
                return values

            yield f"polynomial u32 {n} {count}", [integers, at], check_of(integers, at, wrapped, "")
            floats, points = random.normal(size=n), random.uniform(-1.01, 1.01, count)
            if n == 131072:
                points = points / 1.01

            def right(floats=floats, points=points):
                if len(floats) <= 1000:
                    return np.array([wide(exact_polynomial(floats, x)) for x in points])
                return polynomial.polyval(points.astype(np.longdouble), floats.astype(np.longdouble))

            yield f"polynomial f64 {n} {count}", [floats, points], check_of(floats, points, right, f"polynomial, n = {n}")


def recurrences():
    def case_of_integers(n):
        a, b, start = (random.integers(0, 2**64, k, dtype=np.uint64) for k in (n, n, 1))

        def check(answers):
            x, expected = int(start[0]), []
            for factor, term in zip(a.tolist(), b.tolist()):
                x = (factor * x + term) % 2**64
                expected.append(x)
            same(np.array(expected, np.uint64), answers.array(np.uint64, (n,)))

        return f"recurrence u64 {n}", [a, b, start], check

    def case_of_floats(n):
        a, b, start = random.uniform(-1, 1, n), random.normal(size=n), random.normal(size=1)

        def check(answers):
            # Beside x: the sum of the terms' sizes, and of these times how many products each has.
            x, size, products = np.longdouble(start[0]), abs(float(start[0])), 0.0
            expected, allowed = [], []
            for factor, term in zip(a.tolist(), b.tolist()):
                x = np.longdouble(factor) * x + np.longdouble(term)
                products = abs(factor) * (products + size)
                size = abs(factor) * size + abs(term)
                expected.append(x)
                allowed.append(2.0**-53 * (2 * products + 2 * size))
            close(np.array(expected, np.longdouble), answers.array(np.float64, (n,)), np.array(allowed), "recurrence")

        return f"recurrence f64 {n}", [a, b, start], check

    for n in [0, 1, 2, 1000, 131072]:
        yield case_of_integers(n)
        yield case_of_floats(n)


def filters():
    def case(a1, a2, rows, columns):
        image = random.normal(size=(rows, columns))

        def check(answers):
            for expected in [
                signal.lfilter([1], [1, -a1], image, axis=0),
                signal.lfilter([a1], [1, -(1 - a1)], image, axis=1),
                signal.lfilter([1], [1, -a1, -a2], image[0]),
            ]:
                allowed = np.full(expected.shape, 2.0**-53 * 64 * np.abs(expected).max())
                close(expected, answers.array(np.float64, expected.shape), allowed, "filters")

        return f"filters {a1} {a2} {rows} {columns}", [image], check

    for a1, a2 in [(0.5, 0.25), (0.75, -0.5)]:
        for shape in [(1, 1), (1, 1000), (1000, 3), (300, 700)]:
            yield case(a1, a2, *shape)


def graphs():
    def ends(kind, n):
        if kind == "random":
            return random.integers(0, n, (4 * n, 2))
        if kind == "power law":
            return (n * random.random((8 * n, 2)) ** 4).astype(int)
        if kind == "chain":
            names = random.permutation(n)
            return np.stack([names[:-1], names[1:]], axis=1)
        if kind == "star":
            return np.stack([np.full(n, n // 2), np.arange(n)], axis=1)
        side = max(1, math.isqrt(n))
        if kind == "grid":
            v = np.arange(side * side)
            return np.concatenate([np.stack([v[v % side + 1 < side], v[v % side + 1 < side] + 1], 1),
                                   np.stack([v[v + side < side * side] + side, v[v + side < side * side]], 1)])
        first = random.integers(0, n, n)
        second = first // 40 * 40 + random.integers(0, 40, n)
        return np.stack([first, second], axis=1)[second < n]

    def case(kind, n):
        edges = np.unique(ends(kind, n), axis=0) if n else np.empty((0, 2), int)
        weights = random.integers(1, 2**20, len(edges)) * random.random(len(edges)) + 1e-9
        matrix = sparse.csr_matrix((weights, (edges[:, 0], edges[:, 1])), shape=(n, n))
        source = int(random.integers(0, n))

        def check(answers):
            levels = csgraph.dijkstra(matrix, indices=source, unweighted=True)
            same(np.where(np.isinf(levels), -1, levels).astype(np.int32), answers.array(np.int32, (n,)))
            _, names = csgraph.connected_components(matrix, connection="weak")
            _, smallest = np.unique(names, return_index=True)
            same(smallest[names].astype(np.int32), answers.array(np.int32, (n,)))
            same(csgraph.dijkstra(matrix, indices=source), answers.array(np.float64, (n,)))

        arrays = [matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data]
        return f"graph {n} {len(edges)} {source}", arrays, check

    for kind in ["random", "grid", "chain", "star", "power law", "disconnected"]:
        for n in [1, 2, 1000, 50000]:
            yield case(kind, n)


def main():
    cases = [case for of in [tables, windows, morphology, polynomials, recurrences, filters, graphs] for case in of()]
    with tempfile.TemporaryDirectory() as folder:
        questions, answers = Path(folder, "questions"), Path(folder, "answers")
        with questions.open("wb") as file:
            for line, arrays, _ in cases:
                file.write(line.encode() + b"\n")
                for array in arrays:
                    file.write(array.tobytes())
        subprocess.run([sys.argv[1], questions, answers], check=True)
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
    print(f"{len(cases)} questions, {wrong} wrong answers")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
