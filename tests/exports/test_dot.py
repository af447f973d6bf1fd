"""DOT: a box a node, an arrow a branch, and names that cannot break out of their quotation marks."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from boxwood import CARTClassifier, ParameterError
from exports.problems import NAMES, case

_BOX = re.compile(r'  (\d+) \[label="((?:[^"\\]|\\.)*)"(, style="")?\];')
_ARROW = re.compile(r'  (\d+) -> (\d+) \[label="((?:[^"\\]|\\.)*)"\];')


def test_a_small_tree():
    model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", 'a "b"'])
    lines = model.export("dot").splitlines()
    assert lines[5:-1] == [
        '  0 [label="no 0.667\\n3 rows", style=""];',
        '  1 [label="no 1.000 [0.342 to 1.000]\\n2 rows"];',
        '  2 [label="a \\"b\\" 1.000 [0.207 to 1.000]\\n1 row"];',
        '  0 -> 1 [label="age <= 40 or missing"];',
        '  0 -> 2 [label="age > 40"];',
    ]


@pytest.mark.parametrize("kind", NAMES)
def test_every_line_is_a_box_or_an_arrow(kind):
    tree = case(kind).model.tree
    lines = case(kind).model.export("dot").splitlines()[5:-1]
    boxes = [int(found[1]) for line in lines if (found := _BOX.fullmatch(line))]
    arrows = [(int(found[1]), int(found[2])) for line in lines if (found := _ARROW.fullmatch(line))]
    assert boxes == list(range(tree.n_nodes))
    assert arrows == [(int(tree.parent[t]), t) for t in range(1, tree.n_nodes)]
    assert len(lines) == len(boxes) + len(arrows)


@pytest.mark.skipif(shutil.which("dot") is None, reason="there is no Graphviz (apt: graphviz)")
def test_graphviz_reads_it():
    done = subprocess.run(
        ["dot", "-Tplain"], input=case("c45").model.export("dot"), text=True, capture_output=True, check=True
    )
    assert done.stdout.count("\nnode ") == case("c45").model.tree.n_nodes


def test_there_is_nothing_to_run():
    problem = case("c45")
    with pytest.raises(ParameterError, match="cannot be run"):
        problem.model.verify_export("dot", problem.columns)
