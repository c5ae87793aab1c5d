#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""csgraphs.py PROGRAM: levels, components and shortest paths of PROGRAM, oracle_answers, beside SciPy."""
import math
import sys

from asking import ask, np, same
from scipy import sparse
from scipy.sparse import csgraph

random = np.random.default_rng(7)


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
            right, down = v[v % side + 1 < side], v[v + side < side * side]
            return np.concatenate([np.stack([right, right + 1], axis=1), np.stack([down + side, down], axis=1)])
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


if __name__ == "__main__":
    sys.exit(ask(sys.argv[1], graphs()))
