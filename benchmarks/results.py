"""Results in a file of JSON lines: appended one by one, so that a run can be stopped and taken up again."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

from benchmarks.cells import Cell


class Results:
    """The file and what is in it.

    Parameters
    ----------
    path : Path
        Made when the first result comes. A last line that was cut off is left out.
    """

    def __init__(self, path: Path):
        self._path = path
        self._found: dict[str, dict] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue
            self._found[record["key"]] = record

    def has(self, cell: Cell, code: str) -> bool:
        """Whether this cell was finished with this code of boxwood; failed ones are not finished."""
        found = self._found.get(cell.key(code))
        return found is not None and "failed" not in found

    def add(self, cell: Cell, code: str, found: dict) -> dict:
        """Append a result; a line is on disk before the next cell begins."""
        record = {"key": cell.key(code), "code": code, **asdict(cell), **found}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        ragged = self._path.exists() and self._path.read_bytes()[-1:] not in (b"", b"\n")
        with open(self._path, "a", encoding="utf-8") as file:
            file.write("\n" * ragged + json.dumps(record, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self._found[record["key"]] = record
        return record

    def of(self, cells: list[Cell], code: str) -> list[dict]:
        """The records of some cells, in their order, those that are there."""
        keys = [cell.key(code) for cell in cells]
        return [self._found[key] for key in keys if key in self._found]
