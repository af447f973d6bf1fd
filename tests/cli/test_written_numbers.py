"""Formatted numbers in files as other programs write them: pandas' to_csv, Excel's "CSV UTF-8", workbooks, Parquet."""

from __future__ import annotations

import csv
import json
import random
import re
import shlex

import pandas as pd
import pytest

DRAW = random.Random(3)
AMOUNTS = [round(DRAW.uniform(-500, 60_000), 2) for _ in range(300)]
ROWS = [("ja" if (amount > 20_000) != (i % 13 == 0) else "nein") for i, amount in enumerate(AMOUNTS)]
GERMAN = str.maketrans(",.", ".,")
TABLE = pd.DataFrame(
    {
        "betrag": [f"{amount:,.2f} €".translate(GERMAN) for amount in AMOUNTS],
        "quote": [f"{abs(amount) / 700:.1f} %".replace(".", ",") for amount in AMOUNTS],
        "bezahlt": ROWS,
    }
)
CUT = "betrag <= "


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


WRITERS = {
    "semicolons.csv": lambda table: table.to_csv("semicolons.csv", sep=";", index=False),
    "excel.csv": lambda table: table.to_csv("excel.csv", sep=";", index=False, encoding="utf-8-sig"),
    "cp1252.csv": lambda table: table.to_csv("cp1252.csv", sep=";", index=False, encoding="cp1252"),
    "commas.csv": lambda table: table.to_csv("commas.csv", index=False, quoting=csv.QUOTE_MINIMAL),
    "book.xlsx": lambda table: table.to_excel("book.xlsx", index=False),
    "frame.parquet": lambda table: table.to_parquet("frame.parquet", index=False),
}


@pytest.mark.parametrize(
    ("file", "memory"),
    [(file, memory) for file in WRITERS for memory in ((), ("--memory", "64MB")) if not (memory and "book" in file)],
)
def test_files_of_other_programs_are_fitted_and_scored(run, file, memory):
    WRITERS[file](TABLE)
    code, out, err = run("fit", file, "--target", "bezahlt", "-o", "m.box", *memory)
    assert (code, err) == (0, "")
    assert CUT in out
    assert "Column 'betrag' contains numbers of the form 1.234,5 € and is read as numeric." in out
    assert "To change the form, set --numeric-features; to keep the strings as levels, list" in out
    assert run("evaluate", "m.box", file)[0] == 0
    assert run("predict", "m.box", file, "-o", "p.csv")[0] == 0
    numbers = pd.DataFrame({"betrag": AMOUNTS, "quote": [abs(amount) / 700 for amount in AMOUNTS]})
    numbers.to_csv("numbers.csv", index=False)
    assert run("predict", "m.box", "numbers.csv", "-o", "q.csv")[0] == 0
    with open("p.csv", encoding="utf-8") as one, open("q.csv", encoding="utf-8") as other:
        assert one.read() == other.read()


def test_the_note_of_a_column_with_other_values_can_be_pasted(run):
    table = TABLE.assign(CREAT=[">200", "."] + [str(60 + i % 90) for i in range(298)])
    table.to_csv("a.csv", index=False)
    out = run("fit", "a.csv", "--target", "bezahlt", "-o", "m.box")[1]
    assert "if '.' and '>200' mean missing, set --missing-values '.,>200', or" in out
    out = run("fit", "a.csv", "--target", "bezahlt", "-o", "m.box", "--force", "--missing-values", ".,>200")[1]
    assert "CREAT    numeric" in out


@pytest.mark.parametrize("memory", [(), ("--memory", "64MB")])
def test_a_doubtful_column_is_read_by_the_option_that_the_note_gives(run, memory):
    table = pd.DataFrame({"x y": ["1,234", "2,345"] * 30, "y": ["a", "b"] * 30})
    table.to_csv("a.csv", index=False)
    out = run("fit", "a.csv", "--target", "y", "-o", "m.box", *memory)[1]
    assert "to read it as 1234, set --numeric-features 'x y=1,234.5'; to read it as 1.234, set" in out
    code, _, err = run("fit", "a.csv", "--target", "y", "--numeric-features", "x y", "-o", "n.box", *memory)
    assert code != 0
    if not memory:
        assert "set --numeric-features 'x y=1,234.5' or --numeric-features 'x y=1.234,5'" in err
    option = ("--numeric-features", "x y=1,234.5")
    code, out, err = run("fit", "a.csv", "--target", "y", *option, "-o", "n.box", *memory)
    assert (code, err) == (0, "")
    assert "x y <= 1790" in out.replace(",", "") or "x y <= 1789" in out.replace(",", "")


def test_exports_are_verified_on_the_texts_of_the_file(run):
    TABLE.to_csv("a.csv", sep=";", index=False)
    assert run("fit", "a.csv", "--target", "bezahlt", "-o", "m.box")[0] == 0
    for i, words in enumerate((("python",), ("sql", "--dialect", "sqlite"), ("sql", "--dialect", "duckdb"))):
        code, out, err = run("export", "m.box", "--format", *words, "--verify", "a.csv", "-o", f"{i}.txt")
        assert code == 0, err
        assert "300 rows" in out + err


def test_new_rows_may_be_formatted_where_training_had_numbers_but_units_are_an_error(run):
    numbers = TABLE.assign(betrag=AMOUNTS, quote=range(300))
    numbers.to_csv("numbers.csv", index=False)
    assert run("fit", "numbers.csv", "--target", "bezahlt", "-o", "m.box")[0] == 0
    numbers.assign(betrag=TABLE["betrag"].str.removesuffix(" €")).to_csv("german.csv", sep=";", index=False)
    TABLE.assign(quote=range(300)).to_csv("euro.csv", sep=";", index=False)
    assert run("predict", "m.box", "numbers.csv", "-o", "p.csv")[0] == 0
    code, _, err = run("predict", "m.box", "german.csv", "-o", "q.csv")
    assert code == 0
    assert "Column 'betrag' contains numbers of the form 1.234,5, where training had plain numbers, and is read" in err
    with open("p.csv", encoding="utf-8") as one, open("q.csv", encoding="utf-8") as other:
        assert one.read() == other.read()
    assert run("export", "m.box", "--format", "python", "--verify", "german.csv", "-o", "x.py")[0] == 0
    code, _, err = run("predict", "m.box", "euro.csv", "-o", "r.csv")
    assert code != 0
    assert "remove thousands marks and units first" in err


@pytest.mark.parametrize("more", [(), ("--memory", "64MB")])
def test_a_declared_form_also_reads_texts_that_look_like_decimals(run, more):
    thousands = [f"{1 + i % 60}.{i * 37 % 1000:03}" for i in range(300)]
    rows = [f"{text};{'ja' if i % 60 > 30 else 'nein'}" for i, text in enumerate(thousands)]
    with open("k.csv", "w", encoding="utf-8") as file:
        file.write("\n".join(["a;y", *rows]) + "\n")
    fit = ("fit", "k.csv", "--target", "y", "--pruning", "none", "--evaluate", "none", "-o", "m.box", "--force", *more)
    out = run(*fit, "--numeric-features", "a=1.234,5")[1]
    assert "a        numeric  numbers in text" in out
    with open("new.csv", "w", encoding="utf-8") as file:
        file.write("a\n50.000\n2.000\n900\n")
    assert run("predict", "m.box", "new.csv")[1].split() == ["y", "ja", "nein", "nein"]


@pytest.mark.parametrize("memory", [(), ("--memory", "64MB")])
@pytest.mark.parametrize(
    "code", ["1.008,28 €", "no, none", 'the "rest", all', "x=1", "n, m=2", "无, 缺", "it's ?", '"quoted"', "?"]
)
def test_values_that_a_note_names_as_missing_can_be_pasted(run, code, memory):
    table = pd.DataFrame({"n, m": [str(i) for i in range(60)], "y": ["a", "b"] * 30})
    table.loc[7, "n, m"] = code
    table.to_csv("a.csv", index=False)
    fit = ("fit", "a.csv", "--target", "y", "-o", "m.box", "--force", *memory)
    out = run(*fit, "--json")[1]
    option = re.search("set (--missing-values .+?)(, or|[.]$)", "\n".join(json.loads(out)["notes"]), re.MULTILINE)
    code, out, _ = run(*fit, *shlex.split(option[1]))
    assert (code, "set --missing-values" in out) == (0, False)
    assert "n, m     numeric" in out


@pytest.mark.parametrize("memory", [(), ("--memory", "64MB")])
def test_weights_and_amounts_may_be_formatted(run, memory):
    weights = [1 + i % 7 + 0.5 for i in range(300)]
    table = pd.DataFrame({"x": AMOUNTS, "Gewicht": weights, "金额": [abs(amount) for amount in AMOUNTS], "y": ROWS})
    table.to_csv("numbers.csv", index=False)
    texts = {"Gewicht": [f"{weight:.1f} kg".replace(".", ",") for weight in weights]}
    texts["金额"] = [f"¥{abs(amount):,.2f}" for amount in AMOUNTS]
    table.assign(**texts).to_csv("texts.csv", index=False)
    fit = ("--target", "y", "--target-class", "ja", "--sample-weight", "Gewicht", "--drop", "金额", *memory)
    shown = []
    for name in ("numbers", "texts"):
        code, out, err = run("fit", f"{name}.csv", *fit, "-o", f"{name}.box")
        assert (code, err) == (0, "")
        assert ("Column 'Gewicht' contains numbers of the form 1.234,5 kg and is read by this form." in out) == (
            name == "texts"
        )
        figures = ("--thresholds", "--costs", "5,1", "--amount", "金额", "--sample-weight", "Gewicht", "--json")
        code, out, err = run("evaluate", f"{name}.box", f"{name}.csv", *figures)
        assert (code, err) == (0, "")
        found = json.loads(out)
        assert ("of the form ¥1,234.5 and is read by" in "".join(found["notes"])) == (name == "texts")
        shown.append((found["thresholds"], found["best_threshold"]))
    assert shown[0] == shown[1]


def test_a_weight_that_may_be_two_numbers_is_an_error(run):
    table = TABLE.assign(w=["1,234", "2,345"] * 150)
    table.to_csv("a.csv", index=False)
    code, _, err = run("fit", "a.csv", "--target", "bezahlt", "--sample-weight", "w", "-o", "m.box")
    assert code == 1
    assert "a.csv: Column 'w', row 1 holds the string '1,234', which may be 1234 or 1.234; write plain numbers." in err


@pytest.mark.parametrize("memory", [(), ("--memory", "64MB")])
@pytest.mark.parametrize(("mark", "forms"), [(".", ("1.234,5", "1,234.5")), (",", ("1,234.5", "1.234,5"))])
def test_decimals_of_a_file_that_may_be_thousands_are_noted_with_the_option(run, memory, mark, forms):
    rows = [f"{1 + i % 60}{mark}{i * 37 % 1000:03};{'ja' if i % 60 > 30 else 'nein'};{i}{mark}5" for i in range(300)]
    rows += [f"{900 + i};nein;?" for i in range(20)]
    with open("k.csv", "w", encoding="utf-8") as file:
        file.write("\n".join(["Menge in 件;y;z", *rows]) + "\n")
    fit = ("fit", "k.csv", "--target", "y", "--missing-values", "z=?", "-o", "m.box", "--force", *memory)
    code, out, err = run(*fit)
    assert (code, err) == (0, "")
    note = re.search(r"Column 'Menge in 件' contains numbers with three .* '(\S+)' is read as (\S+)\. To read it", out)
    assert (note[1].replace(mark, "."), note[2]) == ("1.000", "1.0")
    options = re.findall(r"set (--numeric-features '[^']+')", out)
    assert [shlex.split(option)[1] for option in options] == [f"Menge in 件={form}" for form in forms]
    for option in options:
        code, out, _ = run(*fit, *shlex.split(option))
        assert (code, "which may be thousands" in out) == (0, False)
        assert "Menge in 件  numeric  numbers in text" in out


def test_decimals_are_noted_over_all_files_of_a_pattern(run):
    for name, last in (("a1", "3.250"), ("a2", "4.125"), ("b1", "3.250"), ("b2", "4.5")):
        with open(f"{name}.csv", "w", encoding="utf-8") as file:
            file.write("\n".join(["n,y", *(f"{1 + i % 9}.{i:03},{'ab'[i % 2]}" for i in range(60)), f"{last},a\n"]))
    for memory in ((), ("--memory", "64MB")):
        assert "may be thousands" in run("fit", "a*.csv", "--target", "y", "-o", "m.box", "--force", *memory)[1]
        assert "may be thousands" not in run("fit", "b*.csv", "--target", "y", "-o", "m.box", "--force", *memory)[1]


@pytest.mark.parametrize("file", ["numbers.xlsx", "numbers.parquet", "numbers.csv"])
def test_percents_that_come_as_numbers_are_noted(run, file):
    TABLE.to_csv("a.csv", sep=";", index=False)
    assert run("fit", "a.csv", "--target", "bezahlt", "-o", "m.box")[0] == 0
    numbers = TABLE.assign(quote=[abs(amount) / 70_000 for amount in AMOUNTS])
    writers = {"xlsx": numbers.to_excel, "parquet": numbers.to_parquet, "csv": numbers.to_csv}
    writers[file.rpartition(".")[2]](file, index=False)
    note = "Column 'quote' contains numbers without the unit % that they had in training; 20 is read as 20 %."
    code, out, err = run("predict", "m.box", file, "-o", "p.csv")
    assert (code, (out + err).count(note)) == (0, 1)
    assert note in run("evaluate", "m.box", file)[1]


def test_new_rows_of_whole_numbers_that_have_three_decimals_are_noted(run):
    table = pd.DataFrame({"数": [800 + 37 * i % 9000 for i in range(300)], "x": AMOUNTS, "y": ROWS})
    table.to_csv("a.csv", index=False)
    assert run("fit", "a.csv", "--target", "y", "-o", "m.box")[0] == 0
    texts = [f"{number:,}".replace(",", ".") for number in table["数"]]
    table.assign(数=texts, x=[f"{amount:.2f}" for amount in AMOUNTS]).to_csv("german.csv", index=False)
    note = f"Column '数' held whole numbers in training and now has three decimals: '{texts[6]}' is read as"
    for memory in ((), ("--memory", "64MB")):
        code, out, err = run("predict", "m.box", "german.csv", *memory)
        assert (code, note in out + err, "write it without the mark." in out + err) == (0, True, True)
    assert note in run("evaluate", "m.box", "german.csv")[1]
    assert "held whole numbers" not in run("evaluate", "m.box", "a.csv")[1]


@pytest.mark.parametrize("more", [(), ("--memory", "64MB"), ("--task", "regression")])
def test_a_formatted_target_is_a_numeric_one(run, more):
    prices = [f"1.{234 + i % 40 * 3},50 €" for i in range(300)]
    pd.DataFrame({"größe": range(300), "价格": prices}).to_csv("prices.csv", sep=";", index=False)
    code, out, err = run("fit", "prices.csv", "--target", "价格", "-o", "m.box", *more)
    assert (code, "Column '价格' contains numbers of the form 1.234,5 € and is read by this form." in out + err) == (
        0,
        True,
    )
    assert ("numbers of the form 1.234,5 €; use --task to change this" in out) == ("--task" not in more)
    code, out, _ = run("evaluate", "m.box", "prices.csv")
    assert (code, "R²" in out) == (0, True)
    kept = run("fit", "prices.csv", "--target", "价格", "-o", "c.box", "--task", "classification")
    assert (kept[0], "40 classes" in kept[1]) == (0, True)
