"""The tree in words and as a table."""

import importlib
import importlib.util
import re
from dataclasses import replace

import numpy as np
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from boxwood.data.columns.schema import NUMERIC, Feature, Schema
from boxwood.errors import NotAvailableError, ParameterError, ParameterTypeError
from boxwood.statistics.intervals import wilson
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.tree.rebuild import keep_nodes
from boxwood.tree.tree import SHARED, STAYS
from boxwood.views.importance import mdi
from boxwood.views.small_leaves import small_leaves_words
from boxwood.views.table import to_frame, to_records
from boxwood.views.text import to_text
from boxwood.views.words import columns
from effort import FULL
from tree.random_trees import chain, random_tree

KINDS = (CLASSES, MEAN, RATE)

THREE = """\
Decision tree (cart) for fruit: 5 nodes, 3 leaves, depth 2
all rows (2 rows, apple 0.333)
├─ age <= 0 → apple 0.333 [0.045 to 0.841] (2 rows)
└─ age > 0 or missing (1 row, apple 0.333)
   ├─ age <= 0.5 → apple 0.333 [0.025 to 0.906] (1 row)
   └─ age > 0.5 or missing → apple 0.333 [0.025 to 0.906] (1 row)
[ ] 95 % interval: all 3 leaves hold fewer than 7 rows"""

ONLY = "the only leaf holds fewer than 7 rows"  # and no parameter would avoid it


def test_the_whole_text():
    assert to_text(chain(2)) == THREE
    folded = to_text(chain(2), max_depth=1).splitlines()
    assert folded[:3] == THREE.splitlines()[:3]
    assert folded[3] == "└─ age > 0 or missing (1 row, apple 0.333) … 2 below"
    assert folded[4] == "... 2 more nodes below; to_text(max_lines=None) shows all"
    assert "or missing" in to_text(chain(2, MEAN))
    assert "rate " in to_text(chain(2, RATE))


@pytest.mark.sample(30)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("max_lines", [1, 2, 3, 4, 5, 10, 30, 31, 60, None])
def test_length_and_width(seed, kind, max_lines):
    tree = random_tree(seed, kind, 45)
    for width in (20, 47, 100):
        lines = to_text(tree, max_lines, width=width).splitlines()
        assert len(lines) <= (max_lines or 10**9)
        assert all(columns(line) <= width for line in lines)
    whole = to_text(tree, max_lines, width=None)
    shown = len(re.findall(r"\d+ rows?[,)]", whole))
    more = re.search(r"^\.\.\. (\d+) more node", whole, re.M)
    if max_lines is None or max_lines > 2:
        assert shown + int(more[1] if more else 0) == tree.n_nodes
        below = re.findall(r"… (\d+) below$", whole, re.M)
        assert sum(map(int, below)) == int(more[1] if more else 0)
    if max_lines is None:
        assert shown == tree.n_nodes
        assert whole.count("→") == tree.n_leaves


NOTE = "~ too many levels to try every grouping; this one was found by a heuristic"


def test_a_heuristic_search_is_marked_at_its_branches_and_explained_once():
    tree = chain(2)
    lines = to_text(replace(tree, heuristic=np.array([True, False, False, False, False]))).splitlines()
    assert lines == [
        "Decision tree (cart) for fruit: 5 nodes, 3 leaves, depth 2",
        "all rows (2 rows, apple 0.333)",
        "├─ age <= 0~ → apple 0.333 [0.045 to 0.841] (2 rows)",
        "└─ age > 0~ or missing (1 row, apple 0.333)",
        *THREE.splitlines()[4:],
        NOTE,
    ]
    assert "~" not in to_text(tree)


@pytest.mark.parametrize("seed", range(6))
def test_marks_and_footnotes_of_random_trees(seed):
    tree = random_tree(seed, n_nodes=45)
    lines = to_text(tree, None, width=None).splitlines()
    assert (NOTE in lines) == bool(tree.heuristic.any())
    assert ("* surrogate splits are tried first" in lines) == bool(len(tree.surrogates))
    inner = to_text(replace(tree, heuristic=~tree.is_leaf), None, width=None).splitlines()
    for line in inner[2 : 1 + tree.n_nodes]:
        assert ("~" in line) != (" is missing" in line or "no value of" in line)
    narrow = to_text(replace(tree, heuristic=~tree.is_leaf), 12, width=40).splitlines()
    assert len(narrow) <= 12
    assert narrow[-1].startswith("~ too many levels")


def test_a_split_of_many_levels_and_three_classes_is_marked():
    rng = np.random.default_rng(0)
    X = {"city": [f"城{i:02d}" for i in range(30) for _ in range(4)]}
    model = CARTClassifier(max_depth=1, pruning=None).fit(X, rng.integers(0, 3, 120))
    assert model.tree_.heuristic.tolist() == [True, False, False]
    lines = model.tree_.to_text().splitlines()
    assert all("more}~" in line for line in lines[2:4])
    assert lines[-1] == NOTE


def test_empty_branches_and_shared_rows():
    tree = chain(2)
    rows = np.array([2, 0, 2, 1, 2])
    moments = np.array([[2, 0, 0], [0, 0, 0], [2, 0, 0], [1, 0, 0], [0.25, 0.75, 0]], dtype=float)
    tree = replace(tree, rows=rows, moments=moments, missing=np.array([SHARED, STAYS, STAYS, STAYS, STAYS], np.int32))
    assert to_text(tree).splitlines()[1:] == [
        "all rows (2 rows, apple 1.000; missing: shared)",
        "├─ age <= 0 → apple 1.000 (0 rows, as above)",
        "└─ age > 0 (2 rows, apple 1.000; missing: stays)",
        "   ├─ age <= 0.5 → apple 1.000 [0.207 to 1.000] (1 row)",
        "   └─ age > 0.5 → 梨 0.750 [0.118 to 0.985] (2 rows, weight 1)",
        "[ ] 95 % interval: 2 of 3 leaves hold fewer than 7 rows",
    ]
    records = to_records(tree)
    assert records["missing"] == ["shared", None, "stays", None, None]
    assert [records[name][1] for name in ("rows", "weight", "value", "p_apple", "impurity")] == [0, 0, "apple", 1, 0]


def test_a_tree_that_just_fits_is_not_folded():
    tree = chain(14)
    tree = replace(tree, rows=10 * tree.rows)  # no leaf is small
    assert tree.n_nodes == 29
    assert len(to_text(tree).splitlines()) == 30
    assert "more" not in to_text(tree)
    assert "more" in to_text(chain(15))


def test_siblings_are_shown_together():
    tree = random_tree(3, n_nodes=200)
    for most in range(3, 60):
        lines = to_text(tree, most, width=None).splitlines()
        opened, closed = sum("├─ " in line for line in lines), sum("└─ " in line for line in lines)
        assert opened >= closed


def test_hostile_names():
    tree = chain(1)
    name = "a\nb\x1b]0;x\x07" + "很长的名字" * 30
    tree = replace(
        tree,
        schema=Schema((Feature(name, NUMERIC), *tree.schema.features[1:])),
        response=Classes("y\r", ("\x1b[2J", "b", "c"), (1.0, 1.0, 1.0)),
        made_by={"algorithm": ["\n"]},
    )
    text = to_text(tree)
    assert len(text.splitlines()) == 5
    assert not set("\x1b\r\x07") & set(text)
    assert all(columns(line) <= 100 for line in text.splitlines())
    assert text.count("很长") > 0
    assert "<= 0 →" in to_text(tree, width=None)


@pytest.mark.parametrize("value", [0, -3, 1.5, "a", True])
@pytest.mark.parametrize("name", ["max_lines", "width"])
def test_limits(name, value):
    with pytest.raises((ParameterError, ParameterTypeError), match=name):
        to_text(chain(1), **{name: value})


def test_depth_does_not_matter():
    tree = chain(100_000 if FULL else 4_000)
    tree = replace(tree, rows=10 * tree.rows)
    text = to_text(tree, max_lines=None)
    assert len(text.splitlines()) == tree.n_nodes + 1
    assert all(columns(line) <= 100 for line in text.splitlines()[::997])
    assert 28 <= len(to_text(tree).splitlines()) <= 30


def test_a_leaf():
    lines = to_text(keep_nodes(chain(1), np.ones(3, bool))).splitlines()[1:]
    assert lines == ["all rows → apple 0.333 [0.025 to 0.906] (1 row)", f"[ ] 95 % interval: {ONLY}"]


@pytest.mark.parametrize("kind", KINDS)
def test_records(kind):
    tree = random_tree(2, kind, 40)
    records = to_records(tree)
    assert {len(column) for column in records.values()} == {tree.n_nodes}
    assert records["parent"] == tree.parent.tolist()
    assert all(c is None or isinstance(c, str) for c in records["condition"])
    for t in range(1, tree.n_nodes):
        assert tree.first_child[records["parent"][t]] + records["branch"][t] == t
    assert (records["branch"][0], records["condition"][0], records["depth"][0]) == (-1, None, 0)
    if kind == CLASSES:
        shares = np.column_stack([records[f"p_{label}"] for label in tree.response.labels])
        assert np.array_equal(shares, tree.probability)
        assert records["value"] == [tree.response.labels[k] for k in tree.value]
    else:
        assert records["value"] == tree.value.tolist()
    for t in range(tree.n_nodes):
        has = tree.surrogate_start[t] < tree.surrogate_start[t + 1]
        assert (records["surrogate"][t] is not None) == has == (records["n_surrogates"][t] > 0)
        assert (records["missing"][t] is None) == (records["feature"][t] is None) == bool(tree.is_leaf[t])


@pytest.mark.parametrize("kind", KINDS)
def test_frames(kind):
    tree = random_tree(2, kind, 40)
    records = to_frame(tree, "dict")
    for backend in ("pandas", "polars", "pyarrow"):
        frame = to_frame(tree, backend)
        names = frame.column_names if backend == "pyarrow" else list(frame.columns)
        assert names == list(records)
        assert frame.shape == (tree.n_nodes, len(records))
    assert type(to_frame(tree)).__module__.startswith("pandas")


def test_frames_of_large_labels():
    response = Classes("y", (2**70, 2**71, 2**72), (1.0, 1.0, 1.0))
    tree = replace(chain(1), response=response)
    assert to_frame(tree, "dict")["value"] == [2**70] * 3
    assert (
        to_frame(tree, "polars")["value"].to_list()
        == to_frame(tree, "pyarrow")["value"].to_pylist()
        == [str(2**70)] * 3
    )
    assert to_frame(tree, "pandas")["value"].tolist() == [2**70] * 3


def test_backends_that_are_not_there(monkeypatch):
    with pytest.raises(ParameterError, match="'pandas', 'polars', 'pyarrow', 'dict', None"):
        to_frame(chain(1), "excel")

    def missing(name, *_):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(NotAvailableError, match='"pip install polars"'):
        to_frame(chain(1), "polars")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NotAvailableError, match='backend="dict"'):
        to_frame(chain(1))


@pytest.mark.parametrize("kind", KINDS)
def test_importance_of_nodes_adds_up_to_that_of_features(kind):
    tree = random_tree(2, kind, 40)
    of_nodes = np.array(to_frame(tree, "dict")["importance"])
    assert (of_nodes[tree.is_leaf] == 0.0).all()
    features = tree.splits.feature[~tree.is_leaf]
    of_features = np.bincount(features, of_nodes[~tree.is_leaf], len(tree.schema))
    np.testing.assert_allclose(of_features, mdi(tree, normalize=False), atol=1e-12)


def test_small_leaves_have_intervals_and_are_counted_in_one_line():
    rows = {"income": [float(i) for i in range(40)]}
    y = ["good"] * 30 + ["bad"] * 2 + ["good"] * 8
    tree = CARTClassifier(pruning=None).fit(rows, y).tree_
    lines = tree.to_text().splitlines()
    low, high = wilson(np.ones(1), np.full(1, 2.0))
    assert sum(f"→ bad 1.000 [{low[0]:.3f} to {high[0]:.3f}] (2 rows)" in line for line in lines) == 1
    assert all("[" in line for line in lines if "→" in line and "(2 rows)" in line)
    assert all("[" not in line for line in lines if "(30 rows)" in line or "(8 rows)" in line)
    count = "1 of 3 leaves holds fewer than 7 rows; min_samples_leaf=7 avoids them"
    assert lines[-1] == f"[ ] 95 % interval: {count}"
    assert tree.rules().to_text().splitlines()[-1] == f"{count}."
    svg = tree.to_svg()
    assert f"{count}; range: 95 % interval." in " ".join(re.findall(r">([^<]+)<", svg))
    assert "34.2 % to 100.0 %" in svg
    large = CARTClassifier(pruning=None, min_samples_leaf=7).fit(rows, y).tree_
    assert "fewer than 7 rows" not in large.to_text() + large.rules().to_text() + large.to_svg()


@pytest.mark.parametrize(
    ("model", "remedy"),
    [
        (CARTRegressor(pruning=None), "; min_samples_leaf=7 avoids them"),
        (CARTClassifier(pruning=None), "; min_samples_leaf=7 avoids them"),
        (C45Classifier(pruning=None), "; min_branch_weight=7 leaves fewer"),
        (ID3Classifier(), ""),
    ],
)
def test_the_parameter_that_avoids_small_leaves(model, remedy):
    y = [0, 1, 2, 3] * 6 if isinstance(model, CARTRegressor) else ["a", "b", "c", "d"] * 6
    rows = {"x": ["abcd"[i % 4] for i in range(24)]} if remedy == "" else {"x": [float(i % 4) for i in range(24)]}
    words = small_leaves_words(model.fit(rows, y).tree_)
    assert words == f"all 4 leaves hold fewer than 7 rows{remedy}"
