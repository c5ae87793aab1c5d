#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""images.py PROGRAM: tables of sums, windows, erosion, dilation of PROGRAM, oracle_answers, beside NumPy and SciPy."""
import math
import sys
from itertools import chain

from asking import ask, close, np, same
from scipy import ndimage

random = np.random.default_rng(7)
UNIT = {np.dtype(np.float32): 2.0**-24, np.dtype(np.float64): 2.0**-53}


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
    for op in ["min", "max"]:
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


if __name__ == "__main__":
    sys.exit(ask(sys.argv[1], chain(tables(), windows(), morphology())))
