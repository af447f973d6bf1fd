"""boxwood check: files as people have them, remedies that can be pasted, and the notes of a fit."""

from __future__ import annotations

import csv
import json
import random
import shlex

import openpyxl
import pytest

from boxwood.data import datasets

DRAW = random.Random(3)
ROWS = [
    {
        "age": -999 if i % 11 == 0 else DRAW.randrange(18, 80), "item": DRAW.choice([1, 2, 3, 4, 5, 98, 99]),
        "邮编 a": DRAW.choice([10115, 20095, 50667, 80331, 60311, 70173]), "smoker": DRAW.choice(["Yes", "yes", "no"]),
        "until": "9999-12-31" if i % 3 == 0 else f"2020-{1 + i % 12:02}-17", "cause": "heart" if i % 4 == 0 else "none",
        "noise": round(DRAW.random(), 3), "y": "dead" if i % 4 == 0 else "alive",
    }
    for i in range(400)
]  # fmt: skip
KINDS = {
    "age": "sentinel",
    "item": "sentinel",
    "邮编 a": "codes",
    "smoker": "spellings",
    "until": "sentinel",
    "cause": "leak",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with data.csv, written by Python's csv module."""
    monkeypatch.chdir(tmp_path)
    with open("data.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(ROWS)
    return tmp_path


def checked(run, *words) -> dict:
    code, out, err = run("check", *words, "--json")
    assert code == 0, err
    return json.loads(out)


def test_findings_of_a_file(folder, run):
    found = checked(run, "data.csv", "--target", "y")
    assert {f["column"]: f["kind"] for f in found["findings"] if f["kind"] != "kind"} == KINDS
    assert (found["rows"], found["columns"], found["target"], found["notes"]) == (400, 7, "y", [])
    code, out, _ = run("check", "data.csv", "--target", "y")
    assert code == 0
    assert out.startswith("Checked 400 rows, 7 columns and the target y: ")
    assert run("check", "data.csv", "--target", "y", "--quiet") == (0, "", "")


def test_remedies_can_be_pasted(folder, run):
    found = checked(run, "data.csv", "--target", "y")
    remedies = [f["remedy"].removeprefix("leave it out: ") for f in found["findings"]]
    options = [word for text in remedies if text.startswith("--") for word in shlex.split(text)]
    assert "item=98,item=99" in options
    assert "邮编 a" in options
    again = checked(run, "data.csv", "--target", "y", *options)
    assert {f["column"] for f in again["findings"] if f["kind"] != "kind"} == {"smoker"}
    code, out, err = run("fit", "data.csv", "--target", "y", "-o", "m.box", "--evaluate", "none", *options)
    assert code == 0, err
    assert "alone" not in out
    assert "far from the others" not in out
    assert "capitals" in out


def test_a_fit_notes_the_important_findings(folder, run):
    code, out, err = run("fit", "data.csv", "--target", "y", "-o", "m.box", "--evaluate", "none", "--json")
    assert code == 0, err
    notes = " ".join(json.loads(out)["notes"])
    assert "--missing-values age=-999" in notes
    assert "--drop cause" in notes
    assert "--categorical-features '邮编 a'" in notes


def test_a_workbook_is_checked_alike(folder, run):
    book = openpyxl.Workbook()
    book.active.append(list(ROWS[0]))
    for row in ROWS:
        book.active.append(list(row.values()))
    book.save("data.xlsx")
    same = [(f["kind"], f["column"]) for f in checked(run, "data.xlsx", "--target", "y")["findings"]]
    assert set(same) >= {(kind, column) for column, kind in KINDS.items() if column != "until"}


def test_newer_rows(folder, run):
    with open("new.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["age", "item", "邮编 a", "smoker", "until", "noise"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows({**row, "noise": row["noise"] + 0.5, "smoker": "never" if i < 7 else row["smoker"]}
                         for i, row in enumerate(ROWS))  # fmt: skip
    found = checked(run, "data.csv", "--target", "y", "--against", "new.csv")
    of_new = [(f["kind"], f["column"]) for f in found["findings"] if f["kind"] in ("unseen", "absent", "drift")]
    assert of_new == [("unseen", "smoker"), ("absent", "cause"), ("drift", "noise")]
    assert {d["column"]: d["test"] for d in found["drift"]}["smoker"] == "chi-squared"
    code, out, _ = run("check", "data.csv", "--target", "y", "--against", "new.csv", "-o", "page.html")
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert code == 0
    assert "without drift" in out
    assert "邮编 a" in page
    assert "<table>" in page


def test_newer_rows_with_dates_of_another_form(folder, run):
    dates = {"old.csv": [f"{1 + i % 28}.03.2021" for i in range(40)], "new.csv": ["14.03.2021", "03/15/2021"]}
    for name, column in dates.items():
        with open(name, "w", encoding="utf-8") as file:
            file.writelines(["到着,y\n", *(f"{date},{'nj'[i % 2]}\n" for i, date in enumerate(column))])
    found = checked(run, "old.csv", "--target", "y", "--against", "new.csv", "--date-formats", "到着=%d.%m.%Y")
    (unread,) = [f for f in found["findings"] if f["kind"] == "unread"]
    assert unread["column"] == "到着"
    assert unread["message"].startswith("Column '到着', row 2 holds '03/15/2021', which is not a date of the form")


def test_codes_for_missing_values_hold_in_both_files(folder, run):
    options = ("--missing-values", "age=-999")
    found = checked(run, "data.csv", "--target", "y", "--against", "data.csv", *options)
    age = next(d for d in found["drift"] if d["column"] == "age")
    assert age["missing"][0] == age["missing"][1] > 0.05
    assert age["psi"] == 0.0


def test_a_clean_file_has_no_findings(run):
    code, out, _ = run("check", datasets.path("iris"), "--target", "species")
    assert (code, out) == (0, "Checked 150 rows, 4 columns and the target species: no findings.\n")


def test_wide_tables_list_twenty_features(folder, run):
    with open("wide.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"g{j}" for j in range(60)), "town", "y"])
        for i in range(40):
            writer.writerow([*(DRAW.random() for _ in range(60)), DRAW.choice("pqr"), "ab"[i % 2]])
    for more in ((), ("--memory", "100MB")):
        code, out, err = run("fit", "wide.csv", "--target", "y", "-o", "w.box", "--evaluate", "none", *more)
        assert code == 0, err
        assert "g19" in out
        assert "  g20 " not in out
        assert "and 41 features more: 40 numeric, 1 nominal; --json lists all." in out


def test_very_many_notes_are_counted(folder, run):
    with open("codes.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"c{j}" for j in range(60)), "y"])
        for i in range(40):
            writer.writerow([*(f"0{DRAW.randrange(5)}" for _ in range(60)), "ab"[i % 2]])
    words = ("fit", "codes.csv", "--target", "y", "-o", "c.box", "--force", "--evaluate", "none")
    code, out, err = run(*words)
    assert code == 0, err
    assert out.count("Note: ") == 41
    more = len(json.loads(run(*words, "--json")[1])["notes"]) - 40
    assert more > 15
    assert f"Note: {more} notes more; --json lists all." in out


def test_usage_errors(folder, run):
    assert run("check", "data.csv", "--target", "z")[0] == 1
    code, _, err = run("check", "data.csv", "--target", "y", "-o", "data.csv")
    assert code == 2
    assert "overwrite" in err
    code, _, err = run("check", "-", "--target", "y", "--against", "-")
    assert code == 2
    assert "standard input" in err


def test_a_stream_is_checked_as_the_whole_file(folder, run):
    whole, stream = (checked(run, "data.csv", "--target", "y", *more) for more in ((), ("--memory", "64MB")))
    assert whole == stream
    numbers = checked(run, "data.csv", "--target", "noise", "--drop", "cause", "--memory", "64MB")
    assert numbers == checked(run, "data.csv", "--target", "noise", "--drop", "cause")


def test_of_more_rows_than_the_memory_holds_a_sample_is_checked(folder, run, monkeypatch):
    for i in range(3):
        (folder / f"part{i}.csv").write_bytes((folder / "data.csv").read_bytes())
    monkeypatch.setattr("boxwood.algorithms.fitting.gathered.MOST_SAMPLED", 500)
    words = ("part*.csv", "--target", "y", "--memory", "64MB")
    found = checked(run, *words)
    note = "500 of 1,200 rows are checked: a random sample (seed 0) that fits --memory."
    assert (found["rows"], found["notes"]) == (500, [note])
    assert {f["column"]: f["kind"] for f in found["findings"] if f["kind"] not in ("kind", "duplicates")} == KINDS
    assert checked(run, *words) == found
    assert f"Note: {note}" in run("check", *words)[1]
    code, _, err = run("check", "-", "--target", "y", "--memory", "64MB")
    assert (code, "--memory is for files" in err) == (2, True)
