"""Dates in files as people have them: CSV of several nations, workbooks by openpyxl, Parquet by polars, JSON."""

from __future__ import annotations

import csv
import datetime
import json
import random

import openpyxl
import pandas as pd
import polars as pl
import pytest

from boxwood import CARTClassifier, load
from boxwood.errors import KindWarning

DRAW = random.Random(7)
DAYS = [datetime.date(2019, 1, 1) + datetime.timedelta(days=DRAW.randrange(1500)) for _ in range(300)]


def risk(i: int, day: datetime.date) -> str:
    return "good" if (day < datetime.date(2021, 3, 15)) != (i % 11 == 0) else "bad"


ROWS = [(day if i % 20 else None, DRAW.randrange(18, 80), risk(i, day)) for i, day in enumerate(DAYS)]
CUT = "opened <= 2021-03-1"


def write(path, form: str, encoding: str = "utf-8") -> None:
    lines = [f"{'' if day is None else day.strftime(form)},{age},{risk}" for day, age, risk in ROWS]
    path.write_text("\n".join(["opened,age,risk", *lines, ""]), encoding=encoding)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


FIT = ("--target", "risk", "-o", "m.box", "--force")


def predictions(run, data: str) -> list[str]:
    assert run("predict", "m.box", data, "-o", "p.csv")[0] == 0
    with open("p.csv", encoding="utf-8") as file:
        return [row["risk"] if "risk" in row else next(iter(row.values())) for row in csv.DictReader(file)]


FORMS = {
    "%Y-%m-%d": None, "%d.%m.%Y": "%d.%m.%Y", "%m/%d/%Y": "%m/%d/%Y", "%d/%m/%Y": "%d/%m/%Y", "%Y/%m/%d": "%Y/%m/%d",
    "%Y年%m月%d日": "%Y年%m月%d日", "%Y년 %m월 %d일": "%Y년 %m월 %d일", "%d-%b-%Y": "%d-%b-%Y",
    "%d.%m.%Y 00:00": "%d.%m.%Y %H:%M",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_python_reads_the_strings_as_the_command_line_does(run, folder, form):
    write(folder / "data.csv", form)
    assert run("fit", "data.csv", *FIT)[0] == 0
    frame = pd.read_csv("data.csv", dtype={"opened": str})
    with pytest.warns(KindWarning, match="'opened' contains dates in .* and is read as dates"):
        model = CARTClassifier().fit(frame[["opened", "age"]], frame["risk"])
    assert str(model.tree_).splitlines()[1:] == str(load("m.box").tree_).splitlines()[1:]


@pytest.mark.parametrize("form", FORMS)
def test_csv_of_several_nations(run, folder, form):
    write(folder / "data.csv", form)
    code, out, err = run("fit", "data.csv", *FIT)
    assert (code, err) == (0, "")
    assert CUT in out
    note = f"contains dates in the format {FORMS[form]} and is read as dates. To change the format, set --date-formats;"
    assert (note in out) == (FORMS[form] is not None)
    expected = predictions(run, "data.csv")
    write(folder / "iso.csv", "%Y-%m-%d")
    assert predictions(run, "iso.csv") == expected
    assert run("evaluate", "m.box", "data.csv")[0] == 0


def test_a_chinese_file_in_gbk(run, folder):
    write(folder / "data.csv", "%Y年%m月%d日", "gb18030")
    code, out, _ = run("fit", "data.csv", *FIT)
    assert code == 0
    assert CUT in out


def test_day_and_month_that_are_ambiguous(run, folder):
    lines = [f"{i % 12 + 1:02}/{i % 7 + 1:02}/2023,{'yes' if i % 12 > 5 else 'no'}" for i in range(120)]
    (folder / "data.csv").write_text("\n".join(["at,risk", *lines, ""]))
    code, out, _ = run("fit", "data.csv", *FIT)
    assert code == 0
    assert "read the strings as dates, set --date-formats at=%d/%m/%Y or --date-formats at=%m/%d/%Y." in out
    first, second = (
        run("fit", "data.csv", *FIT, "--date-formats", f"at={form}")[1] for form in ("%d/%m/%Y", "%m/%d/%Y")
    )
    assert "at <= 2023-0" in first
    assert first != second
    code, _, err = run("fit", "data.csv", *FIT, "--date-formats", "at=%d.%m.%Y")
    assert code != 0
    message = "row 1 holds '01/01/2023', which is not a date of the form '%d.%m.%Y'; name the form in --date-formats"
    assert message in err
    code, _, err = run("fit", "data.csv", *FIT, "--date-formats", "%d.%m.%Y")
    assert code != 0
    assert "COLUMN=FORMAT" in err


def test_numbers_that_are_dates(run, folder):
    write(folder / "data.csv", "%Y%m%d")
    code, out, _ = run("fit", "data.csv", *FIT, "--date-formats", "opened=%Y%m%d")
    assert code == 0
    assert CUT in out
    assert len(predictions(run, "data.csv")) == 300


def test_codes_for_missing_dates(run, folder):
    write(folder / "data.csv", "%d.%m.%Y")
    text = (folder / "data.csv").read_text()
    (folder / "coded.csv").write_text(
        "\n".join(f"?{line}" if line.startswith(",") else line for line in text.split("\n"))
    )
    code, out, _ = run("fit", "coded.csv", *FIT, "--missing-values", "?", "--json")
    assert code == 0
    feature = json.loads(out)["read"]["features"][0]
    assert (feature["kind"], feature["missing"]) == ("date", 15)
    assert len(predictions(run, "coded.csv")) == 300
    (folder / "na.csv").write_text(
        "\n".join(f"NA{line}" if line.startswith(",") else line for line in text.split("\n"))
    )
    assert '"date"' in run("fit", "na.csv", *FIT, "--json")[1]


def test_a_workbook_by_openpyxl(run, folder):
    book = openpyxl.Workbook()
    book.active.append(["opened", "age", "risk"])
    for row in ROWS:
        book.active.append(list(row))
    book.save("data.xlsx")
    code, out, _ = run("fit", "data.xlsx", *FIT)
    assert code == 0
    assert CUT in out
    assert len(predictions(run, "data.xlsx")) == 300


def test_parquet_by_polars(run, folder):
    table = pl.DataFrame(ROWS, schema=["opened", "age", "risk"], orient="row")
    at = pl.col("opened").cast(pl.Datetime("us")).dt.replace_time_zone("Europe/Berlin").alias("at")
    table.with_columns(at).write_parquet("data.parquet")
    code, out, _ = run("fit", "data.parquet", *FIT, "--json")
    assert code == 0
    kinds = {f["name"]: f["kind"] for f in json.loads(out)["read"]["features"]}
    assert kinds == {"opened": "date", "age": "numeric", "at": "datetime"}
    whole = predictions(run, "data.parquet")
    assert run("fit", "data.parquet", *FIT, "--memory", "64MB")[0] == 0
    assert predictions(run, "data.parquet") == whole
    table.with_columns(pl.col("opened").cast(pl.Datetime).alias("at")).write_parquet("naive.parquet")
    code, _, err = run("predict", "m.box", "naive.parquet", "-o", "p.csv")
    assert code != 0
    assert "'at' holds datetimes (us, no time zone), but training had datetimes (us, time zone Europe/Berlin)" in err


def test_json_lines(run, folder):
    lines = [json.dumps({"opened": day and day.isoformat(), "age": age, "risk": risk}) for day, age, risk in ROWS]
    (folder / "data.jsonl").write_text("\n".join(lines))
    code, out, _ = run("fit", "data.jsonl", *FIT)
    assert code == 0
    assert CUT in out


def test_what_follows_a_fit(run, folder):
    write(folder / "data.csv", "%d.%m.%Y")
    assert run("fit", "data.csv", *FIT, "--max-depth", "3", "--pruning", "none")[0] == 0
    assert "opened <= 2021-03-1" in run("show", "m.box")[1]
    assert "opened is above 2021-03-1" in run("rules", "m.box")[1]
    assert "opened = 20" in run("explain", "m.box", "data.csv", "--row", "2")[1]
    assert run("export", "m.box", "--format", "python", "--verify", "data.csv")[0] == 0
    code, out, _ = run("counterfactual", "m.box", "data.csv", "--row", "2", "--target-class", "bad")
    assert code == 0
    allowed = ("--immutable", "age", "--allowed", "opened=2021-06-01:2022-01-01")
    code, out, _ = run("counterfactual", "m.box", "data.csv", "--row", "2", "--target-class", "bad", *allowed, "--json")
    assert code == 0
    changed = json.loads(out)["changes"]
    assert "opened" in changed["feature"]
    for name, new in zip(changed["feature"], changed["new"], strict=True):
        assert name != "opened" or "2021-06-01" <= new <= "2022-01-01"
    assert run("explore", "m.box", "data.csv", "-o", "r.html")[0] == 0
    assert '"time":{"kind":"date"' in (folder / "r.html").read_text(encoding="utf-8")


def test_a_response_of_dates_is_refused(run, folder):
    write(folder / "data.csv", "%Y-%m-%d")
    code, _, err = run("fit", "data.csv", "--target", "opened", "-o", "m.box", "--missing-target", "drop")
    assert code != 0
    assert "dates" in err
