"""Every command reads folders, patterns and addresses, with the columns that the names of folders hold."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from boxwood.cli import main


@pytest.fixture
def sales(tmp_path, monkeypatch):
    """A folder for each year, in which the same amount means something else."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for year in (2023, 2024):
        (tmp_path / "sales" / f"year={year}").mkdir(parents=True)
        amount = rng.integers(1, 90, 300)
        late = np.where((amount < 30) == (year == 2023), "是", "否")
        table = pd.DataFrame({"amount": amount, "late": late})
        table.iloc[:150].to_csv(tmp_path / "sales" / f"year={year}" / "a.csv", index=False)
        table.iloc[150:].to_parquet(tmp_path / "sales" / f"year={year}" / "b.parquet")
    return tmp_path / "sales"


@pytest.mark.parametrize("name", ["sales", "sales/*/*", "uri"])
def test_commands_read_folders_and_patterns(sales, name, capsys):
    name = sales.as_uri() if name == "uri" else name
    assert main(["fit", name, "--target", "late", "-o", "m.box", "--max-depth", "3"]) == 0
    assert "Read " in (out := capsys.readouterr().out)
    assert "600 rows" in out
    assert main(["evaluate", "m.box", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["figures"]["accuracy"]["value"] == 1.0
    assert main(["predict", "m.box", name]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 601
    assert main(["compare", name, "--target", "late"]) == 0
    assert "600 rows" in capsys.readouterr().out
    assert main(["explore", "m.box", name, "-o", "m.html"]) == 0


def test_files_of_other_columns_are_refused(sales, capsys):
    assert main(["fit", "sales", "--target", "late", "-o", "m.box"]) == 0
    pd.DataFrame({"amount": [1], "late": ["是"], "note": ["x"]}).to_csv(sales / "year=2024" / "c.csv", index=False)
    assert main(["evaluate", "m.box", "sales"]) == 1
    assert "c.csv has the column(s) 'note', which sales" in capsys.readouterr().err


def test_nothing_that_is_read_is_overwritten(sales, capsys):
    assert main(["fit", "sales", "--target", "late", "-o", "m.box"]) == 0
    assert main(["predict", "m.box", "sales", "-o", "sales/year=2023/a.csv"]) == 2
    assert "would overwrite" in capsys.readouterr().err
