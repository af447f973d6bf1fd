"""Builds the documentation site: `python tools/docs_site build/site`.

The pages are docs/ and, under project/, the pages of the repository's root. They are staged in a folder beside the
target, with the API reference, and Sphinx turns every warning into an error. The finished pages are then checked: each
link inside the site leads somewhere, and nothing is loaded from elsewhere.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import links
import reference
from sphinx.cmd.build import build_main

ROOT = Path(__file__).resolve().parents[2]
#: Page of the repository -> its place in the site.
PROJECT_PAGES = {
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "SECURITY.md": "project/security.md",
    "CODE_OF_CONDUCT.md": "project/code_of_conduct.md",
    "src/boxwood/data/datasets/README.md": "project/datasets.md",
}


def stage(folder: Path) -> None:
    """Put everything that Sphinx reads into a folder of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder)
    (folder / "project").mkdir()
    places = {ROOT / page: folder / place for page, place in PROJECT_PAGES.items()}
    places |= {page: folder / page.relative_to(ROOT / "docs") for page in sorted((ROOT / "docs").rglob("*.md"))}
    for page, place in places.items():
        text = links.moved(page.read_text(encoding="utf-8"), page, place, places)
        place.write_text(text, encoding="utf-8")
    contents = folder / "index.md"
    contents.write_text(links.without_empty_globs(contents.read_text(encoding="utf-8"), folder), encoding="utf-8")
    reference.write(folder / "reference")


def main() -> int:
    """Stage, build and check; 1 when anything is wrong."""
    parser = argparse.ArgumentParser(description="build the documentation site")
    parser.add_argument("folder", type=Path, help="where the site goes")
    folder = parser.parse_args().folder.resolve()
    source = folder.with_name(folder.name + "-source")
    stage(source)
    shutil.rmtree(folder, ignore_errors=True)
    here = str(Path(__file__).parent)
    doctrees = str(source.with_name(folder.name + "-doctrees"))
    failed = build_main(["-W", "-q", "-E", "-c", here, "-d", doctrees, str(source), str(folder)])
    found = [] if failed else links.faults(folder)
    print("\n".join(found), file=sys.stderr)
    if not failed and not found:
        print(f"Wrote the site: open {folder / 'index.html'}")
    return 1 if failed or found else 0


if __name__ == "__main__":
    sys.exit(main())
