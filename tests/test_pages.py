"""What the pages of the project show is what one gets."""

import json
import re
import shutil
import subprocess
import traceback

import pytest

from tools.pages import BLOCK, ROOT, current, difference, pages


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


def blocks_of(page):
    return [found[2] for found in BLOCK.finditer(page.read_text(encoding="utf-8")) if found[1] == "python"]


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "page", [page for page in pages() if blocks_of(page)], ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_blocks_that_are_copied_from_a_page_run_in_a_folder_without_tables(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = {"__name__": "__main__"}
    for block in blocks_of(page):
        exec(compile(block, page.name, "exec"), session)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_a_block_of_the_site_is_copied_with_those_above_it():
    script = (ROOT / "tools" / "docs_site" / "static" / "site.js").read_text(encoding="utf-8")
    stub = "const document = { querySelector: () => null, querySelectorAll: () => [] };\n"
    call = 'console.log(JSON.stringify(sessionUpTo(["x = 1\\n", "y = 2\\n", "z = 3\\n"], 1)));'
    done = subprocess.run(["node", "-e", stub + script + call], capture_output=True, encoding="utf-8", check=True)
    assert json.loads(done.stdout) == "x = 1\n\ny = 2\n"
