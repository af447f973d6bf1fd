"""Runs what a Markdown page shows and compares, or rewrites, the outputs under it.

Three kinds of blocks, distinguished by the word after the backticks:

- ``python``: run, all blocks of a page in one session. A ``text`` block that follows at once holds what it printed.
- ``console``: each line after ``$ `` is a command, the lines under it its output; ``boxwood`` runs this boxwood in a
  folder of its own, where the bundled tables lie under their names (titanic.csv ...).
- anything else (``sh`` for set-up): shown, never run.

`python tools/pages.py --check` exits with 1 when an output is not current; `--write` rewrites them. Both take the
pages to run; without, they run all. `tests/test_pages.py` checks every page of the project.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from boxwood.data import datasets

#: Where this boxwood is, for commands that run in another folder.
SOURCE = str(Path(datasets.__file__).resolve().parents[3])
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


ROOT = Path(__file__).resolve().parents[1]


def pages() -> list[Path]:
    """Every page of the project that may show what boxwood prints."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]


def current(page: str, name: str = "page") -> str:
    """The page with the outputs that its blocks print now; an error names the page and the line of its block."""
    session: dict = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder:
        for table in datasets.names():
            shutil.copy(datasets.path(table), folder)
        with contextlib.chdir(folder):
            return BLOCK.sub(lambda found: _run_block(found, session, name), page)


def _run_block(found: re.Match, session: dict, name: str) -> str:
    kind, body, output = found.groups()
    if kind == "console":
        return f"```console\n{_run_commands(body)}```\n"
    printed = io.StringIO()
    above = found.string.count("\n", 0, found.start(2))  # so that an error shows the line of the page
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * above + body, name, "exec"), session)
    text = tidy(printed.getvalue())
    if output is None and not text:
        return found.group()
    return f"```python\n{body}```\n\n```text\n{text}```\n"


def _run_commands(body: str) -> str:
    lines = []
    for line in body.splitlines():
        if line.startswith("$ "):
            words = shlex.split(line[2:])
            if words[0] != "boxwood":
                raise SystemExit(f"console blocks run boxwood only, not {words[0]!r}; show that in a block named sh")
            done = subprocess.run(
                [sys.executable, "-m", *words],
                capture_output=True,
                encoding="utf-8",
                env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": SOURCE},
                check=False,
            )
            lines.append(f"{line}\n{tidy(done.stdout + done.stderr)}")
    return "".join(lines)


def tidy(text: str) -> str:
    """Lines without blanks at their ends; one line end at the end."""
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    return "".join(f"{line}\n" for line in lines)


def difference(file: Path) -> str:
    """How a page differs from what its blocks print now; empty when it is current."""
    page = file.read_text(encoding="utf-8")
    lines = difflib.unified_diff(
        page.splitlines(), current(page, file.name).splitlines(), "shown", "printed now", lineterm="", n=2
    )
    return "\n".join(lines)


def main() -> int:
    """Check or rewrite pages."""
    parser = argparse.ArgumentParser(description="run the blocks of Markdown pages")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true", help="exit with 1 when a shown output is not current")
    what.add_argument("--write", action="store_true", help="put the current outputs into the pages")
    parser.add_argument("pages", nargs="*", type=Path, help="all pages of the project when none is named")
    wanted = parser.parse_args()
    stale = 0
    for page in wanted.pages or pages():
        page = page.resolve()
        if wanted.write:
            page.write_text(current(page.read_text(encoding="utf-8"), page.name), encoding="utf-8")
        elif found := difference(page):
            print(f"{page.name} is not current; make docs rewrites it\n{found}")
            stale += 1
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
