"""What the tests of the commands share: a model file of the Titanic, and a command run in this process."""

import pytest

from boxwood.cli import main
from boxwood.data import datasets


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """The path of a model file, fitted with the defaults."""
    file = str(tmp_path_factory.mktemp("model") / "titanic.box")
    assert main(["fit", str(datasets.path("titanic")), "--target", "survived", "-o", file, "--quiet"]) == 0
    return file


@pytest.fixture
def run(capsys):
    """Runs a command; returns its status and what it printed to stdout and stderr."""

    def runner(*words):
        capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return code, out, err

    return runner
