"""Logs of random edits that the functions of the page write: they fit, and are those that Python writes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, ID3Classifier, datasets
from boxwood.model.explorer.kinds import NumberPage, TimePage
from boxwood.model.explorer.page import COMPUTES, joined

HERE = Path(__file__).parent
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed (apt install nodejs)")
SCHEMA = json.loads((HERE.parents[1] / "docs/edits.schema.json").read_text(encoding="utf-8"))


def mixed() -> pd.DataFrame:
    """Ordinal levels, dates, truth values, names that hold signs of the language of conditions, and missing values."""
    rng, n = np.random.default_rng(5), 600
    X = pd.DataFrame({
        "等级": pd.Categorical.from_codes(rng.integers(0, 4, n), ["低", "中", "高", "极高"], ordered=True),
        "opened": pd.Timestamp("2021-03-14") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
        "flag": rng.random(n) < 0.4,
        "a <= b": rng.choice(["x, y", "it's", 'say "hi"', "z or w"], n),
        "income": np.where(rng.random(n) < 0.1, np.nan, rng.gamma(3, 9000, n)),
    })  # fmt: skip
    odds = (
        0.1 + 0.2 * X["等级"].cat.codes + 0.3 * (X["opened"] > "2022-01-01") * X["flag"] + 0.2 * (X["a <= b"] == "it's")
    )
    return X.assign(y=np.where(rng.random(n) < odds, "yes", "no"))


def table(name: str, target: str):
    if name == "mixed":
        return mixed().drop(columns=[target]), mixed()[target]
    X = pd.DataFrame(datasets.load(name))
    return X.drop(columns=[target, *({"编号"} & set(X))]), X[target]


MODELS = {
    "cart": (lambda: CARTClassifier(), "titanic", "survived"),
    "cart kept": (lambda: CARTClassifier(max_competitors=3, max_depth=4), "titanic", "survived"),
    "regression": (lambda: CARTRegressor(max_depth=4), "computer_hardware", "performance"),
    "c45": (lambda: C45Classifier(pruning=None, max_depth=4), "titanic", "survived"),
    "chaid": (lambda: CHAIDClassifier(), "titanic", "survived"),
    "kinds": (lambda: CARTClassifier(max_depth=5, max_competitors=3), "mixed", "y"),
    "kinds by c45": (lambda: C45Classifier(), "mixed", "y"),
    "id3": (lambda: ID3Classifier(), "watermelon_2", "好瓜"),
}


def logs_of(documents: list[dict]) -> list[dict]:
    script = joined((*TimePage.scripts, *NumberPage.written_scripts, *COMPUTES))
    cases = [{"document": document, "seed": seed} for seed, document in enumerate(documents)]
    done = subprocess.run(
        [NODE, str(HERE / "edits.mjs")], input=json.dumps({"script": script, "cases": cases}), capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", MODELS)
def test_random_edits_replay_as_they_are(name):
    make, data, target = MODELS[name]
    X, y = table(data, target)
    model = make().fit(X, y)
    document = json.loads(model.explore(X, y).html.rpartition('id="document">')[2].partition("</script>")[0])
    taken = 0
    for log in logs_of([document] * 8):
        jsonschema.validate(log, SCHEMA)
        editor = make().fit(X, y).edit(X, y)
        replay = editor.replay(json.dumps(log))
        # The page has no rows: a split that no row divides, or a branch without rows, is found by the replay.
        assert {finding.what for finding in replay.findings} <= {"empty branch", "left out"}, (log, str(replay))
        taken += replay.taken
        if not replay.findings:
            # The page holds the levels of tested features only, and no figures.
            computed = {"price", "effect", "levels"}
            both = [
                [{k: entry[k] for k in entry.keys() - computed} for entry in edits["edits"]]
                for edits in (log, editor.log)
            ]
            assert both[0] == both[1]
    assert taken >= 8
