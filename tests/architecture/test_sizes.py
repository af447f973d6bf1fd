"""A file has at most 300 lines, so that it can be read at once."""

from tools.imports import modules

MOST = 300


def test_files_are_short():
    sizes = {module: len(file.read_text(encoding="utf-8").splitlines()) for module, file in modules().items()}
    assert not {module: lines for module, lines in sizes.items() if lines > MOST}
    assert len(sizes) > 300
