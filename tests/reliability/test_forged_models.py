"""Model files of every algorithm with right checksums and wrong content: refused, or every view of them works."""

import random
import warnings

import numpy as np
import pytest

import boxwood
from boxwood.errors import ModelFileError
from effort import examples
from reliability.forged_models import fitted, forged, use
from tree.forge import forge, open_up


@pytest.fixture(scope="module")
def models():
    return fitted()


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(8))
def test_forged_files_are_refused_or_every_view_of_them_works(models, seed, tmp_path):
    draw, read = random.Random(seed), 0
    for turn in range(examples(500)):
        (tmp_path / "m.box").write_bytes(forged(models[turn % len(models)].model_.to_bytes(), draw))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                loaded = boxwood.load(tmp_path / "m.box")
            except ModelFileError:
                continue
            use(loaded)
        read += 1
    assert 0 < read < examples(500)


def changed(model, change):
    """The file of a model with a change of its header and arrays by name."""
    header, sections = open_up(model.model_.to_bytes())
    arrays = {}
    for entry, piece in zip(header["sections"], sections, strict=True):
        arrays[entry["name"]] = np.frombuffer(piece, entry["dtype"]).copy()
    change(header, arrays)
    return forge(header, [array.tobytes() for array in arrays.values()])


TREE, NUMBERS, RULES, MARS, DATED = 0, 1, 7, 8, 10


def of_time(j, **fields):
    """A change of what a feature of dates or times counts."""
    return lambda h, a: h["schema"]["features"][j]["temporal"].update(fields)


@pytest.mark.parametrize(
    ("which", "change", "named"),
    [
        (TREE, lambda h, a: h["made_by"].update(measure=["gini"]), "made_by.*'measure' must be text"),
        (TREE, lambda h, a: h["extra"].update(notes=[1]), "notes must be a list of texts"),
        (TREE, lambda h, a: h["extra"].update(task="regression"), "task must be one of 'classification'"),
        (TREE, lambda h, a: h["extra"].update(judged_by=[]), "judged_by must be one of"),
        (TREE, lambda h, a: a["agreement"].fill(1.7e308), "agreement.*outside 0 to 1"),
        (TREE, lambda h, a: a["adjusted"].fill(1.7e308), "adjusted.*above 1"),
        (TREE, lambda h, a: a["moments"].fill(1e308), "moments"),
        (TREE, lambda h, a: a["moments"].fill(1e201), "moments.*the weight is above 1e\\+200"),
        (
            NUMBERS,
            lambda h, a: a["moments"].__setitem__(slice(4, None, 3), -1e151),
            "the mean is more than 1e\\+150 away",
        ),
        (NUMBERS, lambda h, a: a["extra.held_out"].fill(-np.inf), "held_out.*a number is below"),
        (TREE, lambda h, a: a["extra.path.n_leaves"].fill(-1), "n_leaves.*below 1"),
        (TREE, lambda h, a: a["extra.confusion"].fill(-1.0), "confusion.*below 0"),
        (NUMBERS, lambda h, a: h["extra"]["settings"].update(unseen=7), "setting 'unseen'"),
        (
            TREE,
            lambda h, a: [h["extra"].pop("family_by"), h["extra"]["settings"].update(pruning={})],
            "'family_by' has no field",
        ),
        (RULES, lambda h, a: a["accuracy"].fill(2.0), "accuracy.*above 1"),
        (RULES, lambda h, a: h["rules"].update(notes=[None]), "'notes' must be a list of texts"),
        (MARS, lambda h, a: h["mars"].update(labels=[["a"], "b", "c"]), "label.*must be text"),
        (MARS, lambda h, a: h["mars"].update(cv={"rows": 3}), "'cv'.*'r_squared'"),
        (MARS, lambda h, a: h["mars"].update(n=-1.0), "'n' must be above 0"),
        (MARS, lambda h, a: h["mars"].update(notes=[{}]), "'notes' must be a list of texts"),
        (MARS, lambda h, a: a["directions"].fill(0), "only the first term is the constant"),
        (MARS, lambda h, a: a["rss"].fill(-1.0), "rss.*below 0"),
        (DATED, of_time(0, unit="s"), "'opened'.*its unit must be one of D"),
        (DATED, of_time(1, unit="h"), "'at'.*its unit must be one of"),
        (DATED, of_time(1, resolution="year"), "'at'.*resolution"),
        (DATED, of_time(2, resolution="ns"), "'took'.*resolution is finer than its unit"),
        (DATED, of_time(1, zone="../../etc/passwd"), "'at'.*name of a time zone"),
        (DATED, of_time(2, zone="UTC"), "'took'.*zone"),
        (DATED, of_time(3, form="%d"), "'came'.*form"),
        (DATED, of_time(3, form=7), "'form' has the wrong type"),
        (DATED, of_time(3, more=7), "exactly the fields unit, resolution, zone, form"),
        (DATED, lambda h, a: h["schema"]["features"][0].pop("temporal"), "have the field 'temporal'"),
        (DATED, lambda h, a: h["schema"]["features"][0].update(kind="numeric"), "have the field 'temporal'"),
        (DATED, lambda h, a: h["schema"]["features"][0].update(integer=False), "must be whole numbers"),
        (DATED, lambda h, a: a["splits.breaks"].fill(np.inf), "outside what its feature can hold"),
    ],
)
def test_every_field_has_a_type_and_a_range(models, which, change, named, tmp_path):
    (tmp_path / "m.box").write_bytes(changed(models[which], lambda h, a: None))
    boxwood.load(tmp_path / "m.box")
    (tmp_path / "m.box").write_bytes(changed(models[which], change))
    with pytest.raises(ModelFileError, match=named):
        boxwood.load(tmp_path / "m.box")


def test_the_largest_numbers_are_shown(models, tmp_path):
    def large(header, arrays):
        arrays["competitor_score"].fill(1.7976931348623157e308)
        arrays["score"][np.isfinite(arrays["score"])] = 1.7976931348623157e308

    (tmp_path / "m.box").write_bytes(changed(models[TREE], large))
    assert "1.797" in boxwood.load(tmp_path / "m.box").explore().html


def test_a_response_that_is_always_far_from_0_is_saved_and_read(tmp_path):
    model = boxwood.CARTRegressor(pruning=None).fit([[1.0], [2.0]], [1.7e308, 1.7e308])
    model.save(tmp_path / "m.box")
    assert boxwood.load(tmp_path / "m.box").predict([[1.0]]) == [1.7e308]
