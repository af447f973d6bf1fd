"""The recipes of pages about other programs are run where the packages are installed, and print what the page shows."""

from __future__ import annotations

import contextlib
import io
import re
import shutil

import pytest

from boxwood.data import datasets
from tools.pages import ROOT, tidy

BLOCK = re.compile(r"^```(?:py|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
#: Page -> section -> packages of its blocks.
PACKAGES = {
    "registries": {
        "skops": ("skops",), "mlflow": ("mlflow", "skops", "pandas", "onnx", "onnxruntime"), "BentoML": ("bentoml",),
        "MLServer": ("mlserver", "pandas"),
    },
    "sklearn_programs": {
        "scikit-learn": ("matplotlib",), "dtreeviz": ("dtreeviz",), "shap": ("shap",), "m2cgen": ("m2cgen",),
        "skl2onnx": ("skl2onnx", "onnxruntime"), "treeinterpreter": ("treeinterpreter",),
        "Columns of text": (), "Tools of scikit-learn": (),
    },
}  # fmt: skip


def sections(page: str) -> dict[str, str]:
    """Title -> text of each section; the blocks before the first have no title."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    first, *others = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    return {"": first} | dict(zip(others[::2], others[1::2], strict=True))


@pytest.mark.parametrize("page", PACKAGES)
def test_every_section_is_run(page):
    assert {title for title, text in sections(page).items() if BLOCK.search(text)} == {"", *PACKAGES[page]}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # those of the programs and of what they import
@pytest.mark.parametrize(("page", "title"), [(page, title) for page, titles in PACKAGES.items() for title in titles])
def test_recipe(page, title, tmp_path, monkeypatch):
    for package in PACKAGES[page][title]:
        pytest.importorskip(package, reason=f"{package} is not installed")
    for table in datasets.names():
        shutil.copy(datasets.path(table), tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BENTOML_HOME", str(tmp_path / "bento"))
    monkeypatch.setenv("BENTOML_DO_NOT_TRACK", "1")
    session: dict = {"__name__": "recipe"}
    for code, shown in [block for part in ("", title) for block in BLOCK.findall(sections(page)[part])]:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, title, "exec"), session)
        assert tidy(printed.getvalue()) == shown
