"""Commands on files as pandas, R and spreadsheet programs write them."""

import subprocess
import sys

import pandas as pd
import pytest


@pytest.fixture
def people():
    return pd.DataFrame({"größe": [k * 37 % 61 for k in range(60)], "k": [k % 7 for k in range(60)]}).assign(
        y=lambda t: t["größe"].gt(30).map({True: "ja", False: "nein"})
    )


def quoted(table):
    """A table as R's ``write.table(d, quote = TRUE)`` writes it."""
    lines = [" ".join(f'"{name}"' for name in table.columns)]
    lines += [f'"{i}" {a} {b} "{y}"' for i, (a, b, y) in enumerate(table.itertuples(index=False), 1)]
    return "\n".join(lines) + "\n"


FILES = {
    "pandas": lambda t: t.to_csv(),
    "R": quoted,
    "sep": lambda t: "sep=;\r\n" + t.to_csv(index=False, sep=";", lineterminator="\r\n"),
    "title": lambda t: "Bericht 2024\n\n# von mir\n" + t.to_csv(index=False),
    "commas": lambda t: t.to_csv(index=False).replace("\n", ",\n"),
    "totals": lambda t: t.to_csv(index=False) + f"{t['größe'].sum()},{t['k'].sum()},Summe\nQuelle: ich\n",
    "blanks": lambda t: t.to_csv(index=False).replace(",", " , "),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("memory", [(), ("--memory", "64MB")], ids=["whole", "parts"])
def test_fit_predict_and_evaluate(run, tmp_path, people, name, memory):
    odd, plain = tmp_path / "odd.csv", tmp_path / "plain.csv"
    odd.write_bytes(FILES[name](people).encode())
    people.to_csv(plain, index=False)
    assert run("fit", plain, "--target", "y", "-o", tmp_path / "p.box", "--quiet", *memory)[0] == 0
    assert run("fit", odd, "--target", "y", "-o", tmp_path / "o.box", "--quiet", *memory)[0] == 0
    tree = run("show", tmp_path / "p.box")[1]
    assert run("show", tmp_path / "o.box")[1] == tree
    expected = run("predict", tmp_path / "p.box", plain)[1]
    for model in ("p.box", "o.box"):
        for file in (odd, plain):
            assert run("predict", tmp_path / model, file)[:2] == (0, expected)
            code, out, _ = run("evaluate", tmp_path / model, file)
            assert (code, "60 rows" in out) == (0, True)


def test_notes_give_the_options(run, tmp_path, people):
    path = tmp_path / "t.csv"
    path.write_text("Bericht\n" + people.to_csv(), encoding="utf-8")
    code, out, _ = run("fit", path, "--target", "y", "-o", tmp_path / "m.box")
    assert (code, "1 line above the header is skipped; --skip-rows 0 reads from the first line." in out) == (0, True)
    assert "a column without a name is called 'column_1'" in out
    assert "Column 'column_1' looks like an identifier" in out


def test_lines_and_header_rows_are_options_of_every_command(run, tmp_path, people):
    path = tmp_path / "t.csv"
    path.write_text("7,8\n" + people.to_csv(index=False, header=False), encoding="utf-8")
    given = ("--skip-rows", "1", "--header-rows", "0")
    for more in ((), ("--memory", "64MB")):
        fit = ("fit", path, "--target", "column_3", "-o", tmp_path / "m.box", *more)
        assert run(*fit, *given)[0] == 0
        assert "column_1 <=" in run("show", tmp_path / "m.box")[1]
    code, out, _ = run("evaluate", tmp_path / "m.box", path, *given)
    assert (code, "60 rows" in out) == (0, True)
    code, out, _ = run("predict", tmp_path / "m.box", path, *given)
    assert (code, len(out.split())) == (0, 61)
    assert run("predict", tmp_path / "m.box", path, "--header-rows", "-1")[0] == 2


def test_levels_with_blanks_stay_those_of_the_model(run, tmp_path):
    from boxwood import CARTClassifier

    table = pd.DataFrame({"a": [" x", "z "] * 30, "y": ["ja", "nein"] * 30})
    CARTClassifier().fit(table[["a"]], table.y).model_.save(tmp_path / "m.box")
    table.to_csv(tmp_path / "t.csv", index=False)
    code, out, err = run("predict", tmp_path / "m.box", tmp_path / "t.csv")
    assert (code, out.split()[1:], err) == (0, table.y.tolist(), "")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--header-rows", "99"), "has no rows after --header-rows 99 rows of names"),
        (("--skip-rows", "999"), "has no lines after the --skip-rows 999 that are skipped"),
    ],
)
def test_a_layout_that_leaves_nothing_names_its_option(run, tmp_path, people, given, message):
    people.to_csv(tmp_path / "d.csv", index=False)
    code, _, err = run("check", tmp_path / "d.csv", "--target", "y", *given)
    assert code == 1
    assert message in err


def test_a_workbook_with_a_name_twice_is_refused_by_it(run, tmp_path, people):
    people.assign(again=1).set_axis(["größe", "k", "y", "k"], axis=1).to_excel(tmp_path / "d.xlsx", index=False)
    code, _, err = run("check", tmp_path / "d.xlsx", "--target", "y")
    assert code == 1
    assert "more than one column named 'k'" in err


def test_a_pipe_tells_of_totals_that_it_predicts(run, tmp_path, people):
    people.to_csv(tmp_path / "d.csv", index=False)
    assert run("fit", tmp_path / "d.csv", "--target", "y", "-o", tmp_path / "m.box", "--quiet")[0] == 0
    words = [sys.executable, "-m", "boxwood", "predict", tmp_path / "m.box", "-"]
    text = people.to_csv(index=False) + "60,7,合計\n"
    done = subprocess.run(words, input=text, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, len(done.stdout.split())) == (0, 62)
    assert "the last row, '合計', may hold totals, but rows of a pipe are read as they come" in done.stderr


@pytest.mark.parametrize("words", [[], ["--memory", "100MB"]])
@pytest.mark.parametrize(
    ("text", "seems"),
    [
        ("12,3,yes\n14,4,no\n15,2,yes\n", True),
        ("1,1,no\n14,4,no\n", True),
        ("3.5,-1,2020-01-01\n1,2,2020-02-01\n", True),
        ("年,2019,2020,2022\na,1,2,3\n", False),
        ("0,1,2,3\n5,6,7,8\n", False),
        ("city,age\nUlm,3\n", False),
    ],
)
def test_a_file_without_names_gets_a_hint(run, tmp_path, text, seems, words):
    file = tmp_path / "t.csv"
    file.write_text(text, encoding="utf-8")
    code, _, err = run("fit", file, "--target", "y", *words)
    assert (code, "--header-rows 0 reads the first row as data" in err) == (1, seems)


def test_the_hint_is_also_for_new_rows_and_a_note_of_a_fit(run, model, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("12,3,yes\n" + "14,4,no\n15,2,yes\n" * 20, encoding="utf-8")
    hint = "--header-rows 0 reads the first row as data"
    for words in ([], ["--memory", "100MB"]):
        code, _, err = run("predict", model, file, *words)
        assert (code, hint in err) == (1, True)
    out = run("fit", file, "--target", "yes", "-o", tmp_path / "m.box", "--evaluate", "none")[1]
    assert f"t.csv: the column names look like values; {hint}." in out
    out = run("fit", file, "--target", "column_3", "--header-rows", 0, "-o", tmp_path / "m.box")[1]
    assert hint not in out
    assert "41 rows" in out
