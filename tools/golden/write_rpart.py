"""Packs what tools/golden/write_rpart.R writes: ``python -m tools.golden.write_rpart`` where R and rpart are there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from golden.oracles import PACKED
from tools.golden.write import packed_bytes

FILE = PACKED / "others" / "rpart.json.gz"


def main() -> int:
    """Write the file; the exit status."""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(["Rscript", "tools/golden/write_rpart.R"], cwd=root, capture_output=True, check=True)
    content = packed_bytes(json.loads(done.stdout))
    FILE.write_bytes(content)
    print(f"rpart: {len(content)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
