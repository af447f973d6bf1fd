"""Damaged and hostile model files: every one refused, or read as a tree that is sound."""

import copy
import random
import warnings

import numpy as np
import pytest

from boxwood.errors import ModelFileError
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.tree.store import from_bytes, to_bytes
from boxwood.tree.validate import validate
from boxwood.views.table import to_records
from boxwood.views.text import to_text
from effort import examples
from tree.forge import close_up, forge, open_up, places, spell
from tree.random_trees import random_tree

SEED = to_bytes(random_tree(5, CLASSES, 7), {"alpha": 0.5}, {"alphas": np.arange(3.0)})


def test_cut_short_at_every_length():
    for length in range(len(SEED)):
        with pytest.raises(ModelFileError):
            from_bytes(SEED[:length])
    with pytest.raises(ModelFileError):
        from_bytes(SEED + b"\0")


@pytest.mark.parametrize("flip", [1, 0x80, 0xFF])
def test_every_byte_flipped(flip):
    for at in range(len(SEED)):
        with pytest.raises(ModelFileError):
            from_bytes(SEED[:at] + bytes([SEED[at] ^ flip]) + SEED[at + 1 :])


def must_be_refused_or_sound(data):
    """Read; a file that is accepted gives a sound tree that all views can show, and is written again."""
    try:
        tree, extra, arrays = from_bytes(data)
    except ModelFileError:
        return 0
    validate(tree)
    again = to_bytes(tree, extra, arrays)
    assert to_bytes(*from_bytes(again)) == again
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        assert len(to_text(tree).splitlines()) <= 30
        assert len(tree.depth) == len(tree.value) == len(to_records(tree)["node"])
        tree.paths_to(tree.leaves)
    return 1


ODD_WORDS = [0, 1, -1, -2, 2, 3, 7, 100, 2**31 - 1, -(2**31), 2**24]
ODD_FLOATS = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e308, 5e-324, 0.5]


def test_words_of_arrays_changed_with_right_checksums():
    draw = random.Random(1)
    read = 0
    for turn in range(examples(3000)):
        header, sections = open_up(SEEDS[turn % len(SEEDS)])
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(len(sections))
            entry = header["sections"][at]
            kind = {"int32": "<i4", "int64": "<i8", "float64": "<f8", "bool": "u1"}[entry["dtype"]]
            words = np.frombuffer(sections[at], kind).copy()
            if len(words):
                odd = ODD_FLOATS if kind == "<f8" else [w % 256 for w in ODD_WORDS] if kind == "u1" else ODD_WORDS
                words[draw.randrange(len(words))] = draw.choice(odd)
            sections[at] = words.tobytes()
        read += must_be_refused_or_sound(forge(header, sections))
    assert 0 < read < 3000


SEEDS = [SEED] + [to_bytes(random_tree(9, kind, 15)) for kind in (MEAN, RATE, CLASSES)]
ODD_VALUES = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2**70,
    1.5,
    -0.0,
    "",
    "x",
    "中",
    [],
    [0],
    [[]],
    {},
    {"a": 1},
    "numeric",
    "nominal",
    "mean",
]


def test_header_values_changed_with_right_checksums():
    draw = random.Random(2)
    read = 0
    for turn in range(examples(3000)):
        header, sections = open_up(SEEDS[turn % len(SEEDS)])
        for _ in range(draw.randint(1, 2)):
            place = draw.choice(places(header))
            key = draw.choice(list(place) if isinstance(place, dict) else range(len(place)))
            what = draw.randrange(4)
            if what == 0:
                del place[key]
            elif what == 1 and isinstance(place, list):
                place.append(copy.deepcopy(place[key]))
            else:
                place[key] = copy.deepcopy(draw.choice(ODD_VALUES))
        read += must_be_refused_or_sound(close_up(spell(header), b"".join(sections)))
    assert 0 < read < 3000


def test_random_bytes_after_a_right_start():
    draw = random.Random(3)
    for _ in range(500):
        raw = bytes(draw.choice(b'{}[]:,"0123456789eE.-ntfalsu\\ ') for _ in range(draw.randrange(60)))
        with pytest.raises(ModelFileError):
            from_bytes(close_up(raw, bytes(8 * draw.randrange(3))))
