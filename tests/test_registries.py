"""The recipes of docs/registries.md are run, each where its packages are installed, and print what the page shows."""

from __future__ import annotations

import contextlib
import io
import re
import shutil

import pytest

from boxwood.data import datasets
from tools.pages import ROOT

PAGE = (ROOT / "docs" / "registries.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?:py|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
#: Section -> packages of its blocks.
PACKAGES = {
    "skops": ("skops",), "mlflow": ("mlflow", "skops", "pandas", "onnx", "onnxruntime"), "BentoML": ("bentoml",),
    "MLServer": ("mlserver", "pandas"),
}  # fmt: skip


def sections() -> dict[str, str]:
    """Title -> text of each section; the blocks before the first have no title."""
    first, *others = re.split(r"^## (.*)\n", PAGE, flags=re.MULTILINE)
    return {"": first} | dict(zip(others[::2], others[1::2], strict=True))


def test_every_section_is_run():
    assert set(sections()) == {"", *PACKAGES}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # those of the registries and of what they import
@pytest.mark.parametrize("title", PACKAGES)
def test_recipe(title, tmp_path, monkeypatch):
    for package in PACKAGES[title]:
        pytest.importorskip(package, reason=f"{package} is not installed")
    for table in datasets.names():
        shutil.copy(datasets.path(table), tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BENTOML_HOME", str(tmp_path / "bento"))
    monkeypatch.setenv("BENTOML_DO_NOT_TRACK", "1")
    session: dict = {"__name__": "recipe"}
    for code, shown in [block for part in ("", title) for block in BLOCK.findall(sections()[part])]:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, title, "exec"), session)
        assert printed.getvalue() == shown
