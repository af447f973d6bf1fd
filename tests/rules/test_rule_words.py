"""Cuts in the text of rules are the cuts, as in trees."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood
from boxwood import C45Rules
from boxwood.algorithms.rules import RuleModel
from tree.forge import forge, open_up

X = {"dose": [24.8] * 6 + [24.81670000000001] * 6}
Y = ["no"] * 6 + ["yes"] * 6


@pytest.mark.parametrize(("data_cuts", "cut"), [(False, 24.81), (True, 24.8)])
def test_every_text_and_file_has_the_cut(data_cuts, cut, tmp_path):
    model = C45Rules(data_cuts=data_cuts).fit(X, Y)
    assert {c.cut for rule in model.rules_ for c in rule.conditions} == {(cut, 0.0)}
    assert model.to_frame()["conditions"].tolist() == [f"dose <= {cut}", f"dose > {cut}"]
    assert f"dose > {cut}\n" in model.to_text()
    model.save(tmp_path / "rules.box")
    again = boxwood.load(tmp_path / "rules.box")
    assert again.to_text() == model.to_text()
    assert again.model_.to_bytes() == model.model_.to_bytes()
    conditions = [rule["conditions"] for rule in again.model_.facts()["rules"]["rules"]]
    assert conditions == [[f"dose <= {cut}"], [f"dose > {cut}"]]


def test_files_with_the_values_on_the_sides_of_cuts_are_still_read():
    model = C45Rules(data_cuts=False).fit(X, Y)
    header, sections = open_up(model.model_.to_bytes())
    sides = np.array([[24.8, 24.8167]] * 2)
    header["sections"].append({"name": "neighbours", "dtype": "float64", "shape": [2, 2], "required": False})
    old = RuleModel.from_bytes(forge(header, [*sections, sides.tobytes()]))
    assert old.rule_set.to_text() == model.to_text()


def test_cuts_of_large_tables_stay_apart():
    rng = np.random.default_rng(0)
    x = 1000 + rng.random(250_001) * 1e-3
    y = (x * 1e4).astype(int) % 2
    model = C45Rules(max_depth=4).fit({"x": x}, y)
    cuts = {c.cut for rule in model.rules_ for c in rule.conditions}
    words = {words.split()[-1] for rule in model.rules_ for words in model.rule_set_.words_of(rule)}
    assert 1 < len(cuts) == len(words)
