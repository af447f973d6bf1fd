"""compare: the same folds for all, scores that can be checked by hand, failures reported by name."""

from __future__ import annotations

import logging
from xml.etree import ElementTree

import numpy as np
import pandas
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

import boxwood
from boxwood import CARTClassifier, CARTRegressor, DataError, ID3Classifier, ParameterError, compare, datasets
from boxwood.cli import main
from boxwood.pictures.fonts import families
from theory.tables import table


def iris():
    table = datasets.load("iris")
    return table, table.pop("species")


def rows_of(table: dict, rows) -> dict:
    return {name: [column[i] for i in rows] for name, column in table.items()}


def test_scores_are_those_of_the_folds_given():
    X, y = iris()
    fold = np.arange(150) % 5
    found = compare(X, y, {"full": CARTClassifier(pruning=None)}, folds=fold)
    right = []
    for f in range(5):
        model = CARTClassifier(pruning=None).fit(
            rows_of(X, np.flatnonzero(fold != f)), [y[i] for i in np.flatnonzero(fold != f)]
        )
        held_out = np.flatnonzero(fold == f)
        right.append(model.predict(rows_of(X, held_out)) == np.array([y[i] for i in held_out]))
    entry = found["full"]
    assert entry.folds == tuple(np.mean(part) for part in right)
    every = np.concatenate(right)
    assert entry.score == pytest.approx(every.mean())
    assert entry.se == pytest.approx(np.sqrt(every.var() / 150))
    whole = CARTClassifier(pruning=None).fit(X, y)
    assert (entry.leaves, entry.depth) == (whole.get_n_leaves(), whole.get_depth())
    assert (found.best.name, entry.behind, entry.behind_se) == ("full", 0.0, 0.0)


def test_folds_do_not_depend_on_the_order_of_rows_or_the_number_of_threads():
    X, y = iris()
    names = ["cart/none", "tree"]
    found = compare(X, y, names, folds=5, scoring="log_loss")
    order = np.random.default_rng(1).permutation(150)
    shuffled = compare(rows_of(X, order), [y[i] for i in order], names, folds=5, scoring="log_loss", n_jobs=2)
    for one, other in zip(found.entries, shuffled.entries, strict=True):
        assert one.score == pytest.approx(other.score, rel=1e-12)
        assert one.leaves == other.leaves
        np.testing.assert_array_equal(one.loss[order], other.loss)
    other_folds = compare(X, y, names, folds=5, scoring="log_loss", random_state=1)
    assert other_folds["tree"].loss.tolist() != found["tree"].loss.tolist()


def test_prunings_and_estimators_of_others_are_compared():
    X, y = iris()
    models = {
        "1se": "cart/1se",
        "stump": CARTClassifier(max_depth=1, pruning=None),
        "sk": DecisionTreeClassifier(max_depth=1),
    }
    found = compare(X, y, models, folds=5)
    assert found["1se"].leaves < 9
    assert found["sk"].score == pytest.approx(found["stump"].score, abs=0.05)
    assert found["stump"].behind == found["stump"].score - found.best.score
    assert not any(entry.error for entry in found.entries)
    arrays = compare(np.column_stack(list(X.values())), y, models, folds=5)
    assert arrays["stump"].score == found["stump"].score


def test_a_model_that_fails_is_reported_and_hides_nobody():
    X, y = iris()
    found = compare(X, y, {"bad": CARTClassifier(max_depth=-1), "good": "cart/none"}, folds=5)
    assert found["bad"].error.startswith("all rows: max_depth must be")
    assert np.isnan(found["bad"].score)
    assert found.best.name == "good"
    text = found.to_text()
    assert "bad                failed" in text
    assert "bad failed, all rows: max_depth must be" in text
    nobody = compare(X, y, {"bad": CARTClassifier(max_depth=-1)}, folds=5)
    assert "bad (failed)" in nobody.to_svg()
    with pytest.raises(ParameterError, match="no model could be compared"):
        _ = nobody.best


def test_labels_in_the_place_of_models_are_no_algorithms():
    X, y = iris()
    with pytest.raises(ParameterError, match=r"models must be one of .*; got 'setosa'"):
        compare({"cart": "cart"}, X, y)


def test_numbers_have_r2_mse_and_mae():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = X[:, 0] * 2 + rng.normal(size=80) / 10
    found = compare(X, y, {"tree": CARTRegressor(pruning=None), "line": LinearRegression()}, folds=4)
    assert found.scoring == "r2"
    assert found.best.name == "line"
    squared = compare(X, y, {"tree": "cart/none"}, folds=4, scoring="mse", task="regression")
    assert found["tree"].score == pytest.approx(1 - squared["tree"].score / np.var(y))
    assert compare(X, y, ["cart"], folds=4, scoring="mae")["cart"].score < 1.0
    assert not np.isnan(found["tree"].leaves)
    assert np.isnan(found["line"].leaves)


def test_weights_of_zero_count_nowhere_and_weights_count():
    X, y = iris()
    fold, weight = np.arange(150) % 3, np.where(np.arange(150) < 75, 1.0, 0.0)
    kept = np.flatnonzero(weight)
    found = compare(X, y, ["cart/none"], folds=fold, sample_weight=weight)
    alone = compare(rows_of(X, kept), [y[i] for i in kept], ["cart/none"], folds=fold[kept])
    assert found["cart/none"].score == alone["cart/none"].score


def test_classes_that_a_fold_lacks_have_probability_0():
    X, y = {"x": [1, 2, 3, 4, 5, 6]}, ["a", "a", "b", "b", "c", "a"]
    found = compare(X, y, ["cart/none"], folds=[0, 1, 0, 1, 0, 1], scoring="log_loss")
    assert found["cart/none"].score > 5.0
    assert compare(X, y, ["cart/none"], folds=[0, 1, 0, 1, 0, 1], scoring="brier")["cart/none"].score <= 2.0


@pytest.mark.filterwarnings("ignore::boxwood.errors.FontWarning")  # where no font has Chinese signs
def test_the_frame_and_the_plot_have_every_model():
    X, y = iris()
    found = compare(X, y, {"剪枝": "cart", "bad": CARTClassifier(max_depth=-1)}, folds=5)
    frame = found.to_frame()
    assert frame["model"].tolist() == ["剪枝", "bad"]
    assert set(frame.columns) >= {"accuracy", "se", "leaves", "depth", "seconds", "error"}
    axes = found.plot()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["剪枝", "bad (failed)"]
    assert "bad (failed)" in found.to_svg()
    assert found.plot(axes) is axes
    assert axes.get_yticklabels()[0].get_fontfamily() == families(["剪枝"])


def test_progress_is_reported_and_notes_are_kept(caplog):
    X, y = {"x": list(range(12))}, list("aabbabaabbab")
    with caplog.at_level(logging.INFO, logger="boxwood"):
        found = compare(X, y, ["cart"], folds=3)
    assert sum("cart: fold" in line for line in caplog.messages) == 3
    assert any("too few rows" in note for note in found.notes)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"models": []}, "models is empty"),
        ({"models": ["cart", "cart"]}, "two models are called 'cart'"),
        ({"models": [3]}, "must be a name such as 'cart' or an estimator"),
        ({"models": "cart"}, "models must be a list or a dictionary"),
        ({"models": ["oak"]}, "models must be one of .*; got 'oak'"),
        ({"scoring": "r2"}, "scoring must be one of 'accuracy', 'error', 'log_loss', 'auc', 'brier'"),
        ({"folds": 1}, "folds must be a whole number of at least 2"),
        ({"folds": [0] * 150}, "folds must name at least 2 folds"),
        ({"folds": [0, 1]}, "folds must be a number, or a whole number for each of the 150 rows"),
        ({"folds": 151}, "there are 150 rows, too few for 151 folds"),
        ({"task": "ranking"}, "task must be"),
    ],
)
def test_what_cannot_be_compared_is_refused(given, words):
    X, y = iris()
    with pytest.raises(ParameterError, match=words):
        compare(X, y, **({"models": ["cart/none"]} | given))


def test_small_tables_of_names_have_folds_that_do_not_depend_on_the_order_of_rows():
    X, y = table("loan")
    found = compare(X, y, ["cart/none", "id3"], folds=5)
    order = np.random.default_rng(0).permutation(15)
    shuffled = compare(rows_of(X, order), [y[i] for i in order], ["cart/none", "id3"], folds=5)
    assert found["id3"].loss[order].tolist() == shuffled["id3"].loss.tolist()
    assert not found["id3"].error


def test_lengths_must_agree():
    with pytest.raises(DataError, match="inconsistent numbers of samples"):
        compare({"x": [1, 2, 3]}, ["a", "b"], ["cart"])


def test_it_is_public():
    assert boxwood.compare is compare


def test_rates_are_evaluated_as_counts():
    rng = np.random.default_rng(2)
    X, time = rng.integers(0, 3, size=(300, 1)).astype(float), rng.uniform(1.0, 20.0, 300)
    counts = rng.poisson((1.0 + X[:, 0]) * time)
    fold = np.arange(300) % 3
    rates = CARTRegressor(criterion="poisson", pruning=None)
    found = boxwood.compare(X, counts, {"rates": rates}, folds=fold, scoring="mse", task="regression", exposure=time)
    loss = np.empty(300)
    for f in range(3):
        held = fold == f
        rates.fit(X[~held], counts[~held], exposure=time[~held])
        loss[held] = (counts[held] - rates.predict(X[held]) * time[held]) ** 2
    assert found["rates"].score == pytest.approx(loss.mean())
    with pytest.raises(ParameterError, match="exposure is for models of rates"):
        boxwood.compare(X, counts, ["cart"], task="regression", exposure=time)
    with pytest.raises(DataError, match="exposure must be positive"):
        boxwood.compare(X, counts, {"rates": rates}, task="regression", exposure=-time)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_auc_is_that_of_all_held_out_rows(weighted):
    X, y = iris()
    two = [label == "virginica" for label in y]
    weight = np.linspace(0.5, 2.0, 150) if weighted else None
    found = compare(X, two, ["cart/none"], folds=[i % 5 for i in range(150)], scoring="auc", sample_weight=weight)
    entry = found["cart/none"]
    rows = np.ones(150) if weight is None else weight
    assert entry.score == pytest.approx(np.average(entry.loss, weights=rows), abs=1e-12)
    assert 0.8 < entry.score <= 1.0
    assert found.baseline.score == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize(
    ("scoring", "score"), [("accuracy", 1 / 3), ("log_loss", np.log(3)), ("brier", 2 / 3), ("auc", 0.5)]
)
def test_the_baseline_is_below_the_models(scoring, score):
    found = compare(*iris(), ["cart"], folds=3, scoring=scoring)
    assert found.baseline.score == pytest.approx(score, abs=1e-12)
    assert found.to_text().splitlines()[2].startswith("(always setosa)")


@pytest.mark.parametrize("name", ["id3", "cls", "mars"])
def test_algorithms_that_refuse_missing_values_are_compared_with_a_policy(name, tmp_path, capsys):
    rng = np.random.default_rng(0)
    cities = ["乌尔姆", "京都", None, "Bonn"]
    X = {"city": [cities[i] for i in rng.integers(0, 4, 200)], "size": ["s", "m", "l", None] * 50}
    y = ["yes" if city == "京都" else "no" for city in X["city"]]
    found = compare(X, y, ["cart", name], folds=3, scoring="auc")
    assert [entry.error for entry in found.entries] == ["", ""]
    assert found.entries[1].score > 0.9
    policy = "indicator" if name == "mars" else "own_branch"
    assert any(
        note.startswith(f"{name} refuses missing values by default, and column 'city' has some; it is compared with "
                        f"missing={policy!r}") for note in found.notes
    )  # fmt: skip
    assert "refuses" not in str(compare({"city": ["a", "b"] * 100}, y, [name], folds=3))
    pandas.DataFrame(X | {"y": y}).to_csv(tmp_path / "t.csv", index=False)
    words = ["compare", str(tmp_path / "t.csv"), "--target", "y", "--models", f"cart,{name}", "--folds", "3"]
    assert main([*words, "--chart", str(tmp_path / "c.svg")]) == 0
    out = capsys.readouterr().out
    assert "failed" not in out
    assert f"it is compared with --missing {policy}" in out
    drawn = "".join(ElementTree.parse(tmp_path / "c.svg").getroot().itertext())
    assert "always no" in drawn
    assert name in drawn
    assert "accuracy, 3 folds" in drawn


def test_an_estimator_set_to_refuse_them_still_does():
    X = {"city": ["a", None] * 20}
    found = compare(X, ["n", "y"] * 20, {"own": ID3Classifier(missing="error")}, folds=2)
    assert "missing" in found.entries[0].error
