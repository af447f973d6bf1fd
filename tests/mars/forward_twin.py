"""The forward pass once more, in plain Python: every knot of every parent and column, by orthogonal columns from QR."""

from __future__ import annotations

import numpy as np

from boxwood.mars.terms import LEFT, LINEAR, RIGHT, factor_value


def spans(n: int, p: int, n_positive: int, product: bool) -> tuple[int, int, int]:
    """Rows between knots, at the ends, and down to the first knot (docs/mars.md)."""
    between = max(1, int((2.9702 + np.log(p * n_positive)) / 1.7329))
    end = int(7.32193 + np.log(p) / 0.69315)
    end = max(1, min(3 * end if product else end, n // 2 - 1))
    room = max(0, n - 2 * end)
    first = room // 2
    if room > between:
        first = (room % between or between) // 2
    return between, end, max(1, end + first)


def knots(x: np.ndarray, parent: np.ndarray, p: int, product: bool) -> list[float]:
    """Knots from high to low (docs/mars.md)."""
    between, end, left = spans(len(x), p, int((parent > 0).sum()), product)
    order, found = np.argsort(x, kind="stable"), []
    for i in range(len(x) - 2, end - 1, -1):
        cut = x[order[i]]
        if parent[order[i + 1]] > 0 and np.any(parent * np.maximum(0.0, x - cut)):
            left -= 1
            if left == 0:
                found.append(float(cut))
                left = between
    return found


def orthogonal(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """What is left of v."""
    for _ in range(2):
        v = v - q @ (q.T @ v)
    return v


def candidates(columns, y, products, values, max_degree):
    """(gain, slot, column, cut, linear, new form) of every candidate."""
    q = np.linalg.qr(np.column_stack([v for v in values if v is not None]))[0]
    tolerance = 0.01 if len(products) + 1 < 15 else 1e-5
    forms = [{f[0] for f in product} for product in products[1:] if product is not None]
    for slot, product in enumerate(products):
        if product is None or len(product) >= max_degree:
            continue
        parent, mine = values[slot], {f[0] for f in product}
        for j, x in enumerate(columns):
            if j in mine:
                continue
            straight = orthogonal(q, parent * x)
            least = 0.01 * x.var() * np.mean(parent[parent != 0] ** 2)
            new = (not forms or any(form != mine | {j} for form in forms)) and straight @ straight > least
            of_line = (straight @ y) ** 2 / (straight @ straight) if new else 0.0
            if new:
                yield of_line, slot, j, float(x.min()), True, True
            line = straight[:, None] / np.linalg.norm(straight) if new else np.zeros((len(x), 0))
            for cut in knots(x, parent, len(columns), bool(product)):
                hinge = parent * np.maximum(0.0, x - cut)
                rest = orthogonal(np.column_stack((q, line)), hinge)
                if rest @ rest > tolerance * np.sum((hinge - hinge.mean()) ** 2):
                    yield of_line + (rest @ y) ** 2 / (rest @ rest), slot, j, cut, False, new


def forward_twin(columns: list[np.ndarray], y: np.ndarray, max_terms: int, max_degree: int, thresh: float) -> list:
    """The products in their slots; None where a slot is empty. Every parent is tried in every step."""
    products, values = [[]], [np.ones(len(y))]
    y = (y - y.mean()) / y.std(ddof=1)
    rss = whole = float(y @ y)
    last = np.inf
    while len(products) < max_terms - 1:
        limit = min(1.01 * rss, 10.0 * last)
        found = [c for c in candidates(columns, y, products, values, max_degree) if c[4] or c[0] < limit]
        _, slot, j, cut, linear, new = max(found, key=lambda c: c[0])
        size = len(products)
        for direction in [LINEAR] if linear else [RIGHT, LEFT] if new else [RIGHT]:
            products.append([*products[slot], (j, direction, cut)])
            values.append(values[slot] * factor_value(columns[j], direction, cut))
        basis = np.column_stack([v for v in values if v is not None])
        after = float(np.sum((y - basis @ np.linalg.lstsq(basis, y, rcond=None)[0]) ** 2))
        last, rss = rss - after, after
        if last / whole < thresh:
            return products[:size]
        products += [None] * (size + 2 - len(products))
        values += [None] * (size + 2 - len(values))
    return products
