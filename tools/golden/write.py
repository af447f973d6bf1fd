"""Writes the packed golden files anew from the oracle folder: ``make golden``, then read the difference."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from golden import c45_oracles, chaid_oracles
from golden.oracles import ORACLES, PACKED, compact, read

#: Only data that anybody may pass on are packed; the others are tested where the oracle folder is at hand.
FREE = ("public-domain data", "public data", "as printed in the note")


def packed_bytes(data: dict) -> bytes:
    """One data set as a packed file; the same data always give the same bytes."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode("utf-8"), 9, mtime=0)


def write_chaid(folder: Path) -> int:
    """Write the results of CHAID, which have their own binned data, where there are some; bytes written."""
    if not list(folder.glob("chaid.json*")):
        return 0
    chaid_oracles.CHAID.mkdir(exist_ok=True)
    content = packed_bytes(chaid_oracles.compact(folder))
    (chaid_oracles.CHAID / f"{folder.name}.json.gz").write_bytes(content)
    print(f"chaid/{folder.name}: {len(content)} bytes")
    return len(content)


def write_c45(folder: Path) -> int:
    """Write the trees of C4.5, J48 and Id3; bytes written."""
    if not list(folder.glob("weka39.json*")):
        return 0
    c45_oracles.C45.mkdir(exist_ok=True)
    content = packed_bytes(c45_oracles.compact(folder))
    (c45_oracles.C45 / f"{folder.name}.json.gz").write_bytes(content)
    print(f"c45/{folder.name}: {len(content)} bytes")
    return len(content)


def main() -> int:
    """Write a file for every free data set; the exit status."""
    if not ORACLES.is_dir():
        print("The folder with the reference outputs is not here; the golden files stay as they are.", file=sys.stderr)
        return 1
    PACKED.mkdir(exist_ok=True)
    total = 0
    for folder in sorted(path for path in ORACLES.iterdir() if path.is_dir()):
        if read(folder / "schema.json")["licence"] in FREE:
            content = packed_bytes(compact(folder))
            (PACKED / f"{folder.name}.json.gz").write_bytes(content)
            total += len(content)
            print(f"{folder.name}: {len(content)} bytes")
            total += write_chaid(folder) + write_c45(folder)
    print(f"together: {total} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
