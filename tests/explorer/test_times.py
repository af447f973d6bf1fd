"""Dates and times on the page: predictions, words and typed values are those of Python."""

from __future__ import annotations

import datetime
import json
import shutil
import subprocess

import numpy as np
import pytest

from boxwood import CARTClassifier
from boxwood.data.columns.temporal import NANOSECONDS, Temporal
from boxwood.model.explorer.kinds import TimePage
from boxwood.model.explorer.page import COMPUTES, joined
from boxwood.model.explorer_page import contents_of
from explorer.test_answers import cases, check

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed (apt install nodejs)")

KINDS = {
    "days": lambda rng, n: np.datetime64("2019-01-01") + rng.integers(0, 1500, n),
    "seconds": lambda rng, n: np.datetime64("2019-01-01", "s") + rng.integers(0, 10**8, n),
    "nanoseconds": lambda rng, n: np.datetime64("2019-01-01", "ns") + rng.integers(0, 10**17, n),
    "spans": lambda rng, n: rng.integers(-(10**6), 10**6, n).astype("m8[s]"),
    "midnights": lambda rng, n: (np.datetime64("2019-01-01") + rng.integers(0, 1500, n)).astype("M8[us]"),
    "clocks": lambda rng, n: [datetime.time(int(m) // 60, int(m) % 60) for m in rng.integers(0, 1440, n)],
}


def fitted(kind: str) -> CARTClassifier:
    rng = np.random.default_rng(5)
    values = list(KINDS[kind](rng, 300))
    order = np.argsort(np.argsort(np.array(values, dtype=None if kind != "clocks" else object)))
    y = np.where(np.abs(order - 150) + rng.normal(0, 20, 300) > 75, "yes", "no")
    values[7] = None
    return CARTClassifier(pruning=None, max_depth=4).fit({kind: values, "size": rng.normal(size=300)}, y)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_answers_as_python_does(kind):
    check([cases(kind, contents_of(fitted(kind).model_), 200)])


def in_node(script: str, given) -> list:
    done = subprocess.run(
        [NODE, "-e", f"{joined((*TimePage.scripts, *COMPUTES))}\n{script}"],
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


SCRIPT = """
const given = JSON.parse(require("fs").readFileSync(0, "utf-8"));
console.log(JSON.stringify(given.map(([time, value]) => {
  const about = { time }, words = valueWords(about, value);
  return [words, readValue(about, words)];
})));
"""
UNITS = [
    Temporal("date", "D", "D"), Temporal("datetime", "us", "D"), Temporal("datetime", "us", "m"),
    Temporal("datetime", "ms", "ms"), Temporal("datetime", "ns", "ns"), Temporal("datetime", "s", "s", "Europe/Berlin"),
    Temporal("datetime", "us", "us", "Asia/Kathmandu"), Temporal("datetime", "s", "m", "-03:30"),
    Temporal("duration", "s", "s"), Temporal("duration", "ns", "ns"), Temporal("duration", "D", "D"),
]  # fmt: skip


def test_words_are_those_of_python_and_are_read_back():
    rng, given, expected = np.random.default_rng(3), [], []
    for temporal in UNITS:
        size = NANOSECONDS[temporal.resolution]
        for count in [0, 1, -1, *rng.integers(-(2**61), 2**61, 40).tolist()]:
            count = count // size if abs(count) > 1 else count
            value = [float(count), float(count - int(float(count)))] if abs(count) > 2**53 else count
            value = value if not isinstance(value, list) or value[1] else value[0]
            given.append([{"kind": temporal.kind, "size": size, "zone": temporal.zone or ""}, value])
            expected.append([temporal.text(count * temporal.step), value])
    found = in_node(SCRIPT, given)
    assert [words for words, _ in found] == [words for words, _ in expected]
    assert [np.array(value, dtype=float).tolist() for _, value in found] == [
        np.array(value, dtype=float).tolist() for _, value in expected
    ]


def test_what_is_no_time_is_not_read():
    times = {"kind": "datetime", "size": 10**9, "zone": ""}
    zoned = times | {"zone": "Asia/Tokyo"}
    bad = [
        [times, "14.03.2021"], [times, ""], [times, "2021-02-30"], [times, "2021-03-14 10:30Z"],
        [zoned, "2021-03-14 10:30"], [times | {"kind": "time"}, "2021-03-14"], [times | {"kind": "duration"}, "soon"],
    ]  # fmt: skip
    script = (
        "console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf-8')).map((g) => readTime(...g))));"
    )
    assert in_node(script, bad) == [None] * len(bad)
