"""Trees of rpart predict what rpart predicted (packed: tools/golden/write_rpart.R, which uses docs/rpart_dump.R)."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

import boxwood
from boxwood.errors import ModelFileError
from boxwood.tree.descend import route
from tools.golden.write_rpart import FILE

PACKED = json.loads(gzip.decompress(FILE.read_bytes()))
ROWS, FITS = PACKED["rows"], {name: fit | {"dump": fit["dump"][0]} for name, fit in PACKED["fits"].items()}


@pytest.mark.parametrize("name", FITS)
def test_predictions_equal_those_of_rpart(name):
    fit = FITS[name]
    tree = boxwood.from_rpart(fit["dump"])
    predicted = tree.predict(ROWS)
    if not fit.get("probability"):
        np.testing.assert_allclose(predicted, fit["predicted"], rtol=1e-12, atol=1e-13)
        return
    assert predicted.tolist() == fit["predicted"]
    probability = route(tree, tree._read(ROWS)[1]).probability(tree)
    np.testing.assert_allclose(probability, fit["probability"], atol=1e-12)


def test_trees_of_rpart_keep_surrogates_competitors_and_words():
    tree = boxwood.from_rpart(FITS["class"]["dump"])
    assert len(tree.surrogates)
    assert len(tree.competitors)
    assert {feature.kind for feature in tree.schema} == {"numeric", "nominal", "ordinal"}
    text = str(tree) + tree.rules().to_text(None)
    assert "Decision tree (rpart) for class" in text
    assert "colour is" in text
    assert not np.isnan(tree.rules()[0].interval[0])
    loss = boxwood.from_rpart(FITS["loss"]["dump"]).response.costs
    assert loss == ((0.0, 3.0, 1.0), (1.0, 0.0, 1.0), (2.0, 1.0, 0.0))


def test_what_is_no_dump_is_refused(tmp_path):
    dump = json.loads(FITS["class"]["dump"])
    for change, words in (
        ({"format": "tree"}, "not a dump of rpart of method"),
        ({"method": "user"}, "not a dump of rpart of method"),
        ({"terms": ["a"]}, "not a dump of rpart: ValueError"),
        ({"frame": {}}, "not a dump of rpart: KeyError"),
    ):
        with pytest.raises(ModelFileError, match=words):
            boxwood.from_rpart(dump | change)
    turned = dump["frame"] | {"yval": [1.0] * len(dump["frame"]["yval"])}
    with pytest.raises(ModelFileError, match="do not follow from its counts"):
        boxwood.from_rpart(dump | {"frame": turned})
    file = tmp_path / "dump.json"
    file.write_text(FITS["anova"]["dump"], encoding="utf-8")
    assert boxwood.from_rpart(file).n_nodes == boxwood.from_rpart(str(file)).n_nodes > 3
