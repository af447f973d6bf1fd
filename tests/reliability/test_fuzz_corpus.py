"""What ``make fuzz`` found stays mended: a file of tests/fuzz/corpus is run as a case of the target it lies under."""

from pathlib import Path

import numpy as np
import pytest

from fuzz import case
from fuzz.__main__ import main
from fuzz.campaign import Result
from fuzz.targets import CHECKED, TARGETS

CORPUS = Path(case.__file__).parent / "corpus"
FOUND = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_case_of_the_corpus_is_no_finding(path):
    assert path.parent.name in TARGETS
    found = case.assess(path.parent.name, path.read_bytes())
    assert found in (case.RAN, case.REFUSED), found.trace


def test_the_corpus_has_files_that_are_read_and_used():
    assert len(FOUND) >= 10
    assert case.assess("model_files", (CORPUS / "model_files" / "intervals_wilson.box").read_bytes()) == case.RAN


def test_a_raw_error_and_a_warning_of_numpy_are_findings(monkeypatch):
    class Target:
        @staticmethod
        def run(data):
            return 1 / 0 if data == b"error" else np.float64(1e308) * np.float64(10.0)

    monkeypatch.setattr(case, "target", lambda name: Target)
    assert case.assess("tables", b"error").where.startswith("ZeroDivisionError")
    assert case.assess("tables", b"warning").where.startswith("RuntimeWarning")


def test_make_check_runs_a_number_of_cases_of_every_target(monkeypatch, capsys):
    ran = []

    def campaign(name, budget, started):
        ran.append((name, budget.first, budget.cases, budget.seconds))
        return Result(name)

    monkeypatch.setattr("fuzz.__main__.campaign", campaign)
    assert main(["--check", "--jobs", "1"]) == 0
    assert ran == [(name, 10**9, CHECKED[name], float("inf")) for name in TARGETS]
    assert "0 findings" in capsys.readouterr().out
