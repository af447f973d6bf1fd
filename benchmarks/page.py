"""Puts the tables and the figures into the part "Fit" of docs/benchmarks.md, between two marks."""

from __future__ import annotations

import shutil
from pathlib import Path

BEGIN, END = "<!-- fit: written by make bench -->", "<!-- end of fit -->"


def put(text: str, drawn: list[Path], page: Path) -> None:
    """Replace what stands between the marks; the rest of the page is left alone.

    Raises
    ------
    ValueError
        The page has not both marks.
    """
    old = page.read_text(encoding="utf-8")
    if BEGIN not in old or END not in old:
        raise ValueError(f"{page.name} needs the lines {BEGIN!r} and {END!r}; the part between them is written anew.")
    images = page.parent / "images"
    images.mkdir(exist_ok=True)
    shown = []
    for picture in drawn:
        if picture.suffix == ".svg":
            shutil.copyfile(picture, images / picture.name)
            shown.append(f"![{picture.stem.replace('_', ', ')}](images/{picture.name})")
    before, rest = old.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    body = "\n\n".join([*shown, text.strip()])
    page.write_text(f"{before}{BEGIN}\n\n{body}\n\n{END}{after}", encoding="utf-8")
