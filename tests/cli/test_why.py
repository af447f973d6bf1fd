"""The commands explain, explain-split and compare."""

import json

import pytest

from boxwood.cli import main
from boxwood.data import datasets

TITANIC, NEW, LOAN, COMPUTERS = (
    str(datasets.path(name)) for name in ("titanic", "titanic_new", "loan", "computer_hardware")
)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    titanic, loan = str(folder / "titanic.box"), str(folder / "loan.box")
    assert main(["fit", TITANIC, "--target", "survived", "-o", titanic, "--quiet"]) == 0
    assert (
        main(["fit", LOAN, "--target", "类别", "--drop", "id", "-o", loan, "--quiet", "--min-samples-split", "2"]) == 0
    )
    return {"titanic": titanic, "loan": loan}


def test_explain_tells_a_row_counted_from_1(run, models):
    code, out, err = run("explain", models["loan"], LOAN, "--row", 3)
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith("row 3: 类别 = ")
    assert "node 0 (9 of 15 rows)" in out


def test_explain_shows_the_first_rows_or_those_requested(run, models):
    code, out, _ = run("explain", models["titanic"], NEW)
    assert code == 0
    assert [line.split(":")[0] for line in out.splitlines() if line.startswith("row ")] == [
        f"row {i}" for i in range(1, 6)
    ]
    _, out, _ = run("explain", models["titanic"], NEW, "--row", 2, "--row", 7)
    assert [line.split(":")[0] for line in out.splitlines() if line.startswith("row ")] == ["row 2", "row 7"]


def test_explain_as_json_holds_the_steps_and_what_rows_met(run, models):
    code, out, err = run("explain", models["titanic"], NEW, "--row", 2, "--json")
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert set(facts["steps"]["row"]) == {2}
    assert set(facts["met"]) == {"missing", "unseen", "surrogate", "stayed", "shared"}
    change = facts["steps"]["contribution_yes"]
    assert sum(change) == pytest.approx(facts["steps"]["p_yes"][-1] - facts["steps"]["p_yes"][0], abs=1e-12)


def test_rows_that_are_not_there_are_refused(run, models):
    code, _, err = run("explain", models["loan"], LOAN, "--row", 16)
    assert code == 2
    assert "has 15 rows" in err


def test_explain_split_lists_candidates(run, models):
    code, out, err = run("explain-split", models["loan"], LOAN)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "node 0: 15 rows, 否 6, 是 9"
    assert lines[1].startswith("  1  有工作: ")
    assert len(lines) == 5 or lines[1].startswith("leaf")


@pytest.mark.parametrize(
    ("notation", "sign"), [("text", "Gini(D) = 1 - "), ("latex", r"\frac{6}{15}"), ("html", "<table>")]
)
def test_explain_split_writes_the_arithmetic(run, models, notation, sign):
    code, out, _ = run("explain-split", models["loan"], LOAN, "--feature", "信用", "--format", notation)
    assert code == 0
    assert sign in out


def test_explain_split_takes_measures_digits_and_branches(run, models):
    words = ("explain-split", models["loan"], LOAN, "--feature", "年龄", "--branches", "values")
    _, out, _ = run(*words, "--measures", "entropy", "--digits", 10)
    assert "H(D | 年龄) = " in out
    assert "= 0.8879430946" in out
    assert "gain = 0.9709505945 - 0.8879430946 = 0.0830074999" in out
    _, out, _ = run(*words, "--measures", "all")
    assert "χ² = " in out
    _, out, _ = run(*words, "--json")
    records = json.loads(out)["candidates"]
    assert records["gain"][records["feature"].index("年龄")] == pytest.approx(0.0830074999, abs=5e-11)


def test_measures_alone_show_the_arithmetic_and_unknown_ones_are_an_error(run, models):
    words = ("explain-split", models["loan"], LOAN)
    code, out, _ = run(*words, "--measures", "entropy")
    assert code == 0
    assert "H(D | 年龄) = " in out
    for more in ((), ("--quiet",), ("--format", "html")):
        code, _, err = run(*words, "--measures", "gni", *more)
        assert code != 0
        assert "--measures must be among 'entropy', 'gini', " in err
        assert "did you mean 'gini'?" in err
    code, _, err = run(*words, "--measures", "gini", "--format", "summary")
    assert code == 2
    assert "--measures and --format summary exclude each other" in err


def test_explain_split_refuses_what_does_not_fit(run, models):
    assert run("explain-split", models["loan"], LOAN, "--node", 99)[0] == 2
    assert "there is no feature 'x'" in run("explain-split", models["loan"], LOAN, "--feature", "x")[2]
    code, _, err = run("explain-split", models["titanic"], NEW)
    assert code == 1
    assert "not the ones that the model was fitted to" in err
    assert "give the data of the fit, with the same --sample-weight" in err


def test_compare_prints_a_table_of_models(run):
    code, out, err = run("compare", TITANIC, "--target", "survived", "--models", "cart,cart/none,tree", "--folds", 3)
    assert (code, err) == (0, "")
    assert "Score: accuracy, 3 folds." in out
    for name in ("cart ", "cart/none ", "tree "):
        assert f"\n  {name}" in out


def test_compare_as_json_and_with_two_jobs(run):
    words = (
        "compare",
        TITANIC,
        "--target",
        "age",
        "--task",
        "regression",
        "--drop",
        "survived",
        "--models",
        "cart/none",
    )
    code, _, err = run(*words, "--folds", 3, "--json")
    assert code == 1
    assert "missing" in err
    words = ("compare", LOAN, "--target", "类别", "--drop", "id", "--models", "cart/none,chaid", "--folds", 3)
    _, out, _ = run(*words, "--scoring", "log_loss", "--json")
    facts = json.loads(out)
    assert facts["models"]["model"] == ["cart/none", "chaid"]
    assert run(*words, "--scoring", "log_loss", "--n-jobs", 2, "--json")[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--models", "oak"), "--models must be one of"),
        (("--models", "cart,cart"), "names cart twice"),
        (("--models", ","), "names none"),
        (("--scoring", "r2"), "scoring must be one of"),
        (("--drop", "nobody"), "there is no column 'nobody'"),
    ],
)
def test_compare_refuses_what_it_cannot_do(run, words, message):
    code, _, err = run("compare", LOAN, "--target", "类别", "--folds", 2, *words)
    assert code in (1, 2)
    assert message in err


def test_a_model_that_fails_is_reported(run):
    code, out, _ = run("compare", TITANIC, "--target", "survived", "--models", "id3,cart/none", "--folds", 3)
    assert code == 1
    assert "id3 failed, " in out
    code, out, err = run(
        "compare", TITANIC, "--target", "survived", "--models", "id3,cart/none", "--folds", 3, "--quiet"
    )
    assert (code, out, "id3 failed, " in err) == (1, "", True)


@pytest.mark.parametrize(
    ("file", "target", "models", "message"),
    [
        (TITANIC, "survived", "cart,cart/1see", "--models names 'cart/1see': pruning must be 'cv', 'cv-1se', "),
        (TITANIC, "survived", "cart,mars/none", "--models names 'mars/none': there is no parameter 'pruning'"),
        (TITANIC, "survived", "cart,cartt", "--models must be one of c45, "),
        (COMPUTERS, "performance", "cart,c4.5", "--models names 'c4.5', which does not support regression"),
    ],
)
def test_what_no_data_could_fit_is_refused_before_any_fit(run, file, target, models, message):
    code, out, err = run("compare", file, "--target", target, "--models", models, "--folds", 2)
    assert (code, out) == (2, "")
    assert message in err


def test_predict_counts_what_rows_met(run, models, tmp_path):
    _, out, _ = run("predict", models["titanic"], TITANIC, "-o", tmp_path / "p.csv")
    assert "Rows that met a missing value: " in out
    _, out, _ = run("predict", models["titanic"], TITANIC, "-o", tmp_path / "p.csv", "--json")
    assert json.loads(out)["met"]["missing"] > 0


def test_quiet_prints_nothing(run, models):
    for words in (
        ("explain", models["loan"], LOAN),
        ("explain-split", models["loan"], LOAN),
        ("compare", LOAN, "--target", "类别", "--models", "cart/none", "--folds", 2),
    ):
        assert run(*words, "--quiet") == (0, "", "")


def test_compare_models_counts_by_exposure(run, tmp_path):
    file = tmp_path / "counts.csv"
    rows = [(i, x, 10 * (i % 4 + 1), (3 if x == "夜" else 1) * (i % 4 + 1)) for i, x in enumerate("日夜" * 40)]
    file.write_text("i,班,time,n\n" + "".join(f"{i},{x},{t},{n}\n" for i, x, t, n in rows), encoding="utf-8")
    words = ("compare", file, "--target", "n", "--models", "cart,chaid", "--folds", "4", "--scoring", "mse")
    code, out, err = run(*words, "--task", "regression", "--exposure", "time", "--json")
    assert (code, err) == (0, "")
    mse = json.loads(out)["models"]["mse"]
    assert mse[0] == pytest.approx(0.0, abs=1e-12)
    assert mse[1] > 1.0
    for more in (("--exposure", "time"), ("--task", "regression", "--exposure", "time", "--models", "chaid")):
        code, _, err = run(*words, *more)
        assert code == 2
        assert "--exposure is for counts" in err
    file.write_text("time,x,n\n" + "".join(f"{i},{i % 3},{max(5 - i, -1)}\n" for i in range(1, 20)), encoding="utf-8")
    code, _, err = run("compare", file, "--target", "n", "--task", "regression", "--exposure", "time")
    assert (code, err.splitlines()[-1]) == (
        2, "Error: --exposure is for counts, which cannot be negative; row 6 holds -1. Leave it out."
    )  # fmt: skip
