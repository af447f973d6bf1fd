"""Model files of every released version are read, predict what they predicted then, and can be saved again."""

from __future__ import annotations

import json

import numpy as np
import pytest

import boxwood
from model.write_released import RELEASED, models, predictions, table

VERSIONS = sorted(folder.name for folder in RELEASED.iterdir())
EXPECTED = {version: json.loads((RELEASED / version / "expected.json").read_text("utf-8")) for version in VERSIONS}


@pytest.mark.parametrize(("version", "name"), [(v, name) for v in VERSIONS for name in EXPECTED[v]])
def test_a_released_file_predicts_what_it_did(version, name, tmp_path):
    expected = EXPECTED[version][name]
    X, _ = table(expected["table"])
    few = {column: values[:40] for column, values in X.items()}
    model = boxwood.load(RELEASED / version / f"{name}.box")
    labels, numbers = predictions(model, few)
    if isinstance(labels[0], str):
        assert labels == expected["predicted"][0]
    np.testing.assert_allclose(numbers, expected["predicted"][1], rtol=1e-12, atol=1e-12)
    model.save(tmp_path / "again.box")
    assert predictions(boxwood.load(tmp_path / "again.box"), few) == [labels, numbers]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_file_has_its_predictions(version):
    assert {file.stem for file in (RELEASED / version).glob("*.box")} == set(EXPECTED[version])


def test_this_version_has_its_files():
    """A release is made with its files: python -m model.write_released."""
    assert set(EXPECTED[boxwood.__version__]) == {name for name, _, _ in models()}
