"""Rows left out of folds: ranks are means over folds, and every algorithm is evaluated by repeating its whole fit."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics

import boxwood
from boxwood.algorithms.comparison import evaluated
from boxwood.cli import main
from boxwood.data import datasets
from boxwood.evaluation.class_figures import class_figures
from boxwood.evaluation.rows import coded_rows

TITANIC = str(datasets.path("titanic"))


def scored(n=600, seed=0, weighted=False):
    """Rows of three folds whose models have scores of their own, with ties."""
    rng = np.random.default_rng(seed)
    fold = rng.integers(0, 3, n)
    p = np.round(rng.uniform(size=n), 1) * 0.3 + 0.2 * fold
    y = (rng.uniform(size=n) < 0.2 + p / 2).astype(np.int64)
    return fold, p, y, rng.gamma(2.0, size=n) if weighted else None


def figures_of(fold, p, y, weight=None):
    rows = coded_rows(("no", "yes"), y, (p > 0.5).astype(int), np.column_stack((1 - p, p)), weight)
    object.__setattr__(rows, "fold", fold)
    return {figure.name: figure for figure in class_figures(rows, 1)}


@pytest.mark.parametrize("weighted", [False, True])
def test_ranks_are_means_over_folds(weighted):
    fold, p, y, w = scored(weighted=weighted)
    found = figures_of(fold, p, y, w)
    each = [(y[at], p[at], None if w is None else w[at]) for at in (fold == f for f in range(3))]
    for name, score in (("auc", metrics.roc_auc_score), ("average_precision", metrics.average_precision_score)):
        expected = np.mean([score(truth, predicted, sample_weight=weight) for truth, predicted, weight in each])
        assert found[name].value == pytest.approx(expected, abs=1e-12)
    alone = [figures_of(np.zeros(len(truth), int), predicted, truth, weight) for truth, predicted, weight in each]
    for name in ("auc", "ks", "lift_10", "average_precision"):
        assert found[name].value == pytest.approx(np.mean([one[name].value for one in alone]), abs=1e-12)
        within = np.sqrt(sum(one[name].se ** 2 for one in alone)) / 3
        assert found[name].se == pytest.approx(within, rel=0.1)  # with many rows of both classes


def test_a_fold_with_one_case_does_not_look_certain():
    rng = np.random.default_rng(0)
    z = []
    for _ in range(100):
        fold, y = np.repeat(np.arange(10), 40), np.tile(np.arange(40) < 2, 10).astype(int)
        auc = figures_of(fold, rng.uniform(size=400), y)["auc"]
        z.append((auc.value - 0.5) / auc.se)
    assert np.sqrt(np.mean(np.square(z))) < 1.3  # 1.09; within the folds alone 1.44


def test_pooled_scores_are_something_else():
    fold, p, y, w = scored(weighted=True)
    found = figures_of(fold, p, y, w)
    pooled = metrics.roc_auc_score(y, p, sample_weight=w)
    assert abs(found["auc"].value - pooled) > 0.01


def test_the_slope_of_calibration_is_that_of_least_squares_with_an_intercept_for_each_fold():
    fold, p, y, w = scored(weighted=True)
    found = figures_of(fold, p, y, w)
    design = np.column_stack((p, *(fold == f for f in range(3)))) * np.sqrt(w)[:, None]
    slope = np.linalg.lstsq(design, y * np.sqrt(w), rcond=None)[0][0]
    assert found["calibration_slope"].value == pytest.approx(slope, abs=1e-10)
    assert found["calibration"].value == pytest.approx(np.average(p - y, weights=w), abs=1e-12)


def test_the_standard_errors_are_those_of_a_bootstrap_within_folds():
    fold, p, y, _ = scored(900)
    found, rng, drawn = figures_of(fold, p, y), np.random.default_rng(1), []
    for _ in range(400):
        at = np.concatenate([rng.choice(np.flatnonzero(fold == f), (fold == f).sum()) for f in range(3)])
        drawn.append({name: figure.value for name, figure in figures_of(fold[at], p[at], y[at]).items()})
    for name in ("auc", "calibration", "calibration_slope", "brier", "log_loss"):
        assert found[name].se == pytest.approx(np.std([one[name] for one in drawn]), rel=0.15), name


def test_a_tree_of_one_leaf_has_exactly_the_auc_of_a_constant():
    rng = np.random.default_rng(3)
    X, y = {"x": rng.normal(size=300)}, np.where(rng.uniform(size=300) < 0.1, "event", "none")
    found = boxwood.compare(X, y, {"leaf": boxwood.CARTClassifier(pruning=None, min_samples_leaf=200)}, scoring="auc")
    assert (found["leaf"].score, found["leaf"].se, found.baseline.score) == (0.5, 0.0, 0.5)
    assert found["leaf"].folds == (0.5,) * 10


@pytest.mark.parametrize(
    "words",
    [
        ["cart"],
        ["c45"],
        ["c45-rules"],
        ["chaid"],
        ["mars", "--missing", "indicator", "--max-terms", "5"],
        ["tree", "--termination", '{"max_depth": 3}'],
        ["id3", "--drop", "age,fare,siblings_spouses,parents_children", "--missing", "majority"],
        ["cls", "--drop", "age,fare,siblings_spouses,parents_children", "--missing", "majority"],
    ],
    ids=lambda words: words[0],
)
def test_fit_evaluates_every_algorithm_on_rows_left_out(words, tmp_path, capsys):
    args = ["fit", TITANIC, "--target", "survived", "-o", str(tmp_path / "m.box"), "--algorithm", *words]
    assert main([*args, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    found = facts["evaluation"]
    assert (found["of"], found["rows"], found["target_class"]) == ("cross-validation", 1109, "yes")
    assert {"auc", "ks", "log_loss", "brier", "calibration", "calibration_slope"} <= set(found["figures"])
    if words[0] not in ("id3", "cls"):  # which the few different rows of these columns decide
        assert all(figure["se"] > 0 for figure in found["figures"].values())
        assert found["headline"].startswith("Better than always predicting no")
    assert facts["training"]["headline"].startswith("Not evaluated (training accuracy 0.")


def test_the_figures_are_those_of_compare(tmp_path, capsys):
    args = ["fit", TITANIC, "--target", "survived", "-o", str(tmp_path / "m.box"), "--algorithm", "chaid", "--json"]
    assert main(args) == 0
    found = json.loads(capsys.readouterr().out)["evaluation"]["figures"]
    for scoring in ("accuracy", "auc", "brier"):
        assert (
            main(["compare", TITANIC, "--target", "survived", "--models", "chaid", "--scoring", scoring, "--json"]) == 0
        )
        table = json.loads(capsys.readouterr().out)["models"]
        assert found[scoring]["value"] == pytest.approx(table[scoring][0], abs=1e-12)
        assert found[scoring]["se"] == pytest.approx(table["se"][0], abs=1e-12)


def test_numbers_and_counts_are_evaluated_by_folds(tmp_path, capsys):
    rng = np.random.default_rng(5)
    x, years = rng.normal(size=400), rng.uniform(0.5, 2.0, 400)
    claims = rng.poisson(years * np.exp(0.5 * x))
    lines = ["x,years,claims", *(f"{a},{b},{c}" for a, b, c in zip(x, years, claims, strict=True))]
    file, model = tmp_path / "t.csv", str(tmp_path / "m.box")
    file.write_text("\n".join(lines), encoding="utf-8")
    words = ["--target", "claims", "--task", "regression", "-o", model, "--json"]
    assert main(["fit", str(file), *words, "--exposure", "years", "--criterion", "poisson"]) == 0
    rates = json.loads(capsys.readouterr().out)["evaluation"]
    assert rates["figures"]["d2"]["value"] > 0.05
    assert rates["figures"]["poisson_deviance"]["se"] > 0
    assert main(["fit", str(file), *words, "--drop", "years", "--algorithm", "mars"]) == 0
    assert json.loads(capsys.readouterr().out)["evaluation"]["figures"]["r2"]["value"] > 0.05


def test_of_many_rows_only_the_first_folds_are_evaluated(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(evaluated, "MOST_ROWS", 1000)
    args = ["fit", TITANIC, "--target", "survived", "-o", str(tmp_path / "m.box"), "--algorithm", "chaid"]
    assert main(args) == 0
    out = capsys.readouterr().out
    assert " rows left out in turn (2 of 10 folds).\n" in out


def test_a_file_or_nothing_in_the_place_of_folds(tmp_path, capsys):
    new, model = str(datasets.path("titanic_new")), str(tmp_path / "m.box")
    args = ["fit", TITANIC, "--target", "survived", "-o", model, "--algorithm", "chaid"]
    assert main([*args, "--evaluate", "none"]) == 0
    assert "\nNot evaluated (training accuracy 0.784).\n" in capsys.readouterr().out
    assert main([*args, "--evaluate", new]) == 0
    fitted = capsys.readouterr().out
    assert main(["evaluate", model, new]) == 0
    assert capsys.readouterr().out.rstrip() in fitted
    assert main([*args, "--evaluate", "nowhere.csv"]) == 2
    assert "there is no file 'nowhere.csv'" in capsys.readouterr().err


def test_a_fit_that_cannot_be_repeated_reports_why(tmp_path, capsys):
    file = tmp_path / "t.csv"
    file.write_text("a,y\n1,no\n2,yes\n3,yes\n", encoding="utf-8")
    assert main(["fit", str(file), "--target", "y", "-o", str(tmp_path / "m.box"), "--pruning", "none"]) == 0
    out = capsys.readouterr().out
    assert "Note: the fit cannot be repeated without some of the rows: there are 3 rows" in out
    assert "Not evaluated (training accuracy 1.000)." in out


def test_data_in_parts_are_evaluated_by_the_folds_of_the_pruner_or_not(tmp_path, capsys):
    lines = datasets.path("titanic").read_text(encoding="utf-8").splitlines()
    for name, part in (("a", lines[1:500]), ("b", lines[500:])):
        (tmp_path / f"{name}.csv").write_text("\n".join([lines[0], *part]), encoding="utf-8")
    args = ["fit", str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), "--target", "survived", "-o", str(tmp_path / "m")]
    assert main(args) == 0
    assert "Evaluation by cross-validation, 1,109 rows left out in turn." in capsys.readouterr().out
    assert main([*args, "--algorithm", "chaid"]) == 0
    assert "Not evaluated (training accuracy 0.784). To evaluate it: boxwood evaluate" in capsys.readouterr().out


def test_an_interrupt_during_the_evaluation_leaves_the_model(tmp_path, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluated, "cross_validated", interrupted)
    model = tmp_path / "m.box"
    assert main(["fit", TITANIC, "--target", "survived", "-o", str(model), "--algorithm", "chaid"]) == 130
    assert capsys.readouterr().err == "Interrupted; the model was written, but not evaluated.\n"
    assert boxwood.load(model).get_n_leaves() == 5


def test_models_of_earlier_releases_have_the_rarer_class_of_their_root():
    folder = Path(__file__).parents[1] / "model" / "released" / "0.1.0"
    for file in ("cart", "c45", "chaid", "id3"):
        model = boxwood.load(folder / f"{file}.box")
        if len(model.classes_) == 2:
            root = model.tree_.moments[0]
            rarer = model.classes_.tolist()[int(root[1] <= root[0])]
            assert model.model_.interest == rarer


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_as_many_new_rows_are_not_those_of_the_fit(class_weight):
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(2, 500, 3))
    y, truth = rng.random((2, 500)) < 0.3
    for pruning in ("cv", None):  # a single leaf, and many
        model = boxwood.CARTClassifier(pruning=pruning, class_weight=class_weight).fit(X, y)
        assert model.evaluate(new, truth).of == "evaluation data"
        assert model.evaluate(X, y).of == ("evaluation data" if pruning == "cv" else "training set")
    single = boxwood.CARTClassifier(pruning="cv").fit(X, y)
    assert single.evaluate(new, y).of == "evaluation data"  # halves of a stratified split have equal classes
