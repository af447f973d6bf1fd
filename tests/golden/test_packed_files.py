"""The packed golden files: what the reference outputs hold, small, and the same bytes every time."""

from __future__ import annotations

from golden.oracles import ORACLES, PACKED, compact, read
from tools.golden.write import FREE, packed_bytes


def test_packed_files_are_small_and_free():
    files = sorted(PACKED.glob("*.json.gz"))
    assert len(files) >= 16
    assert sum(path.stat().st_size for path in files) < 2_000_000
    for path in files:
        data = read(path)
        assert data["licence"] in FREE
        assert data["rpart"]


def test_packed_files_hold_what_the_reference_outputs_hold():
    at_hand = [path for path in PACKED.glob("*.json.gz") if (ORACLES / path.name.removesuffix(".json.gz")).is_dir()]
    for path in at_hand:
        assert read(path) == compact(ORACLES / path.name.removesuffix(".json.gz"))


def test_packing_is_repeatable():
    data = {"name": "年龄", "rows": [1.5, None]}
    assert packed_bytes(data) == packed_bytes(data)
