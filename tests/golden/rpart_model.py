"""Our CART set up like a call of rpart, and what it found written down as rpart prints it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from boxwood.algorithms import REGISTRY
from boxwood.data.columns.columns import Columns
from boxwood.model.tree_model import TreeModel
from boxwood.pruning.cost_complexity import risk_of
from boxwood.pruning.pruners.cost_complexity import CostComplexity
from boxwood.tree.split import SplitTable
from boxwood.tree.tree import Tree
from golden.oracles import data_set, fit_of, learned, levels_of, numbers, task_of

#: rpart's control, in our words.
DEFAULTS = {
    "compat": "rpart",
    "min_samples_split": 20,
    "min_samples_leaf": 7,
    "max_depth": 30,
    "max_competitors": 4,
    "max_surrogates": 5,
    "n_jobs": 1,
}
#: What each variant of the oracles changes; see their README.
VARIANTS = {
    "default": {},
    "deep": {"min_samples_split": 5, "min_samples_leaf": 2, "max_competitors": 2, "max_surrogates": 3},
    "surr0": {"missing": "stay"},
    "surr1": {"missing": "surrogate_or_stay"},
    "surrstyle1": {"surrogate_style": 1},
    "depth3": {"max_depth": 3},
    "information": {"criterion": "entropy"},
    "prior_uniform": {"priors": "uniform"},
    "loss": {"costs": [[0, 1], [3, 0]]},
    "cost": {},
    "anova": {},
    "sqrt": {},
}
CP = {"deep": 0.0, "depth3": 0.001}
#: Row i was held out in fold i mod 10, counted on all rows of the data.
FOLDS = 10


@dataclass(frozen=True, eq=False)
class Run:
    """Our model of one fit, the columns it was learned from, and those of newdata."""

    model: TreeModel
    columns: Columns
    newdata: Columns
    method: str
    costs: tuple[float, ...]


@cache
def run(name: str, fit_id: str) -> Run:
    """Fit what rpart fitted."""
    data, fit = data_set(name), fit_of(name, "rpart", fit_id)
    variant, task, method = fit_id.split("/")[1], task_of(data, fit), fit["method"]
    n, dropped = len(data["data"][task["target"]]), np.array(fit["result"].get("dropped_rows", []), dtype=int)
    rows = np.setdiff1d(np.arange(n), dropped - 1)
    columns, newdata = learned(data, task, rows)
    costs = tuple(1 + 0.5 * i if variant == "cost" else 1.0 for i in range(len(columns.schema)))
    settings = DEFAULTS | VARIANTS[variant] | {"pruning": pruning(fit, variant, rows)}
    if variant == "cost":
        settings["feature_costs"] = list(costs)
    if method in ("poisson", "exp"):
        settings |= {"criterion": "poisson", "shrink": 0.0 if variant == "sqrt" else 1.0}
    y, exposure = response(data, task, method, rows)
    model = REGISTRY["cart"].fit(
        columns,
        y,
        task="classification" if method == "class" else "regression",
        settings=settings,
        weight=numbers(data, task["weights"])[rows] if task["weights"] else None,
        exposure=exposure,
    )
    return Run(model, columns, newdata, method, costs)


def pruning(fit: dict, variant: str, rows: np.ndarray) -> CostComplexity:
    """rpart's pruning, with the folds of a fit that was cross-validated."""
    folds = rows % FOLDS if len(fit["result"]["cptable"]["columns"]) == 5 else None
    risk = "error" if fit["method"] == "class" else None
    return CostComplexity(rule="none", folds=folds, cp=CP.get(variant, 0.01), risk=risk, style="rpart")


def response(data: dict, task: dict, method: str, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """y and exposure: class numbers, numeric targets, or events in a time on the scale of cumulative hazard."""
    y = numbers(data, task["target"])[rows]
    if method == "class":
        return y.astype(int), None
    if method != "exp":
        return y, None
    event = (y == levels_of(data, task["target"]).index(task["event"])).astype(float)
    return event, cumulative_hazard(numbers(data, task["time"])[rows], event)


def cumulative_hazard(time: np.ndarray, event: np.ndarray) -> np.ndarray:
    """rpart's time scale for survival: hazard constant between deaths, the last death being no border."""
    borders = np.concatenate(([0.0], np.unique(time[event > 0])[:-1], [time.max()]))
    spent = np.clip(time[:, None], borders[:-1], borders[1:]) - borders[:-1]
    interval = np.searchsorted(borders[1:], time[event > 0], side="left")
    deaths = np.bincount(interval, minlength=len(borders) - 1)
    return spent @ (deaths / spent.sum(axis=0))


def node_numbers(tree: Tree) -> list[int]:
    """rpart's number of each node: the root 1, the children of i 2i and 2i + 1."""
    number = [1] * tree.n_nodes
    for t in range(1, tree.n_nodes):
        parent = int(tree.parent[t])
        number[t] = 2 * number[parent] + t - int(tree.first_child[parent])
    return number


def risk(found: Run, tree: Tree) -> np.ndarray:
    """rpart's dev of each node."""
    return risk_of(tree, "error" if found.method == "class" else None)


def complexity(found: Run) -> dict[int, float]:
    """rpart's complexity of each node of the pruned tree by number."""
    path, full, tree = found.model.path, found.model.full_tree, found.model.tree
    at = dict(zip(node_numbers(full), (path.collapses_at / path.root_risk).tolist(), strict=True))
    least = float(path.alphas[0]) / path.root_risk
    return {n: least if tree.is_leaf[t] else at[n] for t, n in enumerate(node_numbers(tree))}


def cp_table(found: Run) -> np.ndarray:
    """CP, nsplit, rel error and, after cross-validation, xerror and xstd; the root alone first."""
    model, path = found.model, found.model.path
    columns = [path.alphas / path.root_risk, path.n_leaves - 1.0, path.risks / path.root_risk]
    if model.held_out is not None:
        columns.extend((model.held_out * (model.unit / path.root_risk)).T)
    return np.column_stack(columns)[::-1]


def improvement(found: Run, node: int, feature: int, score: float) -> float:
    """rpart's improve: natural logarithms, divided by the feature's cost, for regression a share of the node's risk."""
    tree = found.model.tree
    total = score * float(tree.weight[node]) / found.costs[feature]
    if tree.made_by["measure"] == "entropy":
        total *= math.log(2)
    return total / float(tree.moments[node, 2]) if found.method == "anova" else total


def direction(tree: Tree, table: SplitTable, s: int) -> tuple:
    """A split as rpart writes it: ("cut", ncat, value), or ("levels", 1 left, 3 right, 2 not here for every level)."""
    feature = tree.schema[int(table.feature[s])]
    index, breaks = table.index_of(s), table.breaks_of(s)
    if feature.kind == "numeric":
        return ("cut", -1 if index[0] == 0 else 1, float(breaks[0]))
    if feature.kind == "ordinal":
        index = index[np.searchsorted(breaks, np.arange(len(feature.levels)), side="left")]
    return ("levels", *(2 if branch < 0 else 1 + 2 * int(branch) for branch in index))


def splits(found: Run) -> list[tuple]:
    """(node number, role, feature, improve or agree, adj, direction) of every split of the tree."""
    tree, out = found.model.tree, []
    names = tree.schema.names
    for t, number in enumerate(node_numbers(tree)):
        if tree.is_leaf[t]:
            continue
        feature = int(tree.splits.feature[t])
        improve = improvement(found, t, feature, float(tree.score[t]))
        out.append((number, "primary", names[feature], improve, 0.0, direction(tree, tree.splits, t)))
        for s in range(tree.competitor_start[t], tree.competitor_start[t + 1]):
            feature = int(tree.competitors.feature[s])
            improve = improvement(found, t, feature, float(tree.competitor_score[s]))
            out.append((number, "competitor", names[feature], improve, 0.0, direction(tree, tree.competitors, s)))
        for s in range(tree.surrogate_start[t], tree.surrogate_start[t + 1]):
            name, numbers_of = names[int(tree.surrogates.feature[s])], (tree.agreement[s], tree.adjusted[s])
            out.append((number, "surrogate", name, *map(float, numbers_of), direction(tree, tree.surrogates, s)))
    return out


def printed_splits(fit: dict, data: dict) -> list[tuple]:
    """The same of rpart's own output."""
    result = fit["result"]
    table = result.get("splits") or {}
    if not table or not table["node"]:
        return []
    kinds = {column["name"]: column for column in data["columns"]}
    out = []
    for i, name in enumerate(table["var"]):
        if kinds[name]["type"] == "numeric":
            where = ("cut", table["ncat"][i], float(table["index"][i]))
        else:
            row = result["csplit"][int(table["index"][i]) - 1]
            where = ("levels", *row[: len(kinds[name]["levels"])])
        facts = (table["node"][i], table["role"][i], name, table["improve_or_agree"][i], table["adj"][i])
        out.append((*facts, where))
    return out
