"""The model file: what goes in comes out, and what is not a model file is refused by the name of the section."""

import hashlib
import math
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from boxwood.data.columns.schema import NOMINAL, NUMERIC, Feature, Schema
from boxwood.errors import ModelFileError, ParameterTypeError
from boxwood.statistics.responses.classes import Classes
from boxwood.statistics.responses.registry import CLASSES, MEAN, RATE
from boxwood.tree.store import from_bytes, to_bytes
from boxwood.views.text import to_text
from tree.forge import close_up, forge, open_up, spell
from tree.random_trees import chain, random_tree

KINDS = (CLASSES, MEAN, RATE)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_round_trip(seed, kind):
    tree = random_tree(seed, kind, 40)
    extra = {"alpha": [0.1, 1e-300, -0.0], "notes": ["中文", "日本語", "한국어"], "n": 2**200, "none": None}
    arrays = {
        "alphas": np.array([0.0, np.inf, np.nan]),
        "grid": np.arange(6, dtype=">i4").reshape(2, 3),
        "b": np.eye(2) > 0,
    }
    data = to_bytes(tree, extra, arrays)
    back, extra_back, arrays_back = from_bytes(data)
    assert to_bytes(back, extra_back, arrays_back) == data
    assert extra_back == extra
    assert math.copysign(1, extra_back["alpha"][2]) == -1
    for name, array in arrays.items():
        assert np.array_equal(arrays_back[name], array, equal_nan=array.dtype.kind == "f")
        assert arrays_back[name].dtype == array.dtype.newbyteorder("=")
    assert (back.schema, back.response, back.made_by) == (tree.schema, tree.response, tree.made_by)
    for name in ("parent", "moments", "score", "missing", "rows", "agreement", "competitor_score"):
        assert getattr(back, name).tobytes() == getattr(tree, name).tobytes()
    with pytest.raises(ValueError, match="read-only"):
        back.moments[0] = 0


def test_the_same_in_another_process_and_another_order_of_keys():
    tree = random_tree(3)
    code = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1]); from tree.random_trees import random_tree;"
        "from boxwood.tree.store import to_bytes;"
        "print(hashlib.sha256(to_bytes(random_tree(3), {'b': 1, 'a': 2})).hexdigest())"
    )
    path = [str(Path(__file__).parents[1]), *sys.path]
    run = subprocess.run(
        [sys.executable, "-c", code, path[0]],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(path)},
    )
    assert run.stdout.strip() == hashlib.sha256(to_bytes(tree, {"a": 2, "b": 1})).hexdigest()


LEVELS = [
    ("a", "", " ", "\n\x00\x1b[31m", "é", "e\u0301", "中", "😀", "\u2028", '"', "\\", "</script>", "1", "True"),
    (True, False, 0, 1, "0"),
    (2**63, -(2**63) - 1, 10**400, 0),
    (-0.0, 0.1, 5e-324, 1.7976931348623157e308, 1.0, -1),
]


@pytest.mark.parametrize("values", LEVELS)
def test_levels_and_labels_keep_type_and_value(values):
    tree = random_tree(0, n_nodes=1)
    response = Classes("y\n", tuple(values), (1.0,) * len(values))
    tree = replace(
        tree,
        schema=Schema((Feature("x\u0000", NOMINAL, tuple(values)),)),
        response=response,
        moments=np.ones((1, len(values))),
    )
    back, _, _ = from_bytes(to_bytes(tree))
    for found in (back.schema[0].levels, back.response.labels):
        assert [(type(v), repr(v)) for v in found] == [(type(v), repr(v)) for v in values]


@pytest.mark.parametrize("text", ["\ud800", "\ud83d\ude00", "a\udcff"])
def test_text_that_is_not_unicode_is_refused(text):
    tree = replace(random_tree(0, n_nodes=1), schema=Schema((Feature(text, NUMERIC),)))
    with pytest.raises(ModelFileError, match="cannot be stored"):
        to_bytes(tree)


@pytest.mark.parametrize(
    "extra",
    [
        {"a": math.nan},
        {"a": math.inf},
        {"a": {1, 2}},
        {"a": np.int64(1)},
        {2: 0, 10: 0},
        {"a": 10**5000},
        {1: 0, "1": 0},
    ],
)
def test_values_that_are_not_json_are_refused(extra):
    with pytest.raises(ModelFileError, match="cannot be stored"):
        to_bytes(random_tree(0), extra)


def test_endless_values_are_refused():
    knot = []
    knot.append(knot)
    with pytest.raises(ModelFileError, match="cannot be stored"):
        to_bytes(random_tree(0), {"a": knot})


@pytest.mark.parametrize("array", [np.array(["a"]), np.array([None]), np.array([1j]), np.array([], "M8[s]"), [1, 2]])
def test_arrays_that_cannot_be_stored(array):
    with pytest.raises(ParameterTypeError, match=r"extra\.a"):
        to_bytes(random_tree(0), None, {"a": array})


def test_zero_dimensional_and_strided_arrays():
    arrays = {"a": np.array(3.5), "b": np.arange(12).reshape(3, 4)[:, ::2], "c": np.zeros((0, 5), np.uint8)}
    _, _, back = from_bytes(to_bytes(random_tree(0), None, arrays))
    for name, array in arrays.items():
        assert np.array_equal(back[name], array)
        assert back[name].shape == array.shape


@pytest.mark.parametrize("data", ["text", None, 3, [1]])
def test_only_bytes(data):
    with pytest.raises(ParameterTypeError, match="data must be bytes"):
        from_bytes(data)


def test_other_containers_of_bytes():
    data = to_bytes(random_tree(0))
    assert to_bytes(from_bytes(bytearray(data))[0]) == to_bytes(from_bytes(memoryview(data))[0]) == data


@pytest.mark.parametrize("data", [b"PK\x03\x04", pickle.dumps({"a": 1}), b"{}", b"a,b\n1,2\n" * 100, b"\0" * 1000])
def test_other_files(data):
    with pytest.raises(ModelFileError, match="not a boxwood model file"):
        from_bytes(data)
    with pytest.raises(ModelFileError, match="empty"):
        from_bytes(b"")


def test_versions():
    header, sections = open_up(to_bytes(random_tree(0)))
    with pytest.raises(ModelFileError, match=r"format 2\.0.*update boxwood"):
        from_bytes(forge(header, sections, (2, 0)))
    with pytest.raises(ModelFileError, match=r"no format 0\.9"):
        from_bytes(forge(header, sections, (0, 9)))
    assert to_bytes(from_bytes(forge(header, sections, (1, 7)))[0]) == to_bytes(random_tree(0))


@pytest.mark.parametrize(
    ("required", "version", "read"), [(False, (1, 2), True), (True, (1, 2), False), (False, (1, 1), False)]
)
def test_unknown_sections(required, version, read):
    header, sections = open_up(to_bytes(random_tree(0)))
    entry = {"name": "news", "dtype": "int32", "shape": [2], "required": required}
    header["sections"].append(entry)
    data = forge(header, [*sections, bytes(8)], version)
    if read:
        assert from_bytes(data)[0].n_nodes == random_tree(0).n_nodes
    else:
        with pytest.raises(ModelFileError, match="news"):
            from_bytes(data)


@pytest.mark.parametrize("version", [(1, 1), (1, 3)])
def test_unknown_header_keys(version):
    header, sections = open_up(to_bytes(random_tree(0)))
    header["news"] = {}
    if version == (1, 3):
        from_bytes(forge(header, sections, version))
    else:
        with pytest.raises(ModelFileError, match="news"):
            from_bytes(forge(header, sections, version))


def test_damage_is_named_by_section():
    data = to_bytes(random_tree(0, n_nodes=9))
    header, _ = open_up(data)
    base = len(data) - sum(-(-n // 8) * 8 for n in sizes(header))
    for entry, size in zip(header["sections"], sizes(header), strict=True):
        if size:
            at = base + entry["offset"]
            hurt = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
            with pytest.raises(ModelFileError, match=f"section '{entry['name']}': its checksum is wrong"):
                from_bytes(hurt)
    with pytest.raises(ModelFileError, match="section 'header'"):
        from_bytes(data[:70] + b"!" + data[71:])


def sizes(header):
    width = {"bool": 1, "int32": 4, "int64": 8, "float64": 8}
    return [width[e["dtype"]] * math.prod(e["shape"]) for e in header["sections"]]


FORGED_HEADERS = [
    b"", b"[]", b"null", b"{", b'{"a":1}', b"[" * 100_000, b'{"a":' * 50_000, b'{"sections":{}}', b'{"sections":[]}',
    b'{"sections":[1]}', b'{"a":1e999,"sections":[]}', b'{"a":NaN,"sections":[]}', b'{"a":1,"a":1,"sections":[]}',
    b'{"a":"\\ud800","sections":[]}', b'{"a":' + b"9" * 100_000 + b',"sections":[]}', b"\xff\xfe",
    b'{"a": 1,"sections":[]}',
]  # fmt: skip


@pytest.mark.parametrize("raw", FORGED_HEADERS, ids=lambda raw: repr(raw[:12]))
def test_forged_headers(raw):
    with pytest.raises(ModelFileError, match=r"header|'adjusted': it is missing"):
        from_bytes(close_up(raw, b""))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("shape", [10**18]), ("shape", [-1]), ("shape", [1, 1, 1, 1, 1]), ("shape", [0, 10**30]), ("shape", [True]),
        ("shape", [2.0]), ("shape", "ab"), ("shape", [[1]]), ("dtype", "object"), ("dtype", "O"),
        ("dtype", "int32,(9,)i4"),
        ("dtype", None), ("name", 3), ("name", "first_child"), ("required", 1), ("offset", 8), ("offset", -8),
        ("offset", 2**70), ("crc32", -1), ("crc32", "0"), ("shape", [65536] * 4), ("shape", [0, 1000, 1000]),
    ],
)  # fmt: skip
def test_forged_entries(key, value):
    header, sections = open_up(to_bytes(random_tree(0)))
    body = b"".join(sections)
    header["sections"][0][key] = value
    with pytest.raises(ModelFileError):
        from_bytes(close_up(spell(header), body))


def test_bytes_of_no_section_are_refused():
    header, sections = open_up(to_bytes(random_tree(0)))
    with pytest.raises(ModelFileError, match="belong to no section"):
        from_bytes(close_up(spell(header), b"".join(sections) + bytes(8)))
    at = next(i for i, (n, piece) in enumerate(zip(sizes(header), sections, strict=True)) if n < len(piece))
    sections[at] = sections[at][:-1] + b"x"
    with pytest.raises(ModelFileError, match=header["sections"][at]["name"]):
        from_bytes(close_up(spell(header), b"".join(sections)))


def test_a_truth_value_is_0_or_1():
    header, sections = open_up(to_bytes(random_tree(0)))
    at = [e["name"] for e in header["sections"]].index("heuristic")
    sections[at] = b"\x02" + sections[at][1:]
    with pytest.raises(ModelFileError, match="'heuristic': a truth value"):
        from_bytes(forge(header, sections))


@pytest.mark.parametrize(
    "path",
    ["schema", "response", "made_by", "extra", "schema.named", "schema.features", "response.kind", "response.labels",
     "response.factors", "response.costs", "response.shrink", "response.name"],
)  # fmt: skip
@pytest.mark.parametrize("value", [None, 1, 1.5, "x", [], {}, [None], [[1]], [{}], True])
def test_forged_words(path, value):
    header, sections = open_up(to_bytes(random_tree(0)))
    *steps, last = path.split(".")
    place = header
    for step in steps:
        place = place[step]
    place[last] = value
    try:
        tree, _, _ = from_bytes(forge(header, sections))
    except ModelFileError:
        return
    assert isinstance(to_text(tree), str)


def test_a_deep_chain_is_read_without_recursion():
    data = to_bytes(chain(500_000))
    tree, _, _ = from_bytes(data)
    assert tree.max_depth == 500_000
    header, sections = open_up(data)
    at = [e["name"] for e in header["sections"]].index("first_child")
    words = np.frombuffer(sections[at], "<i4").copy()
    words[-3] = 0
    sections[at] = words.tobytes()
    with pytest.raises(
        ModelFileError, match=f"'first_child' is wrong at node {len(words) - 3 - len(words) % 2}|first_child"
    ):
        from_bytes(forge(header, sections))
