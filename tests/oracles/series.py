#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""series.py PROGRAM: polynomials, recurrences, filters of PROGRAM, oracle_answers, beside exact numbers and SciPy."""
import sys
from fractions import Fraction
from itertools import chain

from asking import ask, close, np, same
from numpy.polynomial import polynomial
from scipy import signal

random = np.random.default_rng(7)


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
            # At points of about 1 all terms count.
            near = random.choice([-1, 1], count) * (1 + random.uniform(-4, 4, count) / max(n, 4))
            floats = random.normal(size=n)
            points = np.where(np.arange(count) % 2 == 0, near, random.uniform(-1, 1, count))

            def right(floats=floats, points=points):
                if len(floats) <= 1000:
                    return np.array([wide(exact_polynomial(floats, x)) for x in points])
                return polynomial.polyval(points.astype(np.longdouble), floats.astype(np.longdouble))

            check = check_of(floats, points, right, f"polynomial, n = {n}")
            yield f"polynomial f64 {n} {count}", [floats, points], check


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
            # Beside x: the sum of the terms' sizes, and of these times how many products each has. Each has as many
            # sums as products, and those of the halves, quarters, ... that it is in.
            x, size, products = np.longdouble(start[0]), abs(float(start[0])), 0.0
            expected, allowed = [], []
            for factor, term in zip(a.tolist(), b.tolist()):
                x = np.longdouble(factor) * x + np.longdouble(term)
                products = abs(factor) * (products + size)
                size = abs(factor) * size + abs(term)
                expected.append(x)
                allowed.append(2.0**-53 * (2 * products + 20 * size))
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


if __name__ == "__main__":
    sys.exit(ask(sys.argv[1], chain(polynomials(), recurrences(), filters())))
