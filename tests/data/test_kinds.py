"""The kinds of features: what a column of each holds, and which facet a layer gives it."""

import pickle

import numpy as np
import pytest

from boxwood.data.columns.kinds.kind import UNSEEN, ByKind
from boxwood.data.columns.schema import Feature
from boxwood.data.columns.temporal import Temporal

DAYS = Temporal("date", "D", "D")
FEATURES = {
    "numeric": Feature("size", "numeric"),
    "ordinal": Feature("grade", "ordinal", ("low", "mid", "high")),
    "nominal": Feature("town", "nominal", ("Bonn", "Ulm")),
    "temporal": Feature("day", "numeric", integer=True, temporal=DAYS),
}


@pytest.mark.parametrize("name", FEATURES)
def test_a_column_has_its_values_and_its_missing_ones(name):
    kind = pickle.loads(pickle.dumps(FEATURES[name])).type
    column = kind.column([1, None, 0])
    assert kind.missing(column).tolist() == [False, True, False]
    assert kind.known(column).tolist() == [True, False, True]
    assert kind.missing(np.array([kind.nothing])).all()
    assert ByKind("numeric", "ordinal", "nominal", "temporal").of(FEATURES[name]) == name


def test_a_level_that_is_new_is_neither_known_nor_missing_until_it_is_taken_as_missing():
    kind, column = FEATURES["nominal"].type, np.array([0, UNSEEN], dtype=np.int32)
    assert not kind.known(column)[1]
    assert not kind.missing(column)[1]
    assert kind.missing(kind.seen(column))[1]


def test_values_are_those_that_came():
    originals = {name: feature.type.original(1, feature.levels) for name, feature in FEATURES.items()}
    assert originals == {"numeric": 1, "ordinal": "mid", "nominal": "Ulm", "temporal": DAYS.value(1)}
    assert [feature.kind_name for feature in FEATURES.values()] == ["numeric", "ordinal", "nominal", "date"]


def test_levels_of_a_split():
    inside, breaks = np.array([True, False]), np.array([0.5])
    assert FEATURES["ordinal"].type.by_level(inside, breaks, 3).tolist() == [True, False, False]
    assert FEATURES["nominal"].type.by_level(inside, breaks[:0], 2).tolist() == [True, False]
