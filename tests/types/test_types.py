"""Scripts of users under mypy's strict mode: one that it accepts, and one in which it finds every mistake."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import boxwood

HERE = Path(__file__).parent
#: What `reveal_type` shows, in the order of the script.
REVEALED = (
    "boxwood.model.readable.ReadableTree",
    "numpy.ndarray",
    "boxwood.views.rules.Rules",
    "boxwood.views.row_explanation.RowExplanation",
    "float",
    "str",
    "boxwood.algorithms.comparison.result.Comparison",
    "matplotlib.axes._axes.Axes",
    "boxwood.pictures.picture.Picture",
    "boxwood.CARTClassifier",
)


@pytest.fixture(scope="module")
def lines_of(tmp_path_factory):
    """The lines that mypy prints about a script."""
    cache = tmp_path_factory.mktemp("mypy")
    home = Path(boxwood.__file__).parents[1]
    environment = dict(os.environ)
    environment.pop("MYPYPATH", None)
    if home.name != "site-packages":  # the source tree, which mypy does not look into by itself
        environment["MYPYPATH"] = str(home)

    def run(name: str) -> list[str]:
        options = ["--strict", "--follow-imports=silent", "--no-error-summary", "--config-file="]
        command = [sys.executable, "-m", "mypy", *options, f"--cache-dir={cache}", name]
        done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True)
        assert not done.stderr
        return done.stdout.splitlines()

    return run


@pytest.mark.long
def test_a_script_without_mistakes_is_accepted(lines_of):
    lines = lines_of("accepted.py")
    assert not [line for line in lines if "error:" in line]
    shown = [match[1] for line in lines if (match := re.search(r'Revealed type is "([^"]+)"', line))]
    assert len(shown) == len(REVEALED)
    for found, wanted in zip(shown, REVEALED, strict=True):
        assert found.removeprefix("builtins.").startswith(wanted)


@pytest.mark.long
def test_every_mistake_is_found_and_nothing_else(lines_of):
    source = (HERE / "rejected.py").read_text(encoding="utf-8").splitlines()
    wanted = {(number, line.split("  # ")[1]) for number, line in enumerate(source, 1) if "  # " in line}
    found = {
        (int(match[1]), match[2])
        for line in lines_of("rejected.py")
        if (match := re.fullmatch(r"rejected.py:(\d+): error: .*\[([a-z-]+)\]", line))
    }
    assert found == wanted
    assert len(wanted) == 12


def test_the_package_declares_that_it_has_types():
    assert (Path(boxwood.__file__).parent / "py.typed").exists()
