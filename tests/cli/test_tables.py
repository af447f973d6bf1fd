"""Data files as people have them: codes for missing values, rows without a response, leading zeros, many classes."""

import json

import numpy as np
import pandas as pd
import pytest


def row(i):
    y = "" if i == 3 else "yes" if i > 40 else "no"
    return f"{'?' if i % 9 == 0 else 20 + i},{-999 if i % 7 == 0 else i / 2},{i % 5:05},{y}\n"


CODED = "age,size,zip,y\n" + "".join(map(row, range(90)))


@pytest.fixture
def coded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text(CODED)
    return "data.csv"


FIT = ("fit", "data.csv", "--target", "y", "-o", "m.box")
CODES = ("--missing-values", "?,age=-1,size=-999,-998")


def test_codes_and_dropped_rows_are_counted_and_remembered(run, coded):
    assert run(*FIT)[0] == 1
    code, out, err = run(*FIT, *CODES, "--missing-target", "drop")
    assert (code, err) == (0, "")
    assert "89 rows, 3 features. 1 row without a response was left out." in out
    code, out, _ = run(*FIT, *CODES, "--missing-target", "drop", "--json")
    read = json.loads(out)["read"]
    assert read["rows_without_response"] == 1
    assert [(f["name"], f["kind"], f["missing"]) for f in read["features"][:2]] == [
        ("age", "numeric", 10), ("size", "numeric", 13),
    ]  # fmt: skip
    # what follows reads the same file by what the model remembers
    assert run("predict", "m.box", "data.csv", "-o", "p.csv")[0] == 0
    code, out, _ = run("evaluate", "m.box", "data.csv")
    assert code == 0
    assert "Note: 1 row without a response was left out." in out
    assert json.loads(run("evaluate", "m.box", "data.csv", "--json")[1])["rows"] == 89
    code, _, err = run("evaluate", "m.box", "data.csv", "--missing-target", "error")
    assert (code, "missing in 1 row, first in row 4" in err) == (1, True)


def test_the_first_of_several_sheets_is_named(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    people = pd.DataFrame({"年龄": range(20, 60), "病": ["否"] * 20 + ["是"] * 20})
    with pd.ExcelWriter("book.xlsx", engine="openpyxl") as book:
        people.to_excel(book, sheet_name="数据", index=False)
        pd.DataFrame({"说明": ["2026"]}).to_excel(book, sheet_name="说明", index=False)
    fit = ("fit", "book.xlsx", "--target", "病", "-o", "m.box", "--force")
    assert "Note: book.xlsx: the first of 2 sheets ('数据', '说明') is read; --sheet chooses another." in run(*fit)[1]
    assert "sheets" not in run(*fit, "--sheet", "数据")[1]
    code, _, err = run("fit", "book.xlsx", "--target", "y", "-o", "m.box")
    assert (code, "This is the first of 2 sheets ('数据', '说明'); choose another with --sheet." in err) == (1, True)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_numbers_that_look_like_days(run, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    days = pd.date_range("2020-01-01", periods=60).strftime("%Y%m%d").astype(int)
    frame = pd.DataFrame({"day": days, "sum": np.arange(20_200_101, 20_200_161) + 0.5, "y": ["a"] * 30 + ["b"] * 30})
    frame.to_csv("d.csv", index=False) if kind == "csv" else frame.to_parquet("d.parquet")
    fit = ("fit", f"d.{kind}", "--target", "y", "-o", "m.box", "--drop", "sum", "--force")
    message = "such as 20200101. To read them as dates, set --date-formats day=%Y%m%d."
    assert message in run(*fit)[1]
    out = run(*fit, "--date-formats", "day=%Y%m%d")[1]
    assert ("look like dates" not in out, "day <= 2020-01-30" in out) == (True, True)
    frame.assign(day=frame["day"] + 40)[frame["day"] < 20200131].to_parquet("e.parquet")  # day 41 and later
    assert "look like dates" not in run("fit", "e.parquet", "--target", "y", "-o", "m.box", "--force")[1]


def test_a_column_that_names_rows_can_be_dropped(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"客户 编号": [f"C{i:04}" for i in range(300)], "x": np.arange(300) % 7})
    frame.assign(y=np.where(frame["x"] > 3, "a", "b")).to_csv("d.csv", index=False)
    fit = ("fit", "d.csv", "--target", "y", "-o", "m.box", "--force")
    assert "new data do not need it. To use it, set --identifiers use." in run(*fit)[1]
    out = run(*fit, "--drop", "客户 编号")[1]
    assert "looks like an identifier" not in out
    code, out, _ = run(*fit, "--memory", "64MB")
    assert (code, "客户 编号  identifier  nearly all values differ" in out) == (0, True)


def test_a_comparison_names_its_options(run, coded):
    words = ("compare", "data.csv", "--target", "y", "--models", "id3,cart/none", "--folds", "2")
    code, out, _ = run(*words, "--missing-target", "drop")
    assert (code, "id3 failed" in out, "List it in --categorical-features" in out) == (1, True, True)


@pytest.mark.parametrize("command", ["explain-split", "explore", "prune", "explain"])
def test_other_commands_read_the_file_alike(run, coded, command):
    assert run(*FIT, *CODES, "--missing-target", "drop", "--quiet")[0] == 0
    words = {
        "explain-split": ["explain-split", "m.box", "data.csv", "--node", "0"],
        "explore": ["explore", "m.box", "data.csv", "-o", "r.html"],
        "prune": ["prune", "m.box", "-o", "q.box", "--pruner", "reduced_error", "--validation", "data.csv"],
        "explain": ["explain", "m.box", "data.csv", "--row", "1"],
    }[command]
    code, out, err = run(*words)
    left_out = "Note: 1 row without a response was left out." in out + err
    assert (code, left_out) == (0, command != "explain")


def test_parts_give_the_same_tree_and_count_the_same_rows(run, coded):
    run(*FIT, *CODES, "--missing-target", "drop")
    whole = run("show", "m.box")[1]
    code, out, _ = run(*FIT, *CODES, "--missing-target", "drop", "--memory", "64MB")
    assert (code, run("show", "m.box")[1]) == (0, whole)
    assert "89 rows. 1 row without a response was left out." in out


def test_compare_takes_the_same_options(run, coded):
    code, out, _ = run("compare", "data.csv", "--target", "y", *CODES, "--missing-target", "drop", "--models", "cart")
    assert (code, "89 rows" in out) == (0, True)


def test_predict_takes_more_codes_than_the_model_remembers(run, coded, tmp_path):
    run(*FIT, *CODES, "--missing-target", "drop", "--quiet")
    (tmp_path / "new.csv").write_text("age,size,zip\n#N/A,1,00001\n?,1,00001\n")
    assert run("predict", "m.box", "new.csv")[0] == 1
    code, out, _ = run("predict", "m.box", "new.csv", "--missing-values", "#N/A")
    lines = out.splitlines()
    assert (code, len(set(lines[1:]))) == (0, 1)


def test_a_note_gives_the_exact_option(run, coded):
    out = run("fit", "data.csv", "--target", "zip", "-o", "m.box", "--drop", "y")[1]
    assert "Note: Column 'age' is treated as nominal because of '?' in 10 rows" in out
    assert "with these values as missing, set --missing-values '?'." in out


def test_a_response_of_many_classes_is_questioned_in_one_line(run, tmp_path):
    rows = "".join(f"{i},{i % 7},c{i % 60}\n" for i in range(600))
    (tmp_path / "a.csv").write_text("x,w,y\n" + rows)
    words = ("fit", tmp_path / "a.csv", "--target", "y", "-o", tmp_path / "m.box", "--pruning", "none")
    for more in ((), ("--memory", "64MB")):
        code, out, _ = run(*words, *more)
        assert (code, out.count("Note: 'y' has 60 classes in 600 rows: is it the right target?")) == (0, 1)
    assert "c17 10 and 50 more." in run(*words)[1]


def test_leading_zeros_make_a_column_nominal_with_a_note(run, tmp_path):
    rows = "".join(f"{10 + i % 5:05},{'a' if i % 5 < 2 else 'b'}\n" for i in range(100))
    (tmp_path / "a.csv").write_text("zip,y\n" + rows)
    code, out, _ = run("fit", tmp_path / "a.csv", "--target", "y", "-o", tmp_path / "m.box", "--json")
    found = json.loads(out)
    assert (code, found["read"]["features"][0]["kind"]) == (0, "nominal")
    leak, note = found["notes"]
    assert "'zip' alone determines the class of 'y'" in leak
    assert "'zip' contains numbers with leading zeros, for example '00010', and is treated as nominal" in note
    assert "list it in --categorical-features; if it should be numeric, list it in --numeric-features." in note
    # other files are read alike, whether their fields have leading zeros or not
    (tmp_path / "new.csv").write_text("zip\n00010\n")
    assert run("predict", tmp_path / "m.box", tmp_path / "new.csv")[1].split() == ["y", "a"]
    (tmp_path / "new.csv").write_text("zip\n10\n")
    assert "did not occur in training" in run("predict", tmp_path / "m.box", tmp_path / "new.csv")[2]


def test_numeric_reads_leading_zeros_as_numbers(run, tmp_path):
    rows = "".join(f"{10 + i % 50:05},{'a' if i % 50 < 20 else 'b'}\n" for i in range(200))
    (tmp_path / "a.csv").write_text("size,y\n" + rows)
    fit = ("fit", tmp_path / "a.csv", "--target", "y", "-o", tmp_path / "m.box")
    trees = set()
    for more in ((), ("--memory", "64MB")):
        code, out, _ = run(*fit, "--numeric-features", "size", *more)
        assert (code, "leading zeros" in out) == (0, False)
        trees.add(run("show", tmp_path / "m.box")[1])
    assert len(trees) == 1
    assert "size <= 29.5" in trees.pop()
    (tmp_path / "new.csv").write_text("size\n00012\n00045\n")
    assert run("predict", tmp_path / "m.box", tmp_path / "new.csv")[1].split() == ["y", "a", "b"]
    assert run(*fit, "--numeric-features", "sise")[0] != 0
    assert (
        run("encode", tmp_path / "a.csv", "--target", "y", "-o", tmp_path / "cache", "--numeric-features", "size")[0]
        == 0
    )
    assert run("fit", tmp_path / "cache", "--target", "y", "-o", tmp_path / "n.box")[0] == 0
    assert "size <= 29.5" in run("show", tmp_path / "n.box")[1]


def test_numbers_in_a_nominal_column_of_text_are_its_levels_also_in_a_file_of_numbers_alone(run, tmp_path):
    rows = "".join(f"{'12' if i % 2 else 'x'},{'a' if i % 2 else 'b'}\n" for i in range(100))
    (tmp_path / "a.csv").write_text("code,y\n" + rows)
    assert run("fit", tmp_path / "a.csv", "--target", "y", "-o", tmp_path / "m.box", "--quiet")[0] == 0
    (tmp_path / "new.csv").write_text("code\n12\n12\n")
    code, out, err = run("predict", tmp_path / "m.box", tmp_path / "new.csv")
    assert (code, out.split(), err) == (0, ["y", "a", "a"], "")


def test_errors_and_formulas_of_a_workbook_have_notes(run, tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    for row in [("年龄", "违约"), *(("=1+1" if i < 3 else i, "否是"[i % 2]) for i in range(60))]:
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    code, out, _ = run("fit", tmp_path / "a.xlsx", "--target", "违约", "-o", tmp_path / "m.box")
    assert (code, "formulas without a stored value are read as missing: column '年龄' (3 cells, first A2)" in out) == (
        0,
        True,
    )
    assert out.count("without a stored value") == 1
    _, _, err = run("predict", tmp_path / "m.box", tmp_path / "a.xlsx")
    assert "column '年龄' (3 cells, first A2)" in err


def test_encodings_and_sheets_are_options_of_every_command(run, tmp_path):
    import openpyxl

    rows = [("城市", "违约"), *((("北京", "是"), ("上海", "否"))[i % 2] for i in range(60))]
    text = "".join(f"{a},{b}\n" for a, b in rows)
    (tmp_path / "gbk.csv").write_bytes(text.encode("gbk"))
    book = openpyxl.Workbook()
    sheet = book.create_sheet("数据")
    for row in rows:
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    fit = ("--target", "违约", "-o", tmp_path / "m.box")
    code, out, _ = run("fit", tmp_path / "gbk.csv", *fit)
    assert (code, "is read as gb18030" in out, "--encoding big5" in out) == (0, True, True)
    code, out, _ = run("fit", tmp_path / "gbk.csv", *fit, "--encoding", "gbk")
    assert (code, "is read as" in out) == (0, False)
    assert run("fit", tmp_path / "gbk.csv", *fit, "--encoding", "gbk", "--memory", "64MB")[0] == 0
    code, out, _ = run("evaluate", tmp_path / "m.box", tmp_path / "a.xlsx", "--sheet", "数据")
    assert (code, "60 rows" in out) == (0, True)
    code, _, err = run("evaluate", tmp_path / "m.box", tmp_path / "a.xlsx", "--sheet", "3")
    assert (code, "no sheet '3'" in err) == (1, True)
    code, _, err = run("predict", tmp_path / "m.box", tmp_path / "gbk.csv", "--encoding", "klingon")
    assert (code, "--encoding klingon is not an encoding of text" in err) == (2, True)
    assert run("fit", tmp_path / "a.xlsx", *fit, "--sheet", "2", "--memory", "64MB")[0] == 2
