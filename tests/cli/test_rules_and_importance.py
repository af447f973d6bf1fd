"""The commands rules, importance and counterfactual."""

import csv
import io
import json

import pytest

from boxwood.cli import main
from boxwood.data import datasets

TITANIC, NEW, HARDWARE = (str(datasets.path(name)) for name in ("titanic", "titanic_new", "computer_hardware"))


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    found = {name: str(folder / f"{name}.box") for name in ("titanic", "hardware", "mars")}
    target = datasets.describe("computer_hardware").target
    grow = ["--max-depth", "3", "--pruning", "none", "--quiet"]
    assert main(["fit", TITANIC, "--target", "survived", "-o", found["titanic"], *grow]) == 0
    assert main(["fit", HARDWARE, "--target", target, "-o", found["hardware"], *grow]) == 0
    assert main(["fit", HARDWARE, "--target", target, "-o", found["mars"], "--algorithm", "mars", "--quiet"]) == 0
    return found


def test_rules_in_words_as_table_and_as_json(run, models):
    code, out, err = run("rules", models["titanic"])
    assert (code, err) == (0, "")
    assert out.startswith("If sex is male and age is at most 9.5 and siblings_spouses is at most 2.5, then survived is")
    assert out.count("\nIf ") == 7
    _, out, _ = run("rules", models["titanic"], "--target-class", "yes", "--max-rules", 1)
    assert "... 2 more rules" in out
    _, out, _ = run("rules", models["titanic"], "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 8
    assert rows[0]["conditions"] == "sex = male and age <= 9.5 and siblings_spouses <= 2.5"
    _, out, _ = run("rules", models["titanic"], "--json", "--level", "0.5")
    facts = json.loads(out)
    assert facts["level"] == 0.5
    assert facts["rules"]["rows"][0] == 24
    assert run("rules", models["titanic"], "--quiet") == (0, "", "")


def test_gain_tables(run, models):
    code, out, _ = run("rules", models["titanic"], "--gains", "--target-class", "yes")
    assert code == 0
    assert out.startswith("Gains for survived = yes\n")
    _, out, _ = run("rules", models["hardware"], "--gains", "--format", "csv")
    assert out.startswith("node,n,percent,mean,index,cumulative_n")
    assert run("rules", models["titanic"], "--gains")[1].startswith("Gains for survived = yes\n")
    assert "  profit  per row" in run("rules", models["titanic"], "--gains", "--costs", "3,1")[1]
    assert "--costs must be two numbers" in run("rules", models["titanic"], "--gains", "--costs", "3")[2]
    assert "profit of predicting yes: " in run("rules", models["titanic"], "--costs", "3,1")[1]
    code, _, err = run("rules", models["titanic"], "--target-class", "maybe")
    assert (code, "--target-class must be one of 'no', 'yes'" in err) == (2, True)
    code, _, err = run("rules", models["hardware"], "--target-class", "maybe")
    assert (code, "predicts a mean" in err) == (2, True)


def test_importance(run, models):
    code, out, _ = run("importance", models["titanic"])
    assert code == 0
    assert out.splitlines()[1].split()[0] == "sex"
    _, out, _ = run("importance", models["titanic"], "--kind", "mdi+surrogates", "--json")
    shares = json.loads(out)["importance"]
    assert sum(entry["share"] for entry in shares) == pytest.approx(1.0)
    assert shares[0]["share"] == max(entry["share"] for entry in shares)
    code, out, _ = run("importance", models["mars"], "--json")
    assert code == 0
    assert json.loads(out)["importance"]
    assert run("importance", models["mars"])[0] == 0
    assert run("importance", models["mars"], "--quiet") == (0, "", "")


def test_counterfactuals_obey_the_options(run, models):
    code, out, err = run("counterfactual", models["titanic"], NEW, "--row", 2, "--allowed", "age=:9", "-n", 2)
    assert (code, err) == (0, "")
    assert out.startswith("row 2: survived = ")
    _, out, _ = run(
        "counterfactual", models["titanic"], TITANIC, "--row", 4, "--target-class", "yes", "--immutable", "sex,class",
        "--allowed", "age=decrease", "--by", "distance", "--no-rounded", "--json",
    )  # fmt: skip
    facts = json.loads(out)
    assert facts["prediction"] == "no"
    assert not {"sex", "class"} & set(facts["changes"]["feature"])
    table = datasets.load("titanic")
    man = 1 + next(i for i, row in enumerate(zip(table["class"], table["sex"], strict=True)) if row == ("3rd", "male"))
    options = ("--row", man, "--immutable", "age", "--allowed", "class=1st|2nd")
    _, out, _ = run("counterfactual", models["titanic"], TITANIC, *options)
    assert "class: 3rd → 1st (or 2nd), sex: male → female (2 changes" in out
    _, out, _ = run("counterfactual", models["hardware"], HARDWARE, "--target-range", "300:")
    assert "For " in out
    assert run("counterfactual", models["hardware"], HARDWARE, "--target-range", "300:", "--quiet") == (0, "", "")


@pytest.mark.parametrize(("options", "words"), [
    (["--row", "9999"], "--row 9999"),
    (["--allowed", "size=1:2"], "--allowed must be COLUMN=WHAT"),
    (["--allowed", "age"], "--allowed must be COLUMN=WHAT"),
    (["--allowed", "age=young"], "must be LOW:HIGH"),
])  # fmt: skip
def test_commands_that_cannot_be_understood(run, models, options, words):
    code, _, err = run("counterfactual", models["titanic"], TITANIC, *options)
    assert code == 2
    assert words in err


def test_mistakes_are_reported(run, models):
    code, _, err = run("counterfactual", models["titanic"], TITANIC, "--allowed", "class=4th")
    assert (code, "'4th', which is not a level" in err) == (2, True)
    code, _, err = run("counterfactual", models["mars"], HARDWARE)
    assert (code, "MARS" in err) == (1, True)
    assert run("counterfactual", models["hardware"], HARDWARE, "--target-range", "many")[0] == 2
