"""Parts stay in memory while all of them fit; after that all lie in files, and the rows are the same."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pytest

from boxwood.data.streams.batches import Batches
from boxwood.growing.parts.layout import Roles
from boxwood.growing.parts.memory_part import MemoryPart
from boxwood.growing.parts.part_file import PartFile
from boxwood.growing.parts.provisional_parts import ProvisionalParts

N, ROWS = 100, 10
DATA = pd.DataFrame({"数": np.arange(N, dtype=np.float32), "kind": list("abcd" * 25), "w": 1.0, "y": list("no" * 50)})
#: Bytes of a part in final numbers, about: numbers, levels, weights and classes, with their codes.
PART = int(ROWS * (4 + 4 + 8 + 4) * 1.5)


def drafted(folder: str, room: int) -> ProvisionalParts:
    """Ten parts of ten rows."""
    batches = Batches(DATA, rows=ROWS)
    layout = Roles("y", weight="w").layout(batches, "classification")
    with ProvisionalParts(layout, folder, ROWS, room) as draft:
        for batch in batches.read(layout.columns):
            draft.add(batch)
    return draft


@pytest.mark.parametrize(("room", "kind"), [(0, PartFile), (1, PartFile), (5 * PART, PartFile), (N * PART, MemoryPart)])
def test_all_parts_lie_in_one_place(room, kind, tmp_path):
    draft = drafted(str(tmp_path), room)
    assert {type(part) for part in draft.parts} == {kind}
    assert len(os.listdir(tmp_path)) == (len(draft.parts) if kind is PartFile else 0)
    for name, expected in (("x0", DATA["数"]), ("weight", DATA["w"])):
        assert np.concatenate([part.get(name) for part in draft.parts]).tolist() == expected.tolist()


@pytest.mark.parametrize("room", [0, N * PART])
def test_rows_can_be_taken_out_of_a_part(room, tmp_path):
    one, other, *_ = drafted(str(tmp_path), room).parts
    one.keep(np.arange(ROWS) % 3 == 0)
    assert (one.n, one.get("x0").tolist()) == (4, [0, 3, 6, 9])
    assert one.mapped()["x0"].tolist() == [0, 3, 6, 9]
    other.keep(np.zeros(ROWS, dtype=bool))
    assert other.n == 0
    assert not os.path.exists(other.path)
