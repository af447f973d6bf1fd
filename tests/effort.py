"""How hard the random searches try: a part of their examples in `make test`, all of them in `make check`."""

import os

FULL = os.environ.get("EFFORT") == "full"


def examples(full: int) -> int:
    """How many of a full number of random examples to draw."""
    return full if FULL else max(20, full // 8)
