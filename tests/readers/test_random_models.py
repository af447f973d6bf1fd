"""Random models of four programs, and hostile rows: the trees that are read predict what the programs predict."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from importlib import import_module

import pytest

from boxwood.errors import ModelFileError

#: So many seeds in one test, which is then long enough to be worth its own line.
PART = 25


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(300 // PART))
@pytest.mark.parametrize("program", ["lightgbm", "xgboost", "sklearn"])
def test_the_tree_predicts_what_the_program_predicts(program, part, tmp_path):
    pytest.importorskip(program, reason=f"{program} is not installed")
    drawn, trees = import_module(f"readers.drawn_{program}").drawn, 0
    for seed in range(PART * part, PART * (part + 1)):
        for case in drawn(seed, tmp_path):
            case.check()
            trees += 1
    assert trees >= PART / 2


@cache
def has_rpart() -> bool:
    """Whether R can load rpart."""
    found = shutil.which("Rscript")
    return bool(found) and subprocess.run([found, "-e", "library(rpart)"], capture_output=True).returncode == 0


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(300 // PART))
def test_the_tree_predicts_what_rpart_predicts(part):
    if not has_rpart():
        pytest.skip("R with rpart is not installed")
    from readers.drawn_rpart import fitted, read

    trees = 0
    for line in fitted(PART * part, PART * (part + 1) - 1):
        if 0 in json.loads(json.loads(line)["dump"][0])["frame"]["n"]:
            with pytest.raises(ModelFileError, match="has no rows"):
                list(read(line))
            continue
        for case in read(line):
            case.check()
            trees += 1
    assert trees >= PART / 2
