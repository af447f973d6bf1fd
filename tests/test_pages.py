"""What the pages of the project show is what one gets."""

import re
import traceback

import pytest

from tools.pages import ROOT, current, difference, pages


@pytest.mark.sample(8)
@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page_shows_current_outputs(page):
    assert difference(page) == "", "make docs rewrites the outputs"


def test_readme_starts_with_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.index("make demo") < text.index("make test") < text.index("```python")


def test_the_figure_of_the_benchmarks_has_every_row_of_their_table():
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    figure = (ROOT / "docs" / "images" / "benchmarks_fit.svg").read_text(encoding="utf-8")
    # matplotlib writes each label as outlines and, before them, as a comment.
    labels = re.findall("<!-- (.*) -->", figure)
    rows = re.findall(r"^\| ([^|]+) \| ([\d,]+) \| (no|\d+) \|", page, re.M)
    assert rows
    for problem, count, depth in rows:
        assert f"{problem}, {count} rows, {'unpruned' if depth == 'no' else f'depth {depth}'}" in labels


def test_blocks_are_run_and_outputs_replaced():
    page = "```python\nx = 2\nprint(x + 1)\n```\n\n```text\n7\n```\n\n```console\n$ boxwood nothing\nold\n```\n"
    found = current(page)
    assert "```text\n3\n```" in found
    assert "old" not in found
    assert "No such command 'nothing'" in found
    assert current(found) == found
    assert current("```sh\nrm -rf x\n```\n") == "```sh\nrm -rf x\n```\n"


def test_an_error_shows_its_page_and_line():
    with pytest.raises(ZeroDivisionError) as caught:
        current("Words.\n\n```python\n1 / 0\n```\n", "some.md")
    last = traceback.extract_tb(caught.tb)[-1]
    assert (last.filename, last.lineno) == ("some.md", 4)
