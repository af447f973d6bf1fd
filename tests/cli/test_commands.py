"""The commands, run in this process: what they print, write and return."""

import json
import sys
from pathlib import Path

import pytest

from boxwood._version import __version__
from boxwood.cli import main
from boxwood.data import datasets
from boxwood.data.files.files import read_table

TITANIC, NEW = str(datasets.path("titanic")), str(datasets.path("titanic_new"))


def test_fit_tells_what_it_did(run, tmp_path):
    code, out, err = run("fit", TITANIC, "--target", "survived", "-o", tmp_path / "m.box")
    assert (code, err) == (0, "")
    for part in (
        "1,109 rows, 7 features",
        "2 classes (text): no 693, yes 416",
        "age               numeric",
        "242 (21.8 %)",
        "all rows (no 0.625, 693 of 1,109 rows)",
        "leaves before pruning",
        "Cross-validated Brier score: 0.1362 ± 0.0067; trees of 6 to 15 leaves are within one standard",
        "Better than always predicting no: accuracy 0.8",
        " against 0.625.\nEvaluation by cross-validation, 1,109 rows left out in turn.\n",
        "Figures (AUC, Gini, KS, lift and average precision of yes)\n",
        "Evaluation on the training set, 1,109 rows",
        "Importance of the features",
        "m.box (",
        "m.box new.csv -o predicted.csv",
    ):
        assert part in out
    assert (tmp_path / "m.box").stat().st_size > 1000


def test_fit_as_json_holds_the_same_facts(run, tmp_path):
    code, out, err = run("fit", TITANIC, "--target", "survived", "-o", tmp_path / "m.box", "--json")
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert facts["read"]["rows"] == 1109
    assert facts["read"]["features"][2]["missing"] == 242
    assert facts["tree"]["leaves"] < facts["tree"]["leaves_before_pruning"]
    assert sum(map(sum, facts["training"]["confusion"])) == 1109
    assert 0.1 < facts["cross_validation"]["error"] < 0.3
    assert sum(f["share"] for f in facts["importance"]) == pytest.approx(1.0)


def test_fit_twice_writes_the_same_bytes(run, model, tmp_path):
    run("fit", TITANIC, "--target", "survived", "-o", tmp_path / "m.box", "--quiet")
    with open(model, "rb") as one:
        assert one.read() == (tmp_path / "m.box").read_bytes()


def test_quiet_prints_nothing(run, model, tmp_path):
    assert run("show", model, "--quiet") == (0, "", "")
    assert run("evaluate", model, NEW, "--quiet") == (0, "", "")
    assert run("predict", model, NEW, "-o", tmp_path / "p.csv", "--quiet") == (0, "", "")
    assert (tmp_path / "p.csv").exists()


def test_model_file_is_named_after_the_data(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("fit", TITANIC, "--target", "survived", "--max-depth", "2", "--quiet")[0] == 0
    assert (tmp_path / "titanic.box").exists()


@pytest.mark.parametrize("more", [[], ["--memory", "1GB"]])
def test_without_o_an_earlier_file_stays_unless_it_is_forced(run, tmp_path, monkeypatch, model, more):
    monkeypatch.chdir(tmp_path)
    fit = ["fit", TITANIC, "--target", "survived", "--max-depth", "2", "--quiet", *more]
    for words, file in ((fit, "titanic.box"), (["explore", model, "--quiet"], f"{Path(model).stem}.html")):
        (tmp_path / file).write_bytes(b"earlier")
        code, _, err = run(*words)
        assert code == 2
        assert f"'{file}' exists already; give another name with -o, or --force to replace it" in err
        assert (tmp_path / file).read_bytes() == b"earlier"
        assert run(*words, "--force")[0] == 0
        assert (tmp_path / file).read_bytes() != b"earlier"
    before = (tmp_path / "titanic.box").read_bytes()
    assert run("fit", TITANIC, "--target", "survived", "-o", "titanic.box", "--quiet")[0] == 0
    assert (tmp_path / "titanic.box").read_bytes() != before


def test_show(run, model):
    code, out, _ = run("show", model, "--max-lines", "5")
    assert code == 0
    assert len(out.splitlines()) <= 5
    code, out, _ = run("show", model, "--json")
    facts = json.loads(out)
    assert facts["response"] == {"name": "survived", "kind": "classes", "labels": ["no", "yes"]}
    assert facts["nodes"]["rows"][0] == 1109
    assert facts["features"][1]["levels"] == ["female", "male"]


def test_show_as_rules_and_as_table(run, model):
    rules = run("show", model, "--format", "rules")[1]
    assert rules.startswith("If ")
    assert "then survived is" in rules
    nodes = json.loads(run("show", model, "--json")[1])["nodes"]
    lines = run("show", model, "--format", "table")[1].splitlines()
    assert lines[0].split() == ["node", "parent", "depth", "condition", "rows", "value", "impurity"]
    assert sum(line.split()[0].isdigit() for line in lines if line.split()) == len(nodes["node"])
    short = run("show", model, "--format", "table", "--max-lines", "2")[1]
    assert f"{len(nodes['node']) - 2} more nodes" in short


def test_predict_to_csv_and_parquet(run, model, tmp_path):
    code, out, err = run("predict", model, NEW, "-o", tmp_path / "p.csv", "--proba")
    assert (code, err) == (0, "")
    assert "200 rows" in out
    table = read_table(tmp_path / "p.csv")
    assert table.column_names == ["survived", "probability_no", "probability_yes"]
    assert table.num_rows == 200
    assert run("predict", model, NEW, "-o", tmp_path / "p.parquet", "--proba")[0] == 0
    assert read_table(tmp_path / "p.parquet").equals(table)


def test_labels_of_predictions_are_written_as_they_are(run, tmp_path):
    lines = [f"{20 + i % 30},{'+' if i % 30 > 14 else '-'}" for i in range(120)]
    (tmp_path / "crx.csv").write_text("\n".join(["A2,class", *lines]) + "\n")
    box, out = tmp_path / "crx.box", tmp_path / "out.csv"
    assert run("fit", tmp_path / "crx.csv", "--target", "class", "-o", box, "--quiet")[0] == 0
    assert run("predict", box, tmp_path / "crx.csv", "-o", out, "--quiet")[0] == 0
    assert out.read_text().split() == ["class", *(line.split(",")[1] for line in lines)]
    printed = run("predict", box, tmp_path / "crx.csv", "--quiet")[1]
    assert printed == out.read_text()
    assert run("predict", box, tmp_path / "crx.csv", "-o", out, "--quiet", "--spreadsheet-safe")[0] == 0
    assert set(out.read_text().split()) == {"class", "'+", "'-"}


def test_predict_as_json(run, model, tmp_path):
    code, out, _ = run("predict", model, NEW, "--json")
    facts = json.loads(out)
    assert code == 0
    assert len(facts["predictions"]["survived"]) == facts["rows"] == sum(facts["counts"].values()) == 200


def test_columns_are_found_by_name_and_unseen_levels_are_reported(run, model, tmp_path):
    names = ["extra", "embarked", "class", "age", "fare", "parents_children", "siblings_spouses", "sex"]
    file = tmp_path / "n.csv"
    file.write_text(",".join(names) + "\nz,Belfast,1st,30,80,0,0,female\n", encoding="utf-8")
    code, _, err = run("predict", model, file, "-o", tmp_path / "p.csv")
    assert code == 0
    assert "Note: 1 row has levels that did not occur in training: column 'embarked' 'Belfast'. " in err
    assert read_table(tmp_path / "p.csv").to_pydict() == {"survived": ["yes"]}


def test_eval(run, model):
    code, out, _ = run("evaluate", model, NEW)
    assert code == 0
    assert "200 rows" in out
    assert "Confusion matrix" in out
    _, out, _ = run("evaluate", model, NEW, "--json")
    facts = json.loads(out)
    right = facts["confusion"][0][0] + facts["confusion"][1][1]
    assert facts["figures"]["accuracy"]["value"] == pytest.approx(right / 200)


def test_labels_that_no_training_row_had_are_refused_or_dropped(run, model, tmp_path):
    lines = datasets.path("titanic_new").read_text(encoding="utf-8").splitlines()
    file = tmp_path / "t.csv"
    changed = [*lines[:3], *(line.rsplit(",", 1)[0] + ",YES." for line in lines[3:5])]
    file.write_text("\n".join(changed), encoding="utf-8")
    code, out, err = run("evaluate", model, file)
    assert (code, out) == (1, "")
    assert "labels that did not occur in training" not in err
    assert "a label that did not occur in training: 'YES.' (2 rows); row 3 is the first of 2." in err
    assert "Did you mean 'yes'?" in err
    assert "--new-labels drop" in err
    code, out, _ = run("evaluate", model, file, "--new-labels", "drop")
    assert code == 0
    assert "on 2 rows" in out


def test_regression(run, tmp_path):
    file = tmp_path / "r.box"
    code, out, _ = run("fit", datasets.path("iris"), "--target", "petal_width", "-o", file)
    assert code == 0
    for part in (
        "numeric (numbers), from 0.1 to 2.5",
        "Cross-validated mean squared error: 0.0",
        "Better than always predicting the mean 1.199: root mean squared error 0.182 against 0.760",
        " leaves are within one standard error of the best.",
        "root mean squared error",
    ):
        assert part in out
    code, out, _ = run("evaluate", file, datasets.path("iris"), "--json")
    assert json.loads(out)["figures"]["r2"]["value"] > 0.9
    code, out, _ = run("predict", file, datasets.path("iris"), "-o", tmp_path / "p.csv")
    assert "petal_width from" in out


def test_chinese_names_and_labels(run, tmp_path):
    file = tmp_path / "西瓜.box"
    code, out, _ = run("fit", datasets.path("watermelon_3"), "--target", "好瓜", "--drop", "编号", "-o", file)
    assert code == 0
    assert "含糖率   numeric" in out
    assert "纹理" in out
    assert "否 9, 是 8" in out
    code, out, _ = run("predict", file, datasets.path("watermelon_3"))
    assert code == 0


@pytest.mark.parametrize(
    ("task", "target", "kind"),
    [("auto", "y", "classes"), ("regression", "y", "mean"), ("classification", "y", "classes"), ("auto", "id", "mean")],
)
def test_task(run, tmp_path, task, target, kind):
    file = tmp_path / "m.box"
    assert run("fit", datasets.path("h1"), "--target", target, "--task", task, "-o", file)[0] == 0
    assert json.loads(run("show", file, "--json")[1])["response"]["kind"] == kind


def test_weight_drop_and_categorical(run, tmp_path):
    file = tmp_path / "d.csv"
    file.write_text("id,code,w,y\n" + "".join(f"{i},{i % 3},{1 + i % 2},{'ab'[i % 3 == 1]}\n" for i in range(30)))
    words = (
        "--target",
        "y",
        "--sample-weight",
        "w",
        "--drop",
        "id",
        "--categorical-features",
        "code",
        "-o",
        tmp_path / "m.box",
        "--json",
    )
    code, out, _ = run("fit", file, *words)
    facts = json.loads(out)
    assert code == 0
    assert [(f["name"], f["kind"], f["levels"]) for f in facts["read"]["features"]] == [("code", "nominal", 3)]
    assert facts["read"]["weight"] == "w"
    assert sum(map(sum, facts["training"]["confusion"])) == 45


def test_exposure_of_counts(run, tmp_path):
    file = tmp_path / "claims.csv"
    file.write_text(
        "age,years,claims\n" + "".join(f"{i},{1 + i % 3},{(1 + i % 3) * (1 + (i > 20))}\n" for i in range(40))
    )
    words = ("--target", "claims", "--exposure", "years", "--task", "regression", "--criterion", "poisson")
    code, out, _ = run("fit", file, *words, "-o", tmp_path / "m.box", "--json")
    facts = json.loads(out)
    assert code == 0
    assert facts["read"]["exposure"] == "years"
    assert [f["name"] for f in facts["read"]["features"]] == ["age"]
    assert facts["tree"]["leaves"] == 2
    assert "→ rate 2" in facts["tree"]["text"]


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["fit", "none.csv", "--target", "y"], 1, "none.csv does not exist"),
        (["fit", TITANIC, "--target", "survivd"], 1, "there is no column 'survivd'; did you mean 'survived'?"),
        (["fit", TITANIC, "--target", "zzz"], 1, "its columns are class, sex"),
        (
            ["fit", TITANIC, "--target", "age"],
            1,
            "the response 'age' is missing in 242 rows, first in row 13; remove them, or leave",
        ),
        (["fit", TITANIC, "--target", "survived", "--sample-weight", "sex"], 1, "'sex' must hold numbers"),
        (["fit", TITANIC, "--target", "survived", "--categorical-features", "survived"], 1, "it is not a feature"),
        (["fit", TITANIC, "--target", "survived", "-o", "/none/m.box"], 1, "/none/m.box"),
        (["fit", TITANIC, "--target", "survived", "--max-depth", "-1"], 2, "Error: --max-depth must be a whole number"),
        (["fit", TITANIC, "--target", "survived", "--max-depth", "x"], 2, "Error: --max-depth must be a whole number"),
        (
            ["fit", TITANIC, "--target", "survived", "--shrink", "1"],
            2,
            "--shrink is not an option of cart for classification",
        ),
        (["fit", TITANIC, "--target", "survived", "--algorithm", "c9"], 2, "algorithm must be one of"),
        (["fit", TITANIC], 2, "Missing option '--target'"),
        (["fit", TITANIC, "--target", "survived", "--nothing"], 2, "--nothing"),
        (["show", TITANIC], 1, "titanic.csv"),
        (["show", "none.box"], 1, "none.box"),
        (["nothing"], 2, "nothing"),
    ],
)
def test_errors_are_one_sentence_with_an_exit_code(run, tmp_path, monkeypatch, words, code, sentence):
    monkeypatch.chdir(tmp_path)
    found, out, err = run(*words)
    assert found == code
    assert sentence in err
    assert "Traceback" not in err
    assert err.strip().splitlines()[-1].startswith("Error: ")
    assert out == ""
    assert list(tmp_path.iterdir()) == []


def test_wrong_columns_name_the_file(run, model):
    code, _, err = run("predict", model, datasets.path("iris"))
    assert code == 1
    assert "iris.csv" in err
    assert "'sex'" in err


def test_debug_raises(model):
    with pytest.raises(Exception, match="not a boxwood model file"):
        main(["show", TITANIC, "--debug"])


def test_interrupt_is_one_line(run, model, monkeypatch):
    def interrupted(_path):
        raise KeyboardInterrupt

    monkeypatch.setattr("boxwood.cli.commands.load_model", interrupted)
    assert run("show", model) == (130, "", "Interrupted; no file was written.\n")


def test_terminal_tables_need_no_markup_of_names(run, monkeypatch, tmp_path):
    file = tmp_path / "d.csv"
    file.write_text("[red]a,y\n" + "".join(f"{i},{i % 2}\n" for i in range(20)))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    code, out, _ = run("fit", file, "--target", "y", "-o", tmp_path / "m.box")
    assert code == 0
    assert "[red]a" in out


def test_missing_packages_are_named_with_the_remedy(run, monkeypatch):
    monkeypatch.setattr("boxwood.cli.find_spec", lambda package: None if package == "pyarrow" else object())
    found = "Error: the command line needs pyarrow; install with: pip install pyarrow.\n"
    assert run("show", "m.box") == (1, "", found)


def test_version(run):
    assert run("--version") == (0, f"boxwood {__version__}\n", "")
