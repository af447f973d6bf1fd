"""Writes the packed golden files anew from the oracle folder: ``make golden``, then read the difference."""

from __future__ import annotations

import gzip
import json
import sys

from golden.oracles import ORACLES, PACKED, compact, read

#: Only data that anybody may pass on are packed; the others are tested where the oracle folder is at hand.
FREE = ("public-domain data", "public data", "as printed in the note")


def packed_bytes(data: dict) -> bytes:
    """One data set as a packed file; the same data always give the same bytes."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode("utf-8"), 9, mtime=0)


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
    print(f"together: {total} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
