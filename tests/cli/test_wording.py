"""Messages of commands about data and settings, and which files they refuse to write."""

import json
import os
import shutil

import click
import pytest

from boxwood._messages import FromZero, Message, Row, RowRange, Setting, Value, remedy
from boxwood.cli.command_help import ExampleCommand
from boxwood.cli.wording import in_options
from boxwood.data import datasets
from boxwood.errors import ParameterError

TITANIC, NEW = str(datasets.path("titanic")), str(datasets.path("titanic_new"))
OPTIONS = {"max_depth": "--max-depth", "missing": "--missing", "criterion": "--criterion"}


def test_parts_of_messages_are_written_as_options():
    poisson = Setting("criterion", "poisson", estimator="CARTRegressor")
    stay = remedy(Setting("missing", "stay"), ".")
    text = Message(Row(3, "Row"), FromZero(), " of ", RowRange(0, 9), " holds 'row 3'; ", stay)
    assert in_options(text, OPTIONS) == "Row 4 of rows 1 to 10 holds 'row 3'; --missing stay."
    assert in_options(Message("use ", poisson, "."), OPTIONS) == "use --task regression --criterion poisson."
    assert in_options("row 3 has missing='stay'", OPTIONS) == "row 3 has missing='stay'"


def test_texts_of_trees_and_errors_about_algorithms_name_options(run, tmp_path):
    file = tmp_path / "d.csv"
    file.write_text("年龄,y\n" + "".join(f"{i},{'否是'[i > 13]}\n" for i in range(1, 17)), encoding="utf-8")
    avoids = "1 of 2 leaves holds fewer than 7 rows; --min-samples-leaf 7 avoids them"
    fit = ("fit", file, "--target", "y", "-o", tmp_path / "m.box", "--force", "--pruning", "none")
    for more in ((), ("--memory", "1GB")):
        code, out, _ = run(*fit, *more)
        assert (code, out.count(avoids)) == (0, 1)
        assert avoids in json.loads(run(*fit, *more, "--json")[1])["tree"]["text"]
    assert avoids in run("show", tmp_path / "m.box")[1]
    assert f"{avoids}." in run("show", tmp_path / "m.box", "--format", "rules")[1]
    out = run("rules", tmp_path / "m.box", "--max-rules", "1")[1]
    assert out.endswith(f"... 1 more rule; boxwood rules MODEL shows all\n{avoids}.\n")
    _, _, err = run(*fit[:-2], "--algorithm", "tree", "--branching", "multiway", "--missing", "surrogate")
    assert "use one of 'error', 'majority', 'own_branch', 'fractional', or --algorithm cart." in err


def test_an_error_in_a_command_names_the_option():
    def fails():
        raise ParameterError(Setting("max_depth"), " must be 1; got ", Value("max_depth"), ".")

    command = ExampleCommand("toy", callback=fails, params=[click.Option(["--max-depth"], expose_value=False)])
    with pytest.raises(ParameterError, match=r"^--max-depth must be 1; got 'max_depth'\.$"):
        command.main([], standalone_mode=False)


def test_rows_of_errors_count_from_one(run, tmp_path):
    file = tmp_path / "d.csv"
    file.write_text("a,w,n,y\n1,1,1,0\n2,-1,2,-3\n,1,0,4\n4,1,1,5\n", encoding="utf-8")
    model, count = ("-o", tmp_path / "m.box"), ("--task", "regression", "--criterion", "poisson")
    _, _, err = run("fit", file, "--target", "n", "--sample-weight", "w", *model)
    assert err.startswith(f"Error: {file}: --sample-weight, row 2 is -1.0; use finite weights of 0 or more")
    assert "y counts events and cannot be negative; row 2 holds" in run("fit", file, "--target", "y", *count, *model)[2]
    assert "Use --criterion variance." in run("fit", file, "--target", "y", *count, *model)[2]
    _, _, err = run("fit", file, "--target", "w", "--drop", "y", "--exposure", "n", "--task", "classification", *model)
    assert err == "Error: --exposure is for counts; use it with --task regression --criterion poisson.\n"
    file.write_text("a,n,y\n1,1,0\n2,0,3\n3,1,0\n", encoding="utf-8")
    _, _, err = run("fit", file, "--target", "y", *count, "--exposure", "n", *model)
    assert err.startswith(f"Error: {file}: --exposure must be positive")
    assert "row 2 holds" in err
    assert not (tmp_path / "m.box").exists()


def test_missing_values_of_new_data_name_file_and_row(run, tmp_path):
    learning, new, model = tmp_path / "d.csv", tmp_path / "n.csv", tmp_path / "m.box"
    learning.write_text("a,y\n1,u\n2,v\n3,v\n", encoding="utf-8")
    new.write_text("a,y\n1,u\n,v\n", encoding="utf-8")
    assert run("fit", learning, "--target", "y", "--missing", "error", "-o", model)[0] == 0
    for words in (("predict", model, new), ("evaluate", model, new)):
        code, out, err = run(*words)
        assert (code, out) == (1, "")
        assert err.startswith(f"Error: {new}: column 'a' has a missing value (NaN) in row 2 and ")
    _, _, err = run("fit", new, "--target", "y", "--missing", "error", "-o", model)
    assert "--missing error does not allow it; impute it, or choose another policy for missing values." in err


@pytest.mark.parametrize("policy", ["missing", "majority"])
def test_predict_and_eval_tell_the_same_about_unseen_levels(run, tmp_path, policy):
    learning, new, model = tmp_path / "d.csv", tmp_path / "n.csv", tmp_path / "m.box"
    learning.write_text("色,y\n" + "红,u\n蓝,v\n" * 5, encoding="utf-8")
    new.write_text("色,y\n绿,u\n红,u\n黑,v\n", encoding="utf-8")
    assert run("fit", learning, "--target", "y", "--unseen", policy, "-o", model)[0] == 0
    done = {"missing": "treated as missing", "majority": "sent to the branch with the most weight"}[policy]
    note = (
        f"2 rows have levels that did not occur in training: column '色' '绿', '黑'. They are {done}; "
        "`boxwood fit --unseen` chooses another treatment."
    )
    assert f"Note: {note}\n" in run("predict", model, new)[2]
    assert f"Note: {note}\n" in run("evaluate", model, new)[1]
    for command in ("predict", "evaluate"):
        assert json.loads(run(command, model, new, "--json")[1])["notes"] == [note]
    assert json.loads(run("evaluate", model, learning, "--json")[1])["notes"] == []


@pytest.mark.parametrize("memory", [[], ["--memory", "100MB"]])
@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["--ordinal-features", "class=1st<2nd<3rd"], "--ordinal-features and in --categorical-features"),
        (["--numeric-features", "class"], "--numeric-features and in --categorical-features"),
    ],
)
def test_a_column_of_two_kinds_is_refused_by_the_names_of_the_options(run, tmp_path, words, options, memory):
    titanic = datasets.path("titanic")
    fit = ["fit", titanic, "--target", "survived", "-o", tmp_path / "m.box", *memory]
    code, _, err = run(*fit, *words, "--categorical-features", "class")
    assert (code, f"'class' is in {options}; name it in one of them." in err) == (2, True)


def test_inputs_are_never_overwritten(run, model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(model, "m.box")
    shutil.copy(NEW, "new.csv")
    shutil.copy(TITANIC, "train.box")
    os.symlink("new.csv", "link.csv")
    os.link("new.csv", "hard.csv")
    os.symlink("m.box", "model")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for words in (
        ("fit", "new.csv", "--target", "survived", "-o", "new.csv"),
        ("fit", "new.csv", "--target", "survived", "-o", tmp_path / "link.csv"),
        ("fit", "train.box", "--target", "survived"),
        ("fit", "none.csv", "--target", "survived", "-o", "./none.csv"),
        ("predict", "m.box", "new.csv", "-o", "./new.csv"),
        ("predict", "m.box", "new.csv", "-o", "hard.csv"),
        ("predict", "m.box", "link.csv", "-o", "new.csv"),
        ("predict", "m.box", "new.csv", "-o", "model"),
        ("predict", "m.box", "new.csv", "-o", "m.box"),
        ("predict", "model", "-", "-o", "model"),
        ("predict", "m.box", (tmp_path / "new.csv").as_uri(), "-o", "new.csv"),
        ("explore", "m.box", (tmp_path / "new.csv").as_uri(), "-o", "new.csv"),
        ("fit", (tmp_path / "train.box").as_uri(), "--target", "survived"),
        ("fit", "*.csv", "--memory", "1GB", "--target", "survived", "-o", "new.csv"),
        ("fit", tmp_path, "--target", "survived", "-o", "new.csv"),
        ("fit", tmp_path, "--target", "survived", "-o", "link.csv"),
    ):
        code, out, err = run(*words)
        assert (code, out) == (2, ""), words
        assert "would overwrite" in err.splitlines()[-1]
        assert err.splitlines()[-1].startswith("Error: ")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fit", TITANIC, "--target", "survived", "-o", "-"], "a model is not written to standard output"),
        (["show", "-"], "MODEL must be a model file"),
        (["predict", "-", NEW], "MODEL must be a model file"),
        (["evaluate", "-", NEW], "MODEL must be a model file"),
        (
            ["predict", "m.box", NEW, "-o", "p.xlsx"],
            "-o must end in .csv, .jsonl, .ndjson, .parquet, .arrow, .feather, or have no ending",
        ),
        (["predict", "m.box", NEW, "-o", "p.csv.gz"], "got 'p.csv.gz' with '.gz'"),
    ],
)
def test_wrong_places_are_refused_before_any_work(run, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert sentence in err.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_predictions_need_no_ending(run, model, tmp_path):
    for name in ("p", "p.CSV"):
        assert run("predict", model, NEW, "-o", tmp_path / name, "--quiet")[0] == 0
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("survived\n")


def test_folded_trees_name_the_command_that_shows_all(run, model, tmp_path):
    _, out, _ = run("show", model, "--max-lines", "5")
    assert "boxwood show MODEL shows all" in out
    assert "to_text" not in out
    words = ("--pruning", "none", "--min-samples-leaf", "2", "-o", tmp_path / "m.box")
    _, out, _ = run("fit", TITANIC, "--target", "survived", *words)
    assert "boxwood show MODEL shows all" in out
    assert "to_text" not in out


def test_help_shows_numbers_beside_words(run):
    _, out, _ = run("fit", "--algorithm", "cart", "--help")
    assert "--min-samples-level auto|N" in out
    assert "--criterion gini|entropy|error|variance|poisson" in out
    assert "--class-weight VALUE" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("export", "MODEL", "--format", "sqll"), "--format must be one of 'sql'"),
        (("export", "MODEL", "-o", "m.py", "--dialect", "mysql"), "--dialect is not an option of the format 'python'"),
        (("plot", "MODEL", "-o", "tree.gif"), "-o must end in .svg"),
        (("plot", "MODEL", "-o", "a.svg", "--what", "regions", "--data", NEW), "as in --fixed age=..., or"),
        (("explain-split", "MODEL", TITANIC, "--node", "99"), "--node must be a whole number"),
        (("prune", "MODEL", "-o", "p.box", "--pruner", "best"), "--pruner must be mdl or"),
        (("rules", "MODEL", "--target-class", "maybe"), "--target-class must be one of 'no', 'yes'; got 'maybe'"),
        (("counterfactual", "MODEL", NEW, "--allowed", "sex=other"), "--allowed sex names 'other'"),
        (("compare", TITANIC, "--target", "survived", "--models", "crat"), "--models must be one of c45"),
        (("fit", TITANIC, "--target", "survived", "--algorithm", "crat"), "--algorithm must be one of c45"),
    ],
)
def test_errors_about_settings_name_the_option(run, model, words, message):
    code, out, err = run(*(model if word == "MODEL" else word for word in words))
    assert (code, out) == (2, "")
    assert message in err


def test_lists_and_dicts_that_are_not_json_explain_how_to_write_them(run):
    code, _, error = run("fit", TITANIC, "--target", "survived", "--class-weight", "{yes:1}")
    assert code == 2
    assert """--class-weight is not valid JSON: '{yes:1}'""" in error
    assert """for example '{"yes": 2, "no": 1}'.""" in error


def test_codes_of_one_column_can_be_pasted():
    message = Message("set ", Setting("missing_values", [98, 99], key="item a"), ".")
    assert in_options(message, {"missing_values": "--missing-values"}) == "set --missing-values 'item a=98,item a=99'."
