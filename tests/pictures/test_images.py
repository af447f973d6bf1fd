"""The reference images in docs/images are what is drawn now; their pages name each of them."""

from __future__ import annotations

import importlib.util
import re
import sys

import pytest

from tools.pages import ROOT

IMAGES = ROOT / "docs" / "images"
SCRIPT = IMAGES / "pictures.py"


@pytest.fixture(scope="module")
def drawn() -> dict[str, str]:
    spec = importlib.util.spec_from_file_location("pictures_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(IMAGES), *sys.path])
        spec.loader.exec_module(module)
    return module.pictures()


def test_images_are_current(drawn):
    for name, svg in drawn.items():
        assert (IMAGES / name).read_text(encoding="utf-8") == svg, (
            f"{name}: python docs/images/pictures.py draws it anew"
        )


def test_the_page_shows_every_image_and_none_that_is_not_there(drawn):
    page = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\]\(images/([^)]+)\)", page))
    assert set(drawn) <= shown
    assert all((IMAGES / name).exists() for name in shown)
    assert all(len(words) > 20 for words in re.findall(r"!\[([^\]]*)\]", page)), "pictures are described in words too"


def test_the_readme_shows_its_picture():
    assert "](docs/images/titanic.svg)" in (ROOT / "README.md").read_text(encoding="utf-8")
