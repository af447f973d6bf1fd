"""`boxwood encode` and `boxwood fit` of data in parts, as other programs meet them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from boxwood.cli import main

FIT = ["--target", "y", "--max-depth", "3"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Three Parquet files in the working folder."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for i in range(3):
        data = pd.DataFrame({"a": rng.normal(size=200), "城": rng.choice(["北京", "Wien"], 200)})
        data["y"] = np.where(data["a"] + (data["城"] == "Wien") > 0.5, "是", "否")
        data.to_parquet(f"{i}.parquet")
    return ["0.parquet", "1.parquet", "2.parquet"]


def model(path: str = "m.box") -> bytes:
    return Path(path).read_bytes()


def test_files_a_pattern_a_folder_and_a_cache_give_one_model(files, capsys, tmp_path):
    assert main(["fit", *files, *FIT, "-o", "m.box", "--quiet"]) == 0
    expected = model()
    assert main(["fit", "?.parquet", *FIT, "-o", "m.box", "--quiet", "--memory", "200MB"]) == 0
    assert model() == expected
    assert main(["fit", str(tmp_path), *FIT, "-o", "m.box", "--quiet"]) == 0
    assert model() == expected
    assert main(["encode", *files, "--target", "y", "-o", "cache", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["fit", "cache", *FIT, "-o", "m.box"]) == 0
    assert model() == expected
    out = capsys.readouterr().out
    assert "Read cache: 600 rows." in out
    assert "城" in out
    assert "the tree is not pruned" not in out
    assert "Wrote m.box" in out


def test_one_file_with_memory_is_the_fit_without(files):
    assert main(["fit", files[0], *FIT, "-o", "m.box", "--quiet", "--memory", "1GB"]) == 0
    in_parts = model()
    assert main(["fit", files[0], *FIT, "-o", "m.box", "--quiet"]) == 0
    assert model() == in_parts


def test_a_cache_of_amounts(files, capsys):
    data = pd.read_parquet("0.parquet").assign(y=np.arange(1.0, 201.0))
    data.to_parquet("amounts.parquet")
    assert main(["encode", "amounts.parquet", "--target", "y", "-o", "cache", "--criterion", "gamma"]) == 0
    assert "--criterion gamma" in capsys.readouterr().out
    assert main(["fit", "cache", *FIT, "--criterion", "gamma", "-o", "m.box", "--quiet"]) == 0


def test_counts_and_exposures(files):
    rates = ["--target", "n", "--exposure", "t", "--drop", "y", "--task", "regression", "--criterion", "poisson", "-o"]
    rng = np.random.default_rng(5)
    whole = pd.concat([pd.read_parquet(file) for file in files])
    whole = whole.assign(n=rng.poisson(2.0, len(whole)), t=rng.random(len(whole)) + 0.5)
    whole.to_parquet("whole.parquet")
    for i in range(2):
        whole.iloc[i * 300 : i * 300 + 300].to_parquet(f"rates-{i}.parquet")
    assert main(["fit", "whole.parquet", *rates, "m.box", "--quiet"]) == 0
    expected = model()
    parts = ["rates-0.parquet", "rates-1.parquet"]
    assert main(["fit", *parts, *rates, "m.box", "--quiet"]) == 0
    assert model() == expected
    assert main(["encode", *parts, "--target", "n", "--exposure", "t", "--drop", "y", "-o", "cache", "--quiet"]) == 0
    assert main(["fit", "cache", *rates, "m.box", "--quiet"]) == 0
    assert model() == expected
    assert main(["fit", "cache", "--target", "n", "--task", "regression", "-o", "m.box", "--quiet"]) == 1


def test_pruning_with_raising(files):
    pd.concat([pd.read_parquet(file) for file in files], ignore_index=True).to_parquet("whole.parquet")
    c45 = [*FIT, "--algorithm", "c45", "-o", "m.box", "--quiet"]
    assert main(["fit", "whole.parquet", *c45]) == 0
    expected = model()
    assert main(["fit", *files, *c45]) == 0
    assert model() == expected


@pytest.fixture
def holes(files):
    frame = pd.read_parquet(files[0])
    frame.loc[::7, "a"] = np.nan
    frame.to_parquet(files[0])
    return files


def test_pruning_with_raising_of_divided_rows_has_them_in_memory(holes):
    pd.concat([pd.read_parquet(file) for file in holes], ignore_index=True).to_parquet("whole.parquet")
    c45 = [*FIT, "--algorithm", "c45", "-o", "m.box", "--quiet"]
    assert main(["fit", "whole.parquet", *c45]) == 0
    expected = model()
    assert main(["fit", *holes, *c45]) == 0
    assert model() == expected


def test_a_cache_does_not_hold_them_and_a_note_reports_it(holes, capsys):
    assert main(["encode", *holes, "--target", "y", "-o", "cache", "--quiet"]) == 0
    assert main(["fit", "cache", *FIT, "--algorithm", "c45", "-o", "m.box"]) == 0
    assert "the tree is not pruned: c45 prunes with raising" in " ".join(capsys.readouterr().out.split())
    in_parts = model()
    assert main(["fit", "cache", *FIT, "--algorithm", "c45", "--pruning", "none", "-o", "m.box", "--quiet"]) == 0
    assert model() == in_parts
    assert main(["fit", "cache", *FIT, "--algorithm", "c45", "--pruning", "error_based", "-o", "m.box"]) == 2
    assert "divides rows whose value is missing" in capsys.readouterr().err


@pytest.mark.parametrize(("algorithm", "shown"), [("mars", "MARS for y"), ("c45-rules", "otherwise")])
def test_what_needs_all_rows_is_fitted_from_several_files(files, algorithm, shown, capsys):
    pd.concat([pd.read_parquet(file) for file in files], ignore_index=True).to_parquet("whole.parquet")
    words = [*FIT[:2], "--algorithm", algorithm, "-o", "m.box"]
    assert main(["fit", "whole.parquet", *words, "--quiet"]) == 0
    expected = model()
    assert main(["fit", *files, *words]) == 0
    printed = capsys.readouterr().out
    assert "Read 0.parquet and 2 more: 600 rows." in printed
    assert shown in printed
    assert model() == expected
    assert main(["fit", *files, *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["read"]["rows"] == 600


def test_json_of_both(files, capsys):
    assert main(["encode", *files, "--target", "y", "-o", "cache", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["rows"], made["kept"], made["features"], made["task"]) == (600, 600, 2, "classification")
    assert made["bytes"] == sum(os.path.getsize(f"cache/{f}") for f in os.listdir("cache") if f.endswith(".box"))
    assert main(["fit", "cache", *FIT, "-o", "m.box", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["read"]["rows"] == 600
    assert [f["name"] for f in found["read"]["features"]] == ["a", "城"]


def test_chaid_in_parts_is_chaid_of_the_whole(files, capsys):
    chaid = [*FIT, "--algorithm", "chaid", "--min-samples-leaf", "9", "-o", "m.box"]
    pd.concat([pd.read_parquet(file) for file in files], ignore_index=True).to_parquet("whole.parquet")
    assert main(["fit", "whole.parquet", *chaid, "--quiet"]) == 0
    expected = model()
    for words in (files, ["whole.parquet", "--memory", "40MB"]):
        assert main(["fit", *words, *chaid, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["notes"] == []  # CHAID is not pruned anyhow
        assert model() == expected


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["fit", "0.parquet", "1.parquet", *FIT, "--exposure", "a"], 2, "exposure is for counts"),
        (["fit", "0.parquet", *FIT, "--memory", "1kB"], 2, "at least 32MB"),
        (["fit", "0.parquet", "none.csv", *FIT], 1, "none.csv does not exist"),
        (["fit", "*.nothing", *FIT, "--memory", "1GB"], 1, "matches no file"),
        (["fit", "0.parquet", "1.parquet", "--target", "z"], 1, "there is no column 'z'"),
        (["encode", "0.parquet", "--target", "y", "-o", "."], 1, "exists already"),
        (["encode", "0.parquet", "--target", "y"], 2, "output"),
    ],
)
def test_refusals(files, words, code, message, capsys):
    assert main(words) == code
    assert message in capsys.readouterr().err
    assert sorted(os.listdir(".")) == files


@pytest.mark.parametrize(
    ("values", "task"),
    [([1, 2] * 9, "classification"), ([0.5, 1.5] * 9, "regression"), (list(range(18)), "regression")],
)
def test_the_task_is_found_from_the_response(values, task, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"a": range(18), "y": values}).to_csv("d.csv", index=False)
    assert main(["fit", "d.csv", "--memory", "1GB", "--target", "y", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["read"]["task"] == task


def run(words: list[str], **options) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-m", "boxwood", *words], stderr=subprocess.PIPE, text=True, **options)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are of POSIX")
@pytest.mark.parametrize("words", [["encode", "-o", "cache"], ["fit"]])
def test_a_full_disk_is_one_sentence_and_leaves_nothing(files, words, tmp_path):
    # a file may have 4 kB: the system then reports a full disk by another error number
    def limit() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    scratch = tmp_path / "scratch"
    scratch.mkdir()
    done = run([words[0], *files, *FIT[:2], *words[1:]], preexec_fn=limit, env=os.environ | {"TMPDIR": str(scratch)})
    errors = done.communicate()[1]
    assert done.returncode == 1
    assert "cannot write the code cache" in errors
    assert all(word in errors for word in ("cache=", "-o", "local directory of a worker"))
    assert "Traceback" not in errors
    assert os.listdir(scratch) == []
    assert sorted(os.listdir(".")) == [*files, "scratch"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_an_interrupt_leaves_nothing(number, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.normal(size=(200_000, 10)), columns=[f"x{j}" for j in range(10)])
    data["y"] = rng.random(len(data)) < 0.5
    data.to_parquet("d.parquet")
    fit = run(["fit", "d.parquet", "--target", "y", "--memory", "40MB"], env=os.environ | {"TMPDIR": str(scratch)})
    # tempfile itself tries the folder with a file of its own, before there is a cache to remove
    while not any(scratch.glob("boxwood-cache-*/*")) and fit.poll() is None:
        time.sleep(0.01)
    fit.send_signal(number)
    errors = fit.communicate()[1]
    assert fit.returncode == code
    assert ("Interrupted" in errors) == (number == signal.SIGINT)
    assert os.listdir(scratch) == []
    assert sorted(os.listdir(".")) == ["d.parquet", "scratch"]
