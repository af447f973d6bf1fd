"""How often reading X calls from one file of ``data`` into another: few stops between a table and its columns."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import boxwood
from boxwood.data.frames.frame import learn_columns, read_columns

DATA = str(Path(boxwood.__file__).parent / "data")
#: Calls into another file of data, for a table of three columns; returns and calls within a file do not count.
BUDGET = 40


def calls_between_files(work) -> int:
    """Calls of functions of ``data`` whose nearest caller in ``data`` is in another file, or outside."""
    counted = 0

    def look(frame, event, _):
        nonlocal counted
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(DATA):
            return
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(DATA):
            caller = caller.f_back
        counted += caller is None or caller.f_code.co_filename != file

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


GIVEN = {"age": [31.0, 25.0, 40.0, 28.0], "city": ["Wien", "北京", "Wien", "京都"], "children": [0, 2, 1, 0]}
TABLES = {
    "pandas": pd.DataFrame(GIVEN),
    "polars": pl.DataFrame(GIVEN),
    "numpy": np.arange(12.0).reshape(4, 3),
}


@pytest.mark.parametrize("library", TABLES)
def test_x_becomes_columns_in_few_calls(library):
    X = TABLES[library]
    schema = learn_columns(X).schema
    assert calls_between_files(lambda: learn_columns(X)) < BUDGET
    assert calls_between_files(lambda: read_columns(X, schema)) < BUDGET
