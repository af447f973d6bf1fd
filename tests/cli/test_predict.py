"""The command predict scores files: columns kept, what is added, files written and added to, parts, pipes, counts."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet
import pytest

import boxwood
from boxwood.cli import main
from boxwood.data import datasets

NEW = datasets.path("titanic_new")
BOXWOOD, SOURCE = [sys.executable, "-m", "boxwood"], str(Path(boxwood.__file__).parents[1])
ADDED = ["--proba", "--node", "--interval", "--reasons", "2", "--missing-route"]


@pytest.fixture
def cities(tmp_path, monkeypatch):
    """A model of a nominal and a numeric column with a code, and rows with a key, as pandas writes them."""
    monkeypatch.chdir(tmp_path)
    table = pd.DataFrame({"年龄": [20, 25, 30, 50, 55, 60] * 9, "城": ["京都", "Ulm"] * 27})
    table["答"] = table["年龄"].lt(40).map({True: "否", False: "是"})
    table.to_csv("train.csv", index=False)
    assert main(["fit", "train.csv", "--target", "答", "--missing-values", "年龄=-9", "-o", "m.box", "--quiet"]) == 0
    new = pd.DataFrame({"键": ["007", "00012345678901234567890", 'a,"b"'], "年龄": [25, -9, 55], "城": ["Ulm"] * 3})
    new.to_csv("new.csv", index=False)
    return new


def test_kept_columns_stay_as_they_are_written(cities, run):
    code, out, _ = run("predict", "m.box", "new.csv", "--keep", "键,年龄", "--missing-route")
    found = pd.read_csv(io.StringIO(out), dtype=str)
    assert code == 0
    assert found["键"].tolist() == cities["键"].tolist()
    assert found["年龄"].tolist() == ["25", "-9", "55"]
    assert found["答"].tolist()[::2] == ["否", "是"]
    assert found["missing_route"].str.startswith("年龄 is missing").tolist()[1]


def test_everything_is_added_under_documented_names(run, model):
    code, out, _ = run("predict", model, NEW, "--keep", "sex", *ADDED)
    found = pd.read_csv(io.StringIO(out))
    assert code == 0
    assert list(found) == [
        "sex", "survived", "probability_no", "probability_yes", "node", "low_no", "high_no", "low_yes", "high_yes",
        "reason_1", "reason_2", "missing_route",
    ]  # fmt: skip
    assert (found.low_yes <= found.probability_yes).all()
    assert (found.probability_yes <= found.high_yes).all()
    assert found.reason_1.str.contains(r"^\w+ (?:= .*|is missing) \([+-]\d\.\d{3}\)$").all()


def test_a_name_that_is_kept_and_predicted_is_refused_with_the_prefix(run, model, tmp_path):
    code, _, err = run("predict", model, NEW, "--all-columns", "-o", tmp_path / "p.csv")
    assert (code, "column 'survived' is kept" in err, "set --prefix predicted_" in err) == (1, True, True)
    assert not (tmp_path / "p.csv").exists()
    assert run("predict", model, NEW, "--all-columns", "--prefix", "predicted_", "-o", tmp_path / "p.csv")[0] == 0
    names = list(pd.read_csv(tmp_path / "p.csv"))
    assert names == [*pd.read_csv(NEW), "predicted_survived"]


def test_wrong_options_are_named(run, model):
    assert (
        "--keep names the column 'sexx', which the data lack; did you mean 'sex'?"
        in run("predict", model, NEW, "--keep", "sexx")[2]
    )
    assert run("predict", model, NEW, "--keep", "sex", "--all-columns")[0] == 2
    assert run("predict", model, NEW, "--append")[0] == 2
    assert run("predict", model, NEW, "--memory", "1MB")[0] == 2


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow", "feather"])
def test_rows_are_added_to_a_file_of_the_same_columns_only(run, model, tmp_path, ending):
    read = {"csv": pd.read_csv, "parquet": pd.read_parquet}.get(ending, feather.read_feather)
    file = tmp_path / f"p.{ending}"
    words = ("predict", model, NEW, "--keep", "sex", "--reasons", "2", "--append", "-o", file)
    assert run(*words)[0] == 0
    once = read(file)
    code, out, _ = run(*words)
    assert (code, f"Added to {file}" in out) == (0, True)
    pd.testing.assert_frame_equal(read(file), pd.concat([once, once], ignore_index=True))
    before = file.read_bytes()
    code, _, err = run("predict", model, NEW, "--append", "-o", file)
    assert (code, f"{file} has the columns 'sex', 'survived'" in err) == (1, True)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_parts_give_what_the_whole_file_gives(cities, run, ending):
    """Files of a pattern, CSV and Parquet, of other types of one column, with a column in the name of a folder."""
    for i, year in enumerate((2023, 2024)):
        os.makedirs(f"in/year={year}")
        part = pd.concat([cities] * 700, ignore_index=True).assign(x=[i, i + 0.5, None] * 700)
        part.to_csv(f"in/year={year}/a.csv", index=False)
    for name, words in (("whole", []), ("parts", ["--memory", "32MB"])):
        assert run("predict", "m.box", "in/*/*.csv", "--all-columns", *ADDED, "-o", f"{name}.{ending}", *words)[0] == 0
    read = pd.read_parquet if ending == "parquet" else pd.read_csv
    pd.testing.assert_frame_equal(read(f"whole.{ending}"), read(f"parts.{ending}"))
    assert len(read(f"parts.{ending}")) == 4200
    assert "year" in read(f"parts.{ending}")


def test_an_error_in_parts_names_the_row_and_leaves_the_older_file(run, model, tmp_path):
    table = pa.concat_tables([pa.Table.from_pandas(pd.read_csv(NEW))] * 2000)
    ages = table["age"].cast(pa.string()).to_pylist()
    ages[350_000] = "old"
    parquet.write_table(
        table.set_column(table.column_names.index("age"), "age", pa.array(ages)), tmp_path / "n.parquet"
    )
    (tmp_path / "p.csv").write_text("older")
    code, _, err = run("predict", model, tmp_path / "n.parquet", "--memory", "64MB", "-o", tmp_path / "p.csv")
    assert code == 1
    assert "n.parquet, rows " in err
    assert "'age'" in err
    assert (tmp_path / "p.csv").read_text() == "older"


def test_counts_are_those_of_all_parts(run, model, tmp_path):
    table = pd.concat([pd.read_csv(NEW)] * 700).assign(embarked="Belfast")
    table.to_parquet(tmp_path / "n.parquet")
    facts = []
    for words in ([], ["--memory", "32MB"]):
        out = run("predict", model, tmp_path / "n.parquet", "-o", tmp_path / "p.csv", "--json", *words)[1]
        facts.append(json.loads(out))
    assert facts[0] == facts[1]
    assert facts[0]["rows"] == facts[0]["unseen_rows"] == sum(facts[0]["counts"].values()) == 140_000
    assert facts[0]["met"]["missing"] == 8 * 700
    assert facts[0]["notes"][0].startswith("140000 rows have levels that did not occur in training")


class Pipe:
    """The command reads a pipe; what it answers is read line by line."""

    def __init__(self, model, *words):
        self.process = subprocess.Popen(
            [*BOXWOOD, "predict", model, "-", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": SOURCE},
        )  # fmt: skip

    def give(self, text):
        self.process.stdin.write(text if isinstance(text, bytes) else text.encode())
        self.process.stdin.flush()

    def line(self):
        return self.process.stdout.readline().decode().rstrip("\n")

    def end(self):
        out, err = self.process.communicate()
        return self.process.returncode, out.decode(), err.decode()


def test_a_row_in_is_a_row_out_at_once(cities):
    pipe = Pipe("m.box", "--keep", "键")
    pipe.give("键,年龄,城\n")
    pipe.give('007,25,Ulm\n"two\nlines, ""quoted""",55')
    assert [pipe.line(), pipe.line()] == ["键,答", "007,否"]
    pipe.give(",京都\n")
    assert [pipe.line(), pipe.line()] == ['"two', 'lines, ""quoted""","是"']
    pipe.give("9,-9,Ulm\n10,,x")
    assert pipe.line().startswith("9,")
    code, out, err = pipe.end()
    assert (code, len(out.splitlines())) == (0, 1)
    assert "1 row has levels that did not occur in training: column '城' 'x'" in err


def test_an_error_in_a_pipe_names_its_row_after_the_answers_before(cities):
    pipe = Pipe("m.box")
    pipe.give("年龄,城\n25,Ulm\n")
    assert [pipe.line(), pipe.line()] == ["答", "否"]
    pipe.give("26,Ulm\n")
    assert pipe.line() == "否"
    pipe.give("old,Ulm\n")
    code, out, err = pipe.end()
    assert (code, out) == (1, "")
    assert err.startswith("Error: standard input, rows 3 to 3: ")
    assert "'old'" in err


def test_an_interrupt_ends_a_pipe_at_once(cities):
    pipe = Pipe("m.box")
    pipe.give("年龄,城\n25,Ulm\n")
    assert [pipe.line(), pipe.line()] == ["答", "否"]
    time.sleep(0.2)
    pipe.process.send_signal(signal.SIGINT)
    assert pipe.process.wait(20) == 130
    assert pipe.end()[2] == "Interrupted; no file was written.\n"


@pytest.mark.parametrize("form", ["parquet", "gzip", "gb18030", "named gb18030", "semicolon", "bom", "header", "empty"])
def test_other_pipes(cities, form):
    plain = cities.drop(columns="键").to_csv(index=False)
    data = plain.encode()
    if form == "parquet":
        sink = io.BytesIO()
        cities.to_parquet(sink)
        data = sink.getvalue()
    elif form == "gzip":
        import gzip

        data = gzip.compress(data)
    elif form.endswith("gb18030"):
        data = plain.encode("gb18030")
    elif form == "semicolon":
        data = plain.replace(",", ";").replace("25", "25,5").encode()
    elif form == "bom":
        data = plain.encode("utf-8-sig")
    data = {"header": "年龄,城\n".encode(), "empty": b""}.get(form, data)
    words = ["--encoding", "gb18030"] if form.endswith("gb18030") else []
    pipe = Pipe("m.box", *words)
    pipe.give(data)
    code, out, err = pipe.end()
    if form in ("header", "empty"):
        assert (code, out) == (1, "")
        assert {"header": "holds column names but no rows", "empty": "is empty"}[form] in err
    else:
        assert (code, out.split()[0], len(out.split())) == (0, "答", 4), err


def test_a_pipe_gives_what_the_file_gives(run, model):
    data = NEW.read_bytes()
    whole = run("predict", model, NEW, "--keep", "sex,age", *ADDED)[1]
    pipe = Pipe(model, "--keep", "sex,age", *ADDED)
    for at in range(0, len(data), 777):
        pipe.give(data[at : at + 777])
    code, out, _ = pipe.end()
    assert (code, out) == (0, whole)


@pytest.mark.parametrize("words", [["--node"], ["--reasons", "1"], ["--interval"]])
def test_a_model_without_nodes_refuses_what_needs_them(run, tmp_path, words):
    box = tmp_path / "mars.box"
    assert run("fit", datasets.path("trees"), "--target", "volume", "--algorithm", "mars", "-o", box, "--quiet")[0] == 0
    assert run("predict", box, datasets.path("trees"), "--keep", "girth")[1].startswith("girth,volume\n")
    code, _, err = run("predict", box, datasets.path("trees"), *words)
    assert (code, f"{words[0]} needs a tree" in err) == (2, True)


def test_json_lines_are_predicted_as_they_come(cities):
    pipe = Pipe("m.box", "--keep", "键", "--format", "jsonl")
    pipe.give('{"键": 12345678901234567890123, "年龄": 25, "城": "Ulm"}\n{"键": "b", ')
    assert json.loads(pipe.line()) == {"键": 12345678901234567890123, "答": "否"}
    pipe.give('"年龄": 55.5, "城": "京都", "其他": [1]}\n')
    assert json.loads(pipe.line()) == {"键": "b", "答": "是"}
    pipe.give('\n{"年龄": null}\n')
    assert json.loads(pipe.line())["键"] is None
    pipe.give('{"键": 1, "年龄": 25}\n{"键": "c", "年龄": 60}\n{"年龄": "old"}\n')
    code, out, err = pipe.end()
    assert [json.loads(line)["键"] for line in out.splitlines()] == [1, "c"]
    assert code == 1
    assert err.startswith("Error: standard input, rows 6 to 6: ")
    assert "'old'" in err


def test_the_first_json_line_may_lack_a_feature(cities):
    pipe = Pipe("m.box")
    pipe.give('{"城": "Ulm"}\n{"年龄": 60, "城": "京都"}\n')
    code, out, err = pipe.end()
    assert (code, out.splitlines()[0], len(out.splitlines())) == (0, "答", 3)
    assert "the first row of standard input has no column '年龄'; where a row lacks a column" in err


@pytest.mark.parametrize("form", ["lines", "bom", "gb18030", "list", "object", "no end", "cut", "empty keys"])
def test_other_pipes_of_json(cities, form):
    rows = cities.drop(columns="键").to_dict("records")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    data, words, fault = lines.encode(), [], None
    if form == "bom":
        data = lines.encode("utf-8-sig")
    elif form == "gb18030":
        data, words = lines.encode("gb18030"), ["--encoding", "gb18030"]
    elif form == "list":
        data = json.dumps(rows, ensure_ascii=False, indent=1).encode()
    elif form == "object":
        data = "\n".join(json.dumps(row, ensure_ascii=False, indent=1) for row in rows).encode()
    elif form == "no end":
        data = data.rstrip()
    elif form == "cut":
        data, fault = data.rstrip()[:-1], "cannot be read as JSON lines"
    elif form == "empty keys":
        data, fault = b'{"x": 1}\n' + data, "columns of the model are missing from the data: '年龄', '城'"
    pipe = Pipe("m.box", *words)
    pipe.give(data)
    code, out, err = pipe.end()
    if fault is None:
        assert (code, out.split()[0], len(out.split())) == (0, "答", 4), err
    else:
        assert (code, fault in err) == (1, True), err


def test_json_lines_are_a_format_of_files(cities, run):
    cities.assign(年龄=[25, None, 55]).to_json("new.jsonl", orient="records", lines=True, force_ascii=False)
    for data in ("new.csv", "new.jsonl"):
        assert run("predict", "m.box", data, "--keep", "键,年龄", "--proba", "-o", "p.jsonl")[0] == 0
        found = [json.loads(line) for line in Path("p.jsonl").read_text(encoding="utf-8").splitlines()]
        assert [row["键"] for row in found] == cities["键"].tolist()
        assert [row["年龄"] for row in found] == [25, -9 if data == "new.csv" else None, 55]
        assert found[0].keys() == {"键", "年龄", "答", "probability_否", "probability_是"}
    before = Path("p.jsonl").read_bytes()
    code, _, err = run("predict", "m.box", "new.jsonl", "--append", "-o", "p.jsonl")
    assert (code, "p.jsonl has the columns '键'" in err, Path("p.jsonl").read_bytes() == before) == (1, True, True)
    assert run("predict", "m.box", "new.jsonl", "--keep", "键,年龄", "--proba", "--append", "-o", "p.jsonl")[0] == 0
    assert Path("p.jsonl").read_bytes() == before * 2
    assert run("predict", "m.box", "new.csv", "--format", "jsonl")[1].count("{") == 3
    code, _, err = run("predict", "m.box", "new.csv", "--format", "csv", "-o", "q.jsonl")
    assert (code, "is not a name for --format csv" in err) == (2, True)
    assert run("predict", "m.box", "new.csv", "--format", "jsonl", "-o", "q")[0] == 0
    assert Path("q").read_bytes() == run("predict", "m.box", "new.csv", "--format", "jsonl")[1].encode()


@pytest.mark.parametrize("words", [[], ["--memory", "32MB"]])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "arrow"])
@pytest.mark.parametrize("source", ["csv", "parquet", "jsonl"])
def test_kept_values_are_exact(cities, run, tmp_path, source, ending, words):
    """Whole numbers of more than 64 bits, decimals, and NA where it is no number."""
    keys, nation = [12345678901234567890123, 2**64 - 1, 7], ["NA", "NA", "NA"]
    table = {"key": keys, "nation": nation, "年龄": [25, 30, 55], "城": ["Ulm"] * 3}
    if source == "csv":
        pd.DataFrame(table).to_csv("k.csv", index=False)
    elif source == "jsonl":
        if words:
            return  # JSON is read whole
        rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
        Path("k.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        decimals = pa.array([Decimal(key) for key in keys], pa.decimal128(38, 0))
        parquet.write_table(pa.table(table | {"key": decimals}), "k.parquet")
    assert run("predict", "m.box", f"k.{source}", "--keep", "key,nation", "-o", f"p.{ending}", *words)[0] == 0
    if ending == "jsonl":
        found = pd.DataFrame([json.loads(line) for line in Path("p.jsonl").read_text(encoding="utf-8").splitlines()])
    elif ending == "csv":
        found = pd.read_csv("p.csv", dtype=str, keep_default_na=False)
    else:
        found = (pd.read_parquet if ending == "parquet" else feather.read_feather)(f"p.{ending}")
    assert [str(key) for key in found["key"]] == [str(key) for key in keys]
    assert found["nation"].tolist() == nation
