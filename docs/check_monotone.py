"""Checks the order of the predictions of a tree that boxwood wrote as JSON, without boxwood: a proof, or two rows.

python check_monotone.py tree.json

Two rows go down the tree together. They agree in every feature, or in each feature with an order (1 or -1) the second
row has a value at least as high (or as low); both lack the same values. Of each feature, it is known in which part of
its values each row lies: an interval (low, high], or a set of levels. Where the parts of the two rows exclude each
other, there are no such rows. Where no prediction below one node is above all below the other, nothing can be wrong.
"""

import json
import math
import sys

GAP = "gap"


def read_cut(cut):
    """A cut and its low part, by which whole numbers beyond 2**53 differ."""
    cut, low = cut if isinstance(cut, list) else (cut, 0.0)
    return float(cut), low


def parts_of(split, feature):
    """(branch, part of the values) of each position of a split; branch None: levels that it has not seen."""
    if feature["kind"] == "nominal":
        branch_of = dict(split["branches"])
        return [(branch_of.get(level), frozenset([level])) for level in range(len(feature["levels"]))]
    ends = [(-math.inf, 0.0), *map(read_cut, split["cuts"]), (math.inf, 0.0)]
    return [(branch, (ends[position], ends[position + 1])) for position, branch in split["branches"]]


def meet(part, other):
    """What two parts have in common, None = nothing."""
    if isinstance(part, frozenset):
        return part & other or None
    low, high = max(part[0], other[0]), min(part[1], other[1])
    return (low, high) if low < high else None


def value_of(node):
    """The number that has an order: the probability of the second class, or the prediction."""
    return node["probability"][1] if "probability" in node else node["value"]


class Check:
    def __init__(self, plain):
        self.nodes, self.features = plain["nodes"], plain["schema"]["features"]
        if not plain.get("monotonic") or not any(plain["monotonic"]["order"]):
            sys.exit("this tree has no order to check: fit it with monotonic_cst")
        self.order, self.gaps = plain["monotonic"]["order"], plain["monotonic"]["gaps"]
        self.gaps = [gap and not plain["policies"]["refuse_missing"] for gap in self.gaps]
        self.least, self.most = {}, {}
        self.check_nodes()
        self.check_policies(plain["policies"]["unseen"])
        for node in reversed(self.nodes):
            below = node.get("children", []) or [node["id"]]
            values = [value_of(node)] if node.get("missing", -2) < 0 else []
            self.least[node["id"]] = min(values + [self.least[c] for c in below if c in self.least])
            self.most[node["id"]] = max(values + [self.most[c] for c in below if c in self.most])

    def check_nodes(self):
        """Nodes are numbered from the root down, and every prediction is a number."""
        for place, node in enumerate(self.nodes):
            below = [node["id"] == place, *(place < child < len(self.nodes) for child in node.get("children", []))]
            if not all(below) or not math.isfinite(value_of(node)):
                sys.exit(f"node {place} is not as boxwood writes it: its number, its children or its prediction")

    def check_policies(self, unseen):
        """Rows must end in leaves; levels that a split has not seen may follow the heaviest branch."""
        for node in self.nodes:
            if node.get("missing", 0) < 0 or unseen == "stay":
                sys.exit(f"rows may stay at node {node['id']}: this check is about trees whose rows end in leaves")
            if "split" in node and unseen == "majority":
                moments = [self.nodes[child]["moments"] for child in node["children"]]
                weights = [sum(m) if "probability" in node else m[0] for m in moments]
                node["split"]["unseen"] = weights.index(max(weights))

    def narrowed(self, known, j, side, part):
        """What is known of both rows if the value of one of them lies in a part; None = no two rows are left."""
        rows = list(known.get(j, (part, part) if self.order[j] == 0 else (None, None)))
        for row in (0, 1) if self.order[j] == 0 else (side,):
            rows[row] = part if rows[row] is None else meet(rows[row], part)
            if rows[row] is None:
                return None
        first, second = rows
        if self.order[j] and first is not None and second is not None:
            in_order = first[0] < second[1] if self.order[j] > 0 else second[0] < first[1]
            if not in_order:
                return None
        return {**known, j: tuple(rows)}

    def branches(self, split, side, known):
        """(branch, what is known then) of a row at a split; branch None: it does not know the row."""
        j = split["feature"]
        if known.get(j) == GAP or (j not in known and self.gaps[j]):
            yield None, {**known, j: GAP}
        if known.get(j) != GAP:
            for branch, part in parts_of(split, self.features[j]):
                narrowed = self.narrowed(known, j, side, part)
                if narrowed is not None:
                    yield split.get("unseen", branch) if branch is None else branch, narrowed

    def steps(self, node, side, known):
        """(child, what is known then): by the split, else by the surrogates in order, else by the branch of gaps."""
        open_ones = [known]
        for split in (node["split"], *node["surrogates"]):
            waiting, open_ones = open_ones, []
            for one in waiting:
                for branch, narrowed in self.branches(split, side, one):
                    if branch is None:
                        open_ones.append(narrowed)
                    else:
                        yield node["children"][branch], narrowed
        for one in open_ones:
            yield node["children"][node["missing"]], one

    def run(self):
        """None, or the leaves of two rows in the wrong order, and what is known of these rows."""
        open_pairs = [(0, 0, {})]
        while open_pairs:
            first, second, known = open_pairs.pop()
            if self.most[first] <= self.least[second]:
                continue
            inner = [i for i, t in enumerate((first, second)) if "children" in self.nodes[t]]
            if not inner:
                return first, second, known
            side = inner[0] if len(inner) == 1 else int(second < first)
            for child, narrowed in self.steps(self.nodes[(first, second)[side]], side, known):
                open_pairs.append((child, second, narrowed) if side == 0 else (first, child, narrowed))
        return None


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        plain = json.load(file)
    check = Check(plain)
    wrong = check.run()
    names = [feature["name"] for feature in check.features]
    order = {name: sign for name, sign in zip(names, check.order, strict=True) if sign}
    print("order:", order, "| gaps:", [name for name, gap in zip(names, check.gaps, strict=True) if gap])
    if wrong is None:
        print("proved: no two rows are in the wrong order")
    else:
        first, second, known = wrong
        print(f"wrong: leaf {first} predicts {value_of(check.nodes[first])}, leaf {second} less")
        print({check.features[j]["name"]: parts for j, parts in known.items()})
    sys.exit(wrong is not None)
