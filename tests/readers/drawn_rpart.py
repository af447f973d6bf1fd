"""Random trees of rpart, fitted by R (drawn_rpart.R)."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import boxwood
from readers.drawn_tables import Drawn

ROOT = Path(__file__).resolve().parents[2]


def fitted(first: int, last: int) -> list[str]:
    """Trees with what they predict, one JSON text each."""
    words = ["Rscript", "tests/readers/drawn_rpart.R", str(first), str(last)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, check=True)
    return done.stdout.decode("utf-8").splitlines()


def number(text: str) -> float:
    """A number as R writes it."""
    return {"NA": math.nan}.get(text) or float(text)


def read(line: str) -> Iterator[Drawn]:
    """The tree of one model."""
    case = json.loads(line)
    numeric = set(case["numeric"])
    rows = {
        name: np.array([number(text) for text in column]) if name in numeric else column
        for name, column in case["rows"].items()
    }
    probability = np.array(case["probability"]) if case["probability"] else None
    yield Drawn(boxwood.from_rpart(case["dump"][0]), rows, np.array(case["predicted"]), probability)
