"""C4.5 on the small tables: the trees of section 6 and the figures of cuts, release 8's charge included."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import C45Classifier
from theory.tables import table
from theory.test_cls_and_id3 import ID3_LOAN, ID3_TENNIS, RATIO_WATERMELON, branches

NO_LIMITS = {"min_branch_weight": 1.0, "pruning": None, "collapse": False}


def fitted(name: str, **settings) -> C45Classifier:
    return C45Classifier(**settings).fit(*table(name))


@pytest.mark.parametrize(
    ("name", "tree"), [("loan", ID3_LOAN), ("play_tennis", ID3_TENNIS), ("watermelon_2", RATIO_WATERMELON)]
)
def test_s0_26_section_6_trees_without_pruning(name, tree):
    assert branches(fitted(name, **NO_LIMITS).model_) == tree


def test_section_6_ratios_of_the_nodes():
    assert fitted("loan", **NO_LIMITS).tree_.score[:2] == pytest.approx([0.4325380678, 1.0])
    assert fitted("play_tennis", **NO_LIMITS).tree_.score[0] == pytest.approx(0.1564275624)
    tree = fitted("watermelon_2", **NO_LIMITS).tree_
    touch = int(np.flatnonzero(tree.splits.feature == tree.schema.names.index("触感"))[0])
    assert tree.score[touch] == pytest.approx(0.4988652656)


def test_section_6_watermelons_as_j48_prunes_them():
    clear = ("触感", {"硬滑": ("是", 6), "软粘": ("否", 3)})
    expected = ("纹理", {"清晰": clear, "稍糊": ("否", 5), "模糊": ("否", 3)})
    assert branches(fitted("watermelon_2", compat="j48").model_) == expected


def root_gains(charge: bool, m: float) -> dict[str, float]:
    """Gain of every feature of watermelon 3.0 at the root, less the charge."""
    settings = {"criterion": "gain", "max_depth": 1, "pruning": None, "collapse": False, "max_competitors": 99}
    tree = C45Classifier(cut_charge=charge, min_branch_weight=m, **settings).fit(*table("watermelon_3")).tree_
    found = {tree.schema[tree.splits.feature[0]].name: tree.score[0]}
    features = tree.competitors.feature[: tree.competitor_start[1]]
    return found | {tree.schema[f].name: tree.competitor_score[c] for c, f in enumerate(features)}


def test_section_6_cuts_of_the_watermelons():
    free, charged = root_gains(charge=False, m=1.0), root_gains(charge=True, m=1.0)
    assert [free["密度"], free["含糖率"]] == pytest.approx([0.2624392604, 0.3492937223])
    # All 16 cuts leave one row on each side: the charge is the log2(N - 1) / N of the texts.
    assert [charged["密度"], charged["含糖率"]] == pytest.approx([0.0271451428, 0.1139996047])
    # With m = 2 there are 14 cuts.
    assert root_gains(charge=True, m=2.0)["密度"] == pytest.approx(0.2624392604 - np.log2(14) / 17)
