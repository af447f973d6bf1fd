"""Puts tables and figures into docs/benchmarks.md, each between two marks."""

from __future__ import annotations

import shutil
from pathlib import Path


def marks(part: str) -> tuple[str, str]:
    """The lines before and after a part of the page."""
    return f"<!-- {part}: written by make bench -->", f"<!-- end of {part} -->"


def put(text: str, drawn: list[Path], page: Path, part: str = "fit") -> None:
    """Replace what is between the marks of a part; the rest of the page is left alone.

    Raises
    ------
    ValueError
        The page has not both marks.
    """
    begin, end = marks(part)
    old = page.read_text(encoding="utf-8")
    if begin not in old or end not in old:
        raise ValueError(f"{page.name} needs the lines {begin!r} and {end!r}; the part between them is written anew.")
    images = page.parent / "images"
    images.mkdir(exist_ok=True)
    shown = []
    for picture in drawn:
        if picture.suffix == ".svg":
            shutil.copyfile(picture, images / picture.name)
            shown.append(f"![{picture.stem.replace('_', ', ')}](images/{picture.name})")
    before, rest = old.split(begin, 1)
    after = rest.split(end, 1)[1]
    body = "\n\n".join([*shown, text.strip()])
    page.write_text(f"{before}{begin}\n\n{body}\n\n{end}{after}", encoding="utf-8")
