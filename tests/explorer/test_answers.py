"""The page's own predict, run by node, equals predict in Python: all algorithms, policies and hard rows."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from boxwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    CHAIDRegressor,
    CLSClassifier,
    ID3Classifier,
    TreeClassifier,
    datasets,
)
from boxwood.algorithms.editing.conditions import path_of
from boxwood.edits import OverruleLeaf
from boxwood.errors import ParameterError
from boxwood.model.explorer.contents import Contents, of_tree
from boxwood.model.explorer.document import to_json
from boxwood.model.explorer.kinds import TimePage
from boxwood.model.explorer.page import COMPUTES, joined
from boxwood.model.explorer_page import contents_of
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.tree.descend import route
from boxwood.tree.rebuild import keep_nodes
from boxwood.views.boxes import all_ranges
from boxwood.views.given_condition import nodes_within
from boxwood.views.read_condition import read_condition
from explorer.hard_rows import hard_rows, plain_rows
from tree.random_trees import chain, random_tree

HERE = Path(__file__).parent
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed (apt install nodejs)")

HOSTILE = ["</script><script>alert(1)</script>", "a \"b\" 'c'", "行\n列", "", " ", "<!--", "‮abc", "null", "面积"]


def cases(name: str, contents: Contents, n: int = 120) -> dict:
    """A document, and Python's shown of hard rows in three trees of its family."""
    tree, family = contents.tree, contents.family
    cuts = sorted({-1, contents.selected, len(family.alphas) // 2, len(family.alphas) - 1})
    columns = hard_rows(tree, n, seed=len(name), missing=not contents.refuses_missing)
    unseen = "missing" if contents.unseen == "error" else contents.unseen
    shown = []
    for cut in cuts:
        smaller = tree if cut < 0 else keep_nodes(tree, family.collapses_at <= family.alphas[cut])
        routing = route(smaller, columns, unseen)
        classes = tree.response.kind == CLASSES
        shown.append({
            "cut": cut, "rows": plain_rows(columns), "node": routing.node.tolist(),
            "value": routing.value(smaller).tolist(),
            "probability": routing.probability(smaller).tolist() if classes else None,
        })  # fmt: skip
    return {
        "name": name,
        "document": json.loads(to_json(contents)),
        "cuts": shown,
        "conditions": conditions(tree),
        "paths": [list(path_of(tree, t)) if writes_alike(tree, t) else None for t in range(tree.n_nodes)],
    }


def writes_alike(tree, node: int) -> bool:
    """Whether scripts write the numbers of a path as Python does: all but levels such as 2.0, and cuts beyond 2**53."""
    above = tree.path(node)[:-1]
    levels = [level for t in above for level in tree.schema[int(tree.splits.feature[t])].levels]
    return not tree.splits.take(above).breaks_low.any() and not any(type(level) is float for level in levels)


def conditions(tree) -> dict[str, list[int] | None]:
    """Conditions of paths and of parts of them as text, and the nodes that they find in Python; None = no condition."""
    texts = {"", "no such feature <= 3"}
    for ranges in all_ranges(tree)[1:40]:
        words = [part.words(tree.schema, None) for part in ranges if part.has_values]
        texts |= {*words, " and ".join(words)}
        texts |= {f"{word} or missing" for word in words[:1]}
    found = {}
    for text in sorted(texts):
        try:
            found[text] = nodes_within(read_condition(text, tree.schema), tree)
        except ParameterError:
            found[text] = None
    return found


def check(found: list[dict]) -> None:
    done = subprocess.run(
        [NODE, str(HERE / "answers.mjs")],
        input=json.dumps({"script": joined((*TimePage.scripts, *COMPUTES)), "cases": found}),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["rows"] >= len(found) * 40
    assert answer["wrong"] == []


@pytest.mark.parametrize("kind", [CLASSES, MEAN, RATE])
def test_random_trees_with_every_kind_of_split(kind):
    """Sets, many branches, ordinal levels, shares, rows that stay, empty leaves, surrogates: any, anywhere."""
    made = [
        cases(f"{kind} {seed} {unseen}", of_tree(random_tree(seed, kind, 40), unseen=unseen), 60)
        for seed in range(12)
        for unseen in ("missing", "majority", "stay", "error")
    ]
    check(made)


def hostile_table(n: int = 300):
    """Names and levels that would break out of markup, quotes and lines; whole numbers beyond 2**53; true and false."""
    rng = np.random.default_rng(5)
    column = [HOSTILE[i] for i in rng.integers(0, len(HOSTILE), n)]
    large = [2**60 + int(i) for i in rng.integers(0, 8, n)]
    flag = [bool(i) for i in rng.integers(0, 2, n)]
    holes = [None if rng.random() < 0.15 else float(x) for x in rng.normal(size=n)]
    X = {HOSTILE[0]: column, HOSTILE[1]: large, HOSTILE[2]: flag, "__proto__": holes}
    score = [HOSTILE.index(a) + 2 * (b - 2**60) + 3 * c + (d or 0) for a, b, c, d in zip(*X.values(), strict=True)]
    return X, [HOSTILE[int(s) % 4] for s in score], score


def fitted() -> dict:
    titanic = datasets.load("titanic")
    survived = titanic.pop("survived")
    soybean = datasets.load("soybean")
    disease = soybean.pop(list(soybean)[-1])
    breaks = datasets.load("warpbreaks")
    count = breaks.pop("breaks")
    computers = datasets.load("computer_hardware")
    speed = computers.pop("performance")
    X, y, score = hostile_table()
    small = {"termination": {"max_depth": 5}}
    models = {
        f"cart {policy}": CARTClassifier(missing=policy, unseen=unseen, pruning=None).fit(titanic, survived)
        for policy, unseen in (
            ("surrogate", "missing"), ("learned", "majority"), ("majority", "stay"), ("own_branch", "error"),
            ("stay", "missing"), ("surrogate_or_stay", "majority"),
        )
    }  # fmt: skip
    complete = {name: titanic[name] for name in ("class", "sex", "siblings_spouses", "parents_children")}
    models |= {
        "cart error": CARTClassifier(missing="error", pruning=None).fit(complete, survived),
        "cart chosen": CARTClassifier().fit(titanic, survived),
        "cart costs": CARTClassifier(costs=[[0, 1], [3, 0]], priors=[0.3, 0.7], pruning=None).fit(titanic, survived),
        "cart regression": CARTRegressor(pruning=None).fit(computers, speed),
        "cart poisson": CARTRegressor(criterion="poisson", pruning=None).fit(breaks, count),
        "cart in order": CARTClassifier(monotonic_cst={"age": -1, "fare": 1}, pruning=None).fit(titanic, survived),
        "cart in order, pruned": CARTClassifier(monotonic_cst={"age": -1, "fare": 1}).fit(titanic, survived),
        "regression in order": CARTRegressor(monotonic_cst=[0, -1, 1, 0, 1, 0, 0], pruning=None).fit(computers, speed),
        "cart hostile": CARTClassifier(pruning=None).fit(X, y),
        "regression hostile": CARTRegressor(pruning=None).fit(X, score),
        "fractional": TreeClassifier(missing="fractional", **small).fit(titanic, survived),
        "c45": C45Classifier().fit(titanic, survived),
        "c45 soybean": C45Classifier(pruning=None).fit(soybean, disease),
        "c45 hostile": C45Classifier(pruning=None).fit(X, y),
        "chaid": CHAIDClassifier().fit(titanic, survived),
        "chaid hostile": CHAIDClassifier(alpha_split=0.9, min_samples_split=20, min_samples_leaf=5).fit(X, y),
        "chaid regression": CHAIDRegressor().fit(computers, speed),
    }
    overruled = C45Classifier().fit(titanic, survived)
    editor = overruled.edit(titanic, survived)
    for leaf in overruled.tree_.leaves[::3].tolist():
        editor.take(OverruleLeaf(leaf, "no" if overruled.tree_.value[leaf] else "yes"), why="the law")
    models["c45 overruled"] = overruled
    melons = datasets.load("watermelon_2")
    ripe = melons.pop("好瓜")
    melons.pop("编号")
    return models | {"cls": CLSClassifier().fit(melons, ripe), "id3": ID3Classifier().fit(melons, ripe)}


def test_fitted_models_of_every_algorithm():
    check([cases(name, contents_of(model.model_)) for name, model in fitted().items()])


def test_rows_go_down_a_tree_of_any_depth():
    check([cases("chain", of_tree(chain(800)))])


def test_a_wrong_answer_is_noticed():
    made = cases("wrong", of_tree(random_tree(3)))
    made["cuts"][0]["value"][0] = 1 - made["cuts"][0]["value"][0]
    with pytest.raises(AssertionError):
        check([made])
