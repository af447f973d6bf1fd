"""bin_features: figures by their formulas, apart bins, exact monotone merging, and the same values in databases."""

from __future__ import annotations

import datetime
import itertools
import sqlite3
from xml.etree import ElementTree

import numpy as np
import pandas
import pytest

import boxwood
from boxwood import ParameterError, ResponseError, WeightError, bin_features
from boxwood.algorithms.binning.evidence import Totals
from boxwood.algorithms.binning.monotone import monotone_groups


def loans(n: int = 800, seed: int = 0) -> tuple[pandas.DataFrame, np.ndarray]:
    """Applicants: a numeric, a nominal and a date column, with gaps and the codes -999 and -1 in the first."""
    random = np.random.default_rng(seed)
    age = random.integers(18, 80, n).astype(float)
    city = random.choice(["北京", "Wien", "O'Hara", "上海"], n)
    opened = pandas.Series(pandas.Timestamp("2020-01-01") + pandas.to_timedelta(random.integers(0, 90, n), "D"))
    risk = 0.1 + 0.3 * (age < 35) + 0.3 * (city == "Wien")
    y = np.where(random.random(n) < risk, "坏", "好")
    age[random.random(n) < 0.05] = np.nan
    age[random.random(n) < 0.05] = -999
    age[random.random(n) < 0.02] = -1
    return pandas.DataFrame({"年龄": age, "city": np.where(random.random(n) < 0.1, None, city), "opened": opened}), y


def test_every_row_is_in_the_bin_that_counts_it_and_the_figures_are_those_of_the_formulas():
    X, y = loans()
    bins = bin_features(X, y, special_values=[-999, -1], points=(20, 600, 50))
    assert bins.event == "坏"
    events, others = int((y == "坏").sum()), int((y == "好").sum())
    for column in bins.columns:
        assert column.rows.sum() == len(y)
        assert column.events.sum() == events
        good, bad = column.rows - column.events, column.events
        assert (good > 0).all()
        assert (bad > 0).all()
        np.testing.assert_allclose(column.woe, np.log((good / others) / (bad / events)))
        np.testing.assert_allclose(column.iv, (good / others - bad / events) * column.woe)
        np.testing.assert_array_equal(column.points, np.rint(20 / np.log(2) * column.woe))
    assert bins.start == round(600 + 20 / np.log(2) * np.log(others / events / 50))
    assert [c.total_iv for c in bins.columns] == sorted((c.total_iv for c in bins.columns), reverse=True)
    age = bins["年龄"]
    assert age.conditions[-3:] == ["年龄 = -999", "年龄 = -1", "年龄 is missing"]
    assert age.rows[-3:].tolist() == [(X["年龄"] == -999).sum(), (X["年龄"] == -1).sum(), X["年龄"].isna().sum()]
    ordinary = X["年龄"].dropna().loc[lambda values: values > 0]
    assert age.rows[:-3].min() >= np.ceil(0.05 * len(ordinary))
    assert bins["city"].rate[:-1].tolist() == sorted(bins["city"].rate[:-1])


def test_the_cuts_are_those_of_a_tree_of_the_column_alone():
    X, y = loans()
    table = {"opened": X["opened"]}
    bins = bin_features(table, y, max_bins=4, min_samples_leaf=30)
    tree = boxwood.CARTClassifier(
        max_leaf_nodes=4, min_samples_leaf=30, criterion="entropy", pruning=None, max_surrogates=0
    ).fit(table, y)
    leaf = tree.apply(table)
    assert sorted(bins["opened"].rows) == sorted(np.bincount(leaf)[np.bincount(leaf) > 0])


def test_a_bin_without_events_gets_half_a_row_in_both_cells():
    woe, iv = Totals(10.0, 30.0).woe_and_iv(np.array([0.0, 10.0, 0.0]), np.array([20.0, 10.0, 0.0]))
    first = np.log((20.5 / 30) / (0.5 / 10))
    np.testing.assert_allclose(woe, [first, np.log((10 / 30) / (10 / 10)), 0.0])
    np.testing.assert_allclose(iv[0], (20.5 / 30 - 0.5 / 10) * first)


def test_whole_weights_are_the_same_as_repeated_rows_but_for_the_least_number_of_rows():
    X, y = loans(300)
    weight = np.arange(300) % 3
    repeated = X.loc[np.repeat(np.arange(300), weight)].reset_index(drop=True)
    one = bin_features(X, y, sample_weight=weight, min_samples_leaf=1, max_bins=3, special_values=[-999, -1])
    other = bin_features(repeated, np.repeat(y, weight), min_samples_leaf=1, max_bins=3, special_values=[-999, -1])
    for column in one.columns:
        assert (column.effective <= column.rows).all()
        same = other[column.name]
        assert column.conditions == same.conditions
        np.testing.assert_allclose(column.weight, same.weight)
        full = (column.events > 0) & (column.events < column.weight)
        np.testing.assert_allclose(column.woe[full], same.woe[full])


def groupings(m: int, most: int):
    """All groups of neighbours."""
    for count in range(1, most + 1):
        for cuts in itertools.combinations(range(1, m), count - 1):
            yield np.searchsorted(np.array(cuts), np.arange(m), side="right")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("direction", ["auto", "increasing", "decreasing"])
def test_monotone_groups_are_the_best_of_all(seed, direction):
    random = np.random.default_rng(seed)
    m, most = 7, 4
    events, others = random.integers(1, 30, m).astype(float), random.integers(1, 30, m).astype(float)
    totals = Totals(events.sum(), others.sum())
    signs = {"auto": (1, -1), "increasing": (1,), "decreasing": (-1,)}[direction]

    def value(groups: np.ndarray) -> float:
        bad, good = np.bincount(groups, events), np.bincount(groups, others)
        steps = np.diff(bad / (bad + good))
        if not any((sign * steps > 0).all() for sign in signs):
            return -np.inf
        return float(totals.woe_and_iv(bad, good)[1].sum())

    found = np.array(monotone_groups(events, others, totals, most, direction))
    assert value(found) == pytest.approx(max(map(value, groupings(m, most))))


def test_monotone_bins_rise_or_fall():
    X, y = loans()
    for direction, sign in (("increasing", 1), ("decreasing", -1)):
        bins = bin_features(X, y, monotone=direction, special_values=[-999, -1])
        rate = bins["年龄"].rate[:-3]
        assert (sign * np.diff(rate) > 0).all()
        assert len(rate) <= 6
    auto = bin_features(X, y, monotone="auto", special_values=[-999, -1])["年龄"]
    assert auto.total_iv == pytest.approx(
        max(
            bin_features(X, y, monotone=d, special_values=[-999, -1])["年龄"].total_iv
            for d in ("increasing", "decreasing")
        )
    )


@pytest.mark.parametrize("kind", ["woe", "points"])
def test_transform_gives_the_value_of_the_bin(kind):
    X, y = loans()
    bins = bin_features(X, y, special_values={"年龄": [-999, -1]}, points=(20, 600, 50))
    found = bins.transform(X, kind)
    assert found.shape == X.shape
    for j, name in enumerate(X.columns):
        values, rows = np.unique(found[:, j], return_counts=True)
        column = bins[name]
        of_bins = column.woe if kind == "woe" else column.points
        for value, count in zip(values, rows, strict=True):
            assert count == column.rows[of_bins == value].sum()
    new = pandas.DataFrame({"年龄": [np.nan], "city": ["Rom"], "opened": [pandas.NaT]})
    assert bins.transform(new)[0, 1:].tolist() == [0.0, 0.0]


def stored(X: pandas.DataFrame) -> list[tuple]:
    """The rows as a database holds them; dates as ISO texts."""
    return [
        (i, None if np.isnan(age) else age, city, opened.date().isoformat())
        for i, (age, city, opened) in enumerate(X.itertuples(index=False))
    ]


def test_sqlite_gives_the_same_values():
    X, y = loans()
    bins = bin_features(X.drop(columns="opened"), y, special_values=[-999, -1])
    database = sqlite3.connect(":memory:")
    database.execute('CREATE TABLE data ("row" INTEGER, "年龄" REAL, "city" TEXT)')
    database.executemany(
        "INSERT INTO data VALUES (?, ?, ?)", [row[:3] for row in [*stored(X), (len(X), None, "Rom", "")]]
    )
    query = bins.to_sql(dialect="sqlite", key=["row"])
    found = np.array(sorted(database.execute(query).fetchall()))
    np.testing.assert_array_equal(found[:-1, 1:], bins.transform(X.drop(columns="opened")))
    assert found[-1, 2] == 0.0


@pytest.mark.parametrize("kind", ["woe", "points"])
def test_duckdb_gives_the_same_values(kind):
    duckdb = pytest.importorskip("duckdb")
    X, y = loans()
    X.loc[::9, "opened"] = pandas.Timestamp("2261-12-31")
    X["opened"] = X["opened"].dt.date
    bins = bin_features(X, y, special_values={"年龄": [-999, -1], "opened": ["2261-12-31"]}, points=(20, 600, 50))
    assert bins["opened"].conditions[-1] == "opened = 2261-12-31"
    with duckdb.connect() as database:
        database.execute('CREATE TABLE loans ("row" INTEGER, "年龄" DOUBLE, "city" VARCHAR, "opened" DATE)')
        given = X.astype(object).where(X.notna(), None).itertuples(index=False)
        rows = [(i, *row) for i, row in enumerate(given)]
        database.executemany("INSERT INTO loans VALUES (?, ?, ?, ?)", rows)
        found = np.array(sorted(database.execute(bins.to_sql(kind, table="loans", key=["row"])).fetchall()))
    np.testing.assert_array_equal(found[:, 1:], bins.transform(X, kind))


def test_ordered_levels_are_cut_in_their_order():
    grade = pandas.Categorical(["low", "mid", "high", "top"] * 50, ["low", "mid", "high", "top"], ordered=True)
    y = [1, 0, 1, 0] * 5 + [1, 0, 0, 0] * 45
    column = bin_features({"grade": grade, "none": [None] * 200}, y, target_class=1, max_bins=3)["grade"]
    assert column.conditions[0] == "grade <= low"
    assert column.rows[0] == 50
    assert all(" in " not in words for words in column.conditions)


def test_a_date_can_be_special_and_a_column_without_values_has_one_bin():
    days = [datetime.date(2020, 1, 1 + i % 28) for i in range(100)]
    days[::10] = [datetime.date(9999, 12, 31)] * 10
    y = [i % 3 == 0 for i in range(100)]
    bins = bin_features({"until": days, "empty": [None] * 100}, y, special_values=["9999-12-31"])
    assert bins["until"].conditions[-1] == "until = 9999-12-31"
    assert bins["until"].rows[-1] == 10
    assert bins["empty"].conditions == ["empty is missing"]
    assert bins["empty"].total_iv == pytest.approx(0.0)


@pytest.mark.filterwarnings("ignore::boxwood.errors.KindWarning")
@pytest.mark.parametrize("special", ["31.12.9999", "9999-12-31"])
def test_a_special_date_is_written_as_in_the_table_or_in_iso_8601(special):
    days = ["31.12.9999" if i % 10 == 0 else f"{1 + i % 28}.1.2020" for i in range(100)]
    bins = bin_features({"until": days}, [i % 3 == 0 for i in range(100)], special_values={"until": [special]})
    assert (bins["until"].conditions[-1], bins["until"].rows[-1]) == ("until = 9999-12-31", 10)


def test_one_of_several_classes_is_compared_with_all_others():
    X = boxwood.datasets.load("iris")
    y = X.pop("species")
    with pytest.raises(ParameterError, match=r"target_class='(setosa|versicolor|virginica)'"):
        bin_features(X, y)
    bins = bin_features(X, y, target_class="setosa")
    assert bins.event == "setosa"
    assert bins.totals.events == 50


def test_settings_that_cannot_be_used_are_named():
    X, y = loans(60)
    for settings, error, words in (
        ({"max_bins": 1}, ParameterError, "max_bins must be a whole number of at least 2"),
        ({"monotone": "up"}, ParameterError, "monotone"),
        ({"points": (20, 600)}, ParameterError, "points must be points to double the odds"),
        ({"points": (20, 600, -1)}, ParameterError, "points must be"),
        ({"min_samples_leaf": 0}, ParameterError, "min_samples_leaf"),
        ({"special_values": {"age": [1]}}, boxwood.ColumnError, "special_values names"),
        ({"target_class": "x"}, ParameterError, "target_class"),
        ({"sample_weight": -np.ones(60)}, WeightError, "sample_weight"),
    ):
        with pytest.raises(error, match=words):
            bin_features(X, y, **settings)
    with pytest.raises(ResponseError, match="one class"):
        bin_features(X, ["a"] * 60)
    with pytest.raises(ParameterError, match="no points"):
        bin_features(X, y).to_sql("points")
    with pytest.raises(ParameterError, match="city"):
        bin_features(X, y)["citty"]


def test_text_frame_and_charts():
    X, y = loans()
    bins = bin_features(X, y, special_values=[-999, -1])
    text = str(bins)
    assert "年龄: information value" in text
    assert "年龄 = -999" in text
    assert "2 more columns" in bins.to_text(max_columns=1)
    assert len(bins.to_frame()) == sum(len(column.rows) for column in bins.columns)
    for svg in (bins.to_svg(), bins.to_svg("city")):
        assert ElementTree.fromstring(svg).tag.endswith("svg")
