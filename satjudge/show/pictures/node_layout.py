"""Places nodes without overlaps, at distances close to the numbers of borders between them.

The layout is that of Kamada and Kawai (1989), computed here by majorization (Gansner, Koren and North, 2004), because
networkx's needs scipy. On a large map, only distances from some pivots are used (sparse stress: Ortmann, Klimenta and Brandes,
2016), and nodes are only compared with those in nearby cells, so the time is roughly proportional to the number of nodes. The
layout starts from a classical scaling (from pivots: Brandes and Pich, 2007), so it involves no chance.

All computations are additions in a fixed order, products, quotients and square roots, whose results are the same to the last
bit everywhere. BLAS, LAPACK and mathematical libraries differ between processors, and a layout amplifies the differences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import networkx
    import numpy

    Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.float64]]
    Indices: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.int64]]
    Edges: TypeAlias = Sequence[tuple[int, int]]

_PIVOTS = 120
"""The maximum number of nodes from which all distances are used; most maps have fewer nodes."""
_ROUNDS, _CLEARING = 300, 150
_STILL = 0.002
"""The maximum distance, in borders, that nodes move in a round of a layout that has settled."""
_NUDGE = 1e-3
"""The distance, in borders, by which nodes are moved apart at the start."""
_SOLVING, _EXACT = 100, 1e-7
"""The maximum number of steps for solving a linear system, and the relative error that is allowed."""
_TURNS = 60
"""The number of steps for finding the directions in which a map is widest."""
_LOOKED_AT = 3_000
"""The maximum number of pairs of a node and a border near it, for each node: if borders cross everywhere, it is no use."""
_GAP = 20.0
"""The minimum distance between nodes."""
_PAST = 12.0
"""The minimum distance between a node and a border of other nodes."""
_MOST_MARKS = 200
"""The maximum number of points along a border that are used to find the nodes near it."""
_BETWEEN_PARTS = 3.0
"""The distance, in borders, between parts of a map without a connection."""


# ---- arithmetic that is the same everywhere ----


def multiply(matrix: Array, vectors: Array) -> Array:
    """Return the matrix product of two arrays, with sums in a fixed order, so that it is the same on all machines."""
    import numpy

    found: Array = numpy.multiply(matrix.T[:, :, None], vectors[:, None, :], order="C").sum(axis=0)
    return found


def measure_lengths(vectors: Array) -> Array:
    """Return the length of each row of an array, a vector in the plane."""
    import numpy

    squares = vectors * vectors
    found: Array = numpy.sqrt(squares[..., 0] + squares[..., 1])
    return found


# ---- distances ----


def make_border_graph(count: int, edges: Edges) -> networkx.Graph:
    """Return a connected graph of `count` nodes; an edge's `length` grows with its nodes' borders, so that all find room.

    Unconnected parts are placed in rows; an edge joins each part to the one before it and the one above it.
    """
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    for one, other in graph.edges:
        graph.edges[one, other]["length"] = 0.7 + 0.12 * sqrt(graph.degree[one] * graph.degree[other])
    parts = sorted(min(part) for part in networkx.connected_components(graph))
    wide = max(1, round(sqrt(len(parts))))
    for number, part in enumerate(parts):
        before = [number - 1] if number % wide else []
        for other in (*before, *([number - wide] if number >= wide else [])):
            graph.add_edge(part, parts[other], length=_BETWEEN_PARTS)
    return graph


def measure_path_lengths(graph: networkx.Graph, node: int) -> Array:
    """Return the shortest distance (sum of edges' lengths) from one node to each node, in the order of the nodes."""
    import networkx
    import numpy

    found = networkx.single_source_dijkstra_path_length(graph, node, weight="length")
    return numpy.array([found[other] for other in range(len(graph))])


class PivotDistances(NamedTuple):
    """The distances from every node (rows) to the pivots (columns)."""

    pivots: Indices
    distances: Array


def measure_pivot_distances(graph: networkx.Graph) -> PivotDistances:
    """Return the distances from each node to all nodes or, in a large graph, to pivots, each far from the previous ones."""
    import numpy

    pivots = list(range(len(graph))) if len(graph) <= _PIVOTS else [0]
    found = [measure_path_lengths(graph, pivot) for pivot in pivots]
    nearest = numpy.min(found, axis=0)
    while len(pivots) < min(len(graph), _PIVOTS):
        pivots.append(int(nearest.argmax()))
        found.append(measure_path_lengths(graph, pivots[-1]))
        nearest = numpy.minimum(nearest, found[-1])
    return PivotDistances(numpy.array(pivots), numpy.stack(found, axis=1))


# ---- a layout with these distances ----


class _Terms(NamedTuple):
    """The weighted distances that a layout should fit: from nodes to pivots, and along edges between other nodes."""

    known: PivotDistances
    weights: Array
    edges: Indices
    lengths: Array

    def multiply_laplacian(self, pivot_weights: Array, edge_weights: Array, places: Array) -> Array:
        """Return the product of the Laplacian, with these weights for pivots and for edges, and the nodes' places."""
        import numpy

        pivots, (one, other) = self.known.pivots, self.edges.T
        found: Array = pivot_weights.sum(axis=1)[:, None] * places - multiply(pivot_weights, places[pivots])
        found[pivots] += pivot_weights.sum(axis=0)[:, None] * places[pivots] - multiply(pivot_weights.T, places)
        step = edge_weights[:, None] * (places[one] - places[other])
        numpy.add.at(found, one, step)
        numpy.add.at(found, other, -step)
        return found

    @property
    def diagonal(self) -> Array:
        """The diagonal of the Laplacian for the own weights, a number for each node."""
        import numpy

        found: Array = self.weights.sum(axis=1)
        found[self.known.pivots] += self.weights.sum(axis=0)
        for end in self.edges.T:
            numpy.add.at(found, end, 1 / self.lengths**2)
        return found


def find_majorized_places(graph: networkx.Graph, known: PivotDistances) -> Array:
    """Return places of the nodes, by majorization, whose distances are close to the known ones, especially to short ones."""
    import numpy

    if len(graph) < 3:
        return numpy.array([[float(number), 0.0] for number in range(len(graph))])
    terms = _compute_terms(graph, known)
    along, diagonal = 1 / terms.lengths**2, terms.diagonal[:, None]
    places = _scale_distances(known)
    for _ in range(_ROUNDS):
        now = measure_lengths(places[:, None] - places[known.pivots][None])
        apart = measure_lengths(places[terms.edges[:, 0]] - places[terms.edges[:, 1]])
        wanted = terms.weights * known.distances / numpy.maximum(now, 1e-9)
        target = terms.multiply_laplacian(wanted, along * terms.lengths / numpy.maximum(apart, 1e-9), places)
        before, places = (
            places,
            _solve_system(lambda at: terms.multiply_laplacian(terms.weights, along, at), diagonal, target, places),
        )
        places = places - places.mean(axis=0)
        if numpy.abs(places - before).max() < _STILL:
            break
    return places


def _compute_terms(graph: networkx.Graph, known: PivotDistances) -> _Terms:
    """Return the terms of the sparse stress: for a node, a pivot represents the nodes at most half as far from the pivot."""
    import numpy

    pivots, distances = known
    weights = 1 / numpy.maximum(distances, 1e-9) ** 2
    weights[pivots, range(len(pivots))] = 0
    nearest = distances.argmin(axis=1)
    for column in range(len(pivots)):
        region = numpy.sort(distances[nearest == column, column])
        weights[:, column] *= numpy.searchsorted(region, distances[:, column] / 2, side="right")
    others = set(range(len(graph))) - set(map(int, pivots))
    edges = sorted((one, other) for one, other in graph.edges if one in others and other in others)
    lengths = [graph.edges[edge]["length"] for edge in edges]
    return _Terms(known, weights, numpy.array(edges, dtype=int).reshape(-1, 2), numpy.array(lengths, dtype=float))


def _scale_distances(known: PivotDistances) -> Array:
    """Return first places for the nodes by classical scaling of the known distances, in the two widest directions."""
    import numpy

    squares = known.distances**2
    centred = -0.5 * (squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean())
    vectors, values = _spread_points(len(known.pivots)), numpy.ones(2)
    for _ in range(_TURNS):  # orthogonal iteration: they turn to the two eigenvectors of the largest values
        vectors = multiply(centred.T, multiply(centred, vectors))
        vectors[:, 1] -= (vectors[:, 0] * vectors[:, 1]).sum() / max((vectors[:, 0] ** 2).sum(), 1e-300) * vectors[:, 0]
        values = numpy.sqrt((vectors**2).sum(axis=0))
        vectors = vectors / numpy.maximum(values, 1e-300)
    vectors = vectors * numpy.sign(vectors[numpy.abs(vectors).argmax(axis=0), range(2)])
    apart = _NUDGE * _spread_points(len(centred))  # nodes with the same neighbours do not stay at one place
    return multiply(centred, vectors) / numpy.sqrt(numpy.sqrt(numpy.maximum(values, 1e-9))) + apart


def _spread_points(count: int) -> Array:
    """Return `count` different points, spread evenly over a unit square around 0 (the R2 sequence)."""
    import numpy

    found: Array = numpy.arange(1, count + 1)[:, None] * numpy.array([0.7548776662, 0.5698402910]) % 1 - 0.5
    return found


def _solve_system(multiply_matrix: Callable[[Array], Array], diagonal: Array, target: Array, start: Array) -> Array:
    """Solve the linear system `multiply_matrix(x) = target` for x by conjugate gradients, with this diagonal.

    `start` should be near the solution. The results of a Laplacian have mean zero, so rounding errors of the mean are removed.
    """
    import numpy

    found, rest = start, target - multiply_matrix(start)
    rest = rest - rest.mean(axis=0)
    way = slope = rest / diagonal
    size = (rest * slope).sum(axis=0)
    enough = _EXACT * numpy.abs(target).max()
    for _ in range(_SOLVING):
        if numpy.abs(rest).max() <= enough:
            break
        moved = multiply_matrix(way)
        step = size / numpy.maximum((way * moved).sum(axis=0), 1e-300)
        found, rest = found + step * way, rest - step * moved
        slope = rest / diagonal
        size, before = (rest * slope).sum(axis=0), size
        way = slope + size / numpy.maximum(before, 1e-300) * way
    return found


# ---- room for each node ----


def spread_places(places: Array, half_sizes: Array, edges: Indices) -> Array:
    """Return places moved until no nodes overlap (`half_sizes`: half widths and heights) and few are on others' borders."""
    import numpy

    cell, reach, looked_at = 2 * half_sizes.max(axis=0) + _GAP, half_sizes.min(axis=1) + _PAST, 0
    for turn in range(2 * _ROUNDS):
        if turn < _CLEARING and looked_at < _LOOKED_AT * len(places):
            near = _list_near_borders(places, edges, float(reach.max()))
            places, looked_at = places + 0.3 * _find_border_push(places, reach, edges, near), looked_at + len(near[0])
        one, other = _list_close_pairs(places, places, cell)
        one, other = one[one < other], other[one < other]
        apart = places[one] - places[other]
        lacking = half_sizes[one] + half_sizes[other] + _GAP - numpy.abs(apart)
        overlap = numpy.asarray((lacking > 0).all(axis=1))
        if turn >= _CLEARING and not overlap.any():
            break
        across = lacking[:, 0] < lacking[:, 1]
        axis = numpy.stack([across, ~across], axis=1) & overlap[:, None]
        push = numpy.where(axis, 0.3 * (lacking + 0.5) * numpy.where(apart < 0, -1, 1), 0)
        places = places.copy()
        numpy.add.at(places, one, push)
        numpy.add.at(places, other, -push)
    return places


def _find_border_push(places: Array, radii: Array, edges: Indices, near: tuple[Indices, Indices]) -> Array:
    """Return the move of each node away from other nodes' borders that are within its radius (`near`: pairs to check)."""
    import numpy

    node, edge = near
    start, end = places[edges[edge, 0]], places[edges[edge, 1]]
    way = end - start
    part = ((places[node] - start) * way).sum(axis=1) / numpy.maximum((way**2).sum(axis=1), 1e-9)
    apart = places[node] - (start + numpy.clip(part, 0, 1)[:, None] * way)
    distance = measure_lengths(apart)
    lacking = radii[node] - distance
    own = (edges[edge] == node[:, None]).any(axis=1)
    hit = (lacking > 0) & ~own & (part > 0) & (part < 1)
    move = numpy.zeros_like(places)
    numpy.add.at(move, node[hit], (lacking / numpy.maximum(distance, 1.0))[hit, None] * apart[hit])
    return numpy.clip(move, -20, 20)


def _list_near_borders(places: Array, edges: Indices, reach: float) -> tuple[Indices, Indices]:
    """Return the pairs of a node and an edge that may be within `reach` of each other: arrays of nodes and of edges."""
    import numpy

    start, end = places[edges[:, 0]], places[edges[:, 1]]
    marks = numpy.minimum(measure_lengths(end - start) // reach + 2, _MOST_MARKS).astype(int)
    edge = numpy.repeat(numpy.arange(len(edges)), marks)
    part = _number_in_groups(marks) / numpy.repeat(marks - 1, marks)
    mark, node = _list_close_pairs(
        start[edge] + part[:, None] * (end - start)[edge], places, numpy.array([1.5 * reach, 1.5 * reach])
    )
    found = numpy.unique(edge[mark] * len(places) + node)
    return found % len(places), found // len(places)


def _list_close_pairs(points: Array, others: Array, cell_size: Array) -> tuple[Indices, Indices]:
    """Return the pairs of a point and one of `others` in the same or adjacent cells of a grid, as two arrays of indexes."""
    import numpy

    low = numpy.minimum(points.min(axis=0), others.min(axis=0)) if len(points) else others.min(axis=0)
    (x, y), (x_other, y_other) = (((each - low) // cell_size).astype(int).T for each in (points, others))
    rows = 3 + int(max(y.max(initial=0), y_other.max(initial=0)))
    keys = x_other * rows + y_other
    order = keys.argsort(kind="stable")
    found = []
    for column in (-1, 0, 1):
        middle = (x + column) * rows + y
        first = numpy.searchsorted(keys[order], middle - 1, side="left")
        last = numpy.searchsorted(keys[order], middle + 1, side="right")
        counts = last - first
        found.append(
            (numpy.repeat(numpy.arange(len(points)), counts), order[_number_in_groups(counts) + numpy.repeat(first, counts)])
        )
    return numpy.concatenate([one for one, _ in found]), numpy.concatenate([other for _, other in found])


def _number_in_groups(counts: Indices) -> Indices:
    """Return the numbers, from 0, of the members in each group: `0 1 0 1 2` for groups with the counts 2 and 3."""
    import numpy

    found: Indices = numpy.arange(counts.sum()) - numpy.repeat(counts.cumsum() - counts, counts)
    return found
