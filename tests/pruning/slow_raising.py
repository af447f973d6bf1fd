"""Error-based pruning with raising in plain Python: recursive, every case routed anew, as docs/c45.md tells it."""

import math
from itertools import pairwise

from tree.slow_descent import branch_at, surrogate_branch

Z_TABLE = (
    (0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1, 0),
)


def deviate(rule):
    """Release 8's table, or the quantile by bisection."""
    if rule.deviate == "table":
        for (low, high_z), (high, low_z) in pairwise(Z_TABLE):
            if low <= rule.confidence <= high:
                return high_z + (rule.confidence - low) / (high - low) * (low_z - high_z)
    low, high = 0.0, 40.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle / math.sqrt(2)) / 2 > rule.confidence else (low, middle)
    return low


def upper_limit(n, e, rule):
    """U(N, e)."""
    return e + added(n, e, rule) if n > 0 else 0.0


def added(n, e, rule):
    confidence = rule.confidence
    if e < 1e-6:
        return n * (1 - confidence ** (1 / n))
    if e < 0.9999:
        none = n * (1 - confidence ** (1 / n))
        return none + e * (added(n, 1.0, rule) - none)
    if e + 0.5 >= n:
        return 0.67 * (n - e) if rule.nearly_all == "two_thirds" else max(n - e, 0.0)
    c = deviate(rule) ** 2
    p = (e + 0.5 + c / 2 + math.sqrt(c * ((e + 0.5) * (1 - (e + 0.5) / n) + c / 4))) / (n + c)
    return n * p - e


class SlowRaising:
    """Prunes a tree by cases, lists of (row, whole weight)."""

    def __init__(self, tree, columns, codes, unit, rule):
        self.tree, self.columns, self.codes, self.unit, self.rule = tree, columns, codes, unit, rule

    def whole(self, node=0):
        """The branch below a node as a nest of dictionaries that can be changed."""
        first, count = int(self.tree.first_child[node]), int(self.tree.n_children[node])
        return {"origin": node, "below": [self.whole(first + c) for c in range(count)]}

    def classes(self, cases):
        counts = [0] * len(self.tree.response.labels)
        for row, weight in cases:
            counts[self.codes[row]] += weight
        return counts

    def partition(self, node, cases):
        """The cases of each branch, and the known weight of each."""
        t, parts, unknown = node["origin"], [[] for _ in node["below"]], []
        for row, weight in cases:
            branch = branch_at(self.tree, self.tree.splits, t, self.columns, row)
            if branch < 0:
                branch, _ = surrogate_branch(self.tree, t, self.columns, row, "missing", 0)
            if branch == -1:
                unknown.append((row, weight))
            else:
                parts[branch].append((row, weight))
        known = [sum(weight for _, weight in part) for part in parts]
        total = sum(known)
        for part, weight_there in zip(parts, known, strict=True):
            if weight_there:
                shares = [(row, (2 * weight * weight_there + total) // (2 * total)) for row, weight in unknown]
                part += [(row, weight) for row, weight in shares if weight]
        return parts, known

    def estimate(self, node, cases, update):
        """Estimated errors of a branch with these cases; with ``update`` it is pruned meanwhile."""
        counts = self.classes(cases)
        n = sum(counts) * self.unit
        leaf = upper_limit(n, n - max(counts) * self.unit, self.rule)
        if update:
            node["counts"], node["rows"] = counts, len(cases)
            if not cases:
                node["below"] = []
        if not node["below"]:
            return leaf
        parts, known = self.partition(node, cases)
        below = sum(
            self.estimate(b, part, update) for b, part in zip(node["below"], parts, strict=True) if part or update
        )
        if not update:
            return below
        order = range(len(known)) if self.rule.largest == "first" else reversed(range(len(known)))
        largest = node["below"][max(order, key=known.__getitem__)]
        lifted = self.estimate(largest, cases, False)
        if leaf <= lifted + 0.1 and leaf <= below + 0.1:
            node["below"] = []
            return leaf
        if lifted <= below + 0.1:
            node.update(largest)
            return self.estimate(node, cases, True)
        return below

    def nodes(self, root):
        """(origin, whether a leaf, classes, rows) of each node in level order."""
        level, found = [root], []
        while level:
            found += [(node["origin"], not node["below"], node["counts"], node["rows"]) for node in level]
            level = [child for node in level for child in node["below"]]
        return found
