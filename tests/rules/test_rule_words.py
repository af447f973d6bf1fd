"""Cuts in the text of rules are as short as those of trees; files and `--json` keep every digit."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood
from boxwood import C45Rules
from boxwood.cli.rulesets import rule_facts
from boxwood.errors import ModelFileError
from boxwood.rules import RuleModel
from boxwood.tree.neighbours import MOST_VALUES
from tree.forge import forge, open_up

X = {"dose": [24.8] * 6 + [24.81670000000001] * 6}
Y = ["no"] * 6 + ["yes"] * 6
CUT = 24.808350000000004


def fitted() -> C45Rules:
    """Rules with a cut at the midpoint of two values, which has many digits."""
    return C45Rules(data_cuts=False).fit(X, Y)


def test_text_for_people_has_the_shortest_number_between_the_neighbouring_values():
    model = fitted()
    assert {c.cut for rule in model.rules_ for c in rule.conditions} == {(CUT, 0.0)}
    assert model.to_frame()["conditions"].tolist() == ["dose <= 24.81", "dose > 24.81"]
    assert "dose > 24.81\n" in model.to_text()


def test_files_and_facts_keep_every_digit(tmp_path):
    model = fitted()
    model.save(tmp_path / "rules.box")
    again = boxwood.load(tmp_path / "rules.box")
    assert again.to_text() == model.to_text()
    assert again.model_.to_bytes() == model.model_.to_bytes()
    conditions = [rule["conditions"] for rule in rule_facts(again.model_)["rules"]["rules"]]
    assert conditions == [[f"dose <= {CUT!r}"], [f"dose > {CUT!r}"]]


def test_files_without_neighbours_are_read_and_show_six_digits():
    header, sections = open_up(fitted().model_.to_bytes())
    assert header["sections"][-1]["name"] == "neighbours"
    header["sections"].pop()
    old = RuleModel.from_bytes(forge(header, sections[:-1]))
    assert "dose > 24.8084\n" in old.rule_set.to_text()


def test_neighbours_that_the_cut_does_not_part_are_refused():
    header, sections = open_up(fitted().model_.to_bytes())
    for bad in (np.array([24.8, CUT]), np.array([25.0, 26.0]), np.array([np.nan, 26.0])):
        sections[-1] = np.tile(bad, 2).tobytes()
        with pytest.raises(ModelFileError, match="a cut must lie between"):
            RuleModel.from_bytes(forge(header, sections))


def test_cuts_of_large_tables_stay_apart():
    rng = np.random.default_rng(0)
    x = 1000 + rng.random(MOST_VALUES + 1) * 1e-3
    y = (x * 1e4).astype(int) % 2
    model = C45Rules(max_depth=4).fit({"x": x}, y)
    cuts = {c.cut for rule in model.rules_ for c in rule.conditions}
    words = {words.split()[-1] for rule in model.rules_ for words in model.rule_set_.words_of(rule)}
    assert 1 < len(cuts) == len(words)
