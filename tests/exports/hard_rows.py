"""Rows that are hard for an exported tree: on and next to its cuts, missing, infinite, unseen, with hostile names."""

from __future__ import annotations

import numpy as np

from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NOMINAL, NUMERIC, ORDINAL, UNSEEN, Feature, Schema
from boxwood.tree.tree import Tree

#: Names and levels that break careless writers of text.
HOSTILE = Schema(
    (
        Feature('a "quoted" <name> & more', NUMERIC, (), "float64 column"),
        Feature("size; DROP TABLE x--", NUMERIC, (), "int64 column", integer=True),
        Feature(
            "颜色\n色",
            NOMINAL,
            ("", " ", "a b", "a", "<b>&amp;", 'c"d', "e'f", "g\\", "\\", "梨", "null", "NaN", "1", "\t", "x\ny"),
        ),
        Feature("等级", ORDINAL, ("low]]>", "-中-", "高", "very high")),
        Feature("select", NOMINAL, (False, True), "bool column"),
        Feature("%s {0}", NOMINAL, (-5, 3, 17), "declared"),
        Feature("''", NOMINAL, (0.0, 0.1, 2.5), "declared"),
    ),
    named=True,
)


def hard_columns(tree: Tree, seed: int, n: int = 150) -> Columns:
    """Rows of values around all thresholds of a tree, with every level, missing values and levels never seen."""
    rng = np.random.default_rng(seed)
    cuts = {j: [0.0] for j in range(len(tree.schema))}
    for table in (tree.splits, tree.surrogates):
        for s, j in enumerate(table.feature.tolist()):
            cuts.get(j, []).extend(table.breaks_of(s).tolist())
    values = []
    for j, feature in enumerate(tree.schema):
        if feature.kind != NUMERIC:
            values.append(rng.integers(UNSEEN, len(feature.levels), n).astype(np.int32))
            continue
        near = np.array(cuts[j])
        pool = np.concatenate([near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf), near + 1, near - 1])
        drawn = rng.choice(pool, n)
        drawn[rng.random(n) < 0.15] = np.nan
        drawn[rng.random(n) < 0.05] = np.inf
        drawn[rng.random(n) < 0.05] = -np.inf
        values.append(drawn)
    return Columns(tree.schema, n, tuple(values), (None,) * len(tree.schema), {})
