"""What README.md shows is what one gets."""

from pathlib import Path

import readme_blocks

README = Path(__file__).parents[1] / "README.md"


def test_readme_shows_current_outputs():
    assert readme_blocks.difference(README) == "", "make docs rewrites the outputs"


def test_readme_starts_with_the_two_commands():
    text = README.read_text(encoding="utf-8")
    assert text.index("make demo") < text.index("make test") < text.index("```python")


def test_blocks_are_run_and_outputs_replaced():
    page = "```python\nx = 2\nprint(x + 1)\n```\n\n```text\n7\n```\n\n```console\n$ boxwood nothing\nold\n```\n"
    found = readme_blocks.current(page)
    assert "```text\n3\n```" in found
    assert "old" not in found
    assert "No such command 'nothing'" in found
    assert readme_blocks.current(found) == found
    assert readme_blocks.current("```sh\nrm -rf x\n```\n") == "```sh\nrm -rf x\n```\n"
