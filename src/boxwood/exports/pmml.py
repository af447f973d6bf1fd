"""A tree as a PMML 4.4 document (a TreeModel), which banks' scoring engines, SAS, SPSS and KNIME read."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from .._version import __version__
from ..data.raw import short
from ..data.schema import NOMINAL, NUMERIC, ORDINAL, Schema
from ..errors import ParameterError
from ..statistics.response import CLASSES
from ..tree.descend import UNSEEN_POLICIES
from ..tree.tree import Tree
from .branches import default_branch, refuse_wide_numbers, used_features
from .pmml_predicates import DEFAULT_CHILD, WEIGHTED, Predicate, Predicates, missing_strategy

#: What a reader does with a level that the dictionary does not list.
_INVALID = {"missing": "asMissing", "majority": "asIs", "stay": "asIs", "error": "returnInvalid"}

#: Characters that no XML 1.0 document can hold.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_pmml(tree: Tree, unseen: str = "missing") -> bytes:
    """The tree as a PMML 4.4 document, UTF-8.

    Numeric columns are continuous doubles, nominal and ordinal ones are categories in the order of their levels. Every
    decision is said by predicates: sets of levels, intervals, chains of surrogates. The strategy for missing values is
    ``defaultChild`` when every node has a branch for them, ``lastPrediction`` when rows stay, ``weightedConfidence``
    when nodes share rows out (C4.5), and ``none`` with the decision written into the predicates when nodes differ.

    Parameters
    ----------
    tree : Tree
    unseen : {"missing", "majority", "stay", "error"}
        What is done with a level that training, or the node, did not see; see :func:`boxwood.tree.descend.land`. With
        "error" the document calls such a row invalid.

    Raises
    ------
    ParameterError
        The tree says something that PMML cannot; the message says what, and what to do.

    Notes
    -----
    Source: Data Mining Group, PMML 4.4, "TreeModel", "MiningSchema" and "Output".

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> from boxwood.exports.pmml import to_pmml
    >>> tree = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"]).tree_
    >>> [line.strip() for line in to_pmml(tree).decode().splitlines() if "SimplePredicate" in line]
    ['<SimplePredicate field="age" operator="lessOrEqual" value="40.0"/>', '<SimplePredicate field="age" \
operator="greaterThan" value="40.0"/>']
    """
    if unseen not in UNSEEN_POLICIES:
        raise ParameterError(f"unseen must be one of {', '.join(map(repr, UNSEEN_POLICIES))}; got {unseen!r}.")
    refuse_wide_numbers(tree, "PMML")
    document = _Document(tree, unseen)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n' + "\n".join(document.lines()) + "\n").encode()


@dataclass(frozen=True)
class _Spelling:
    """The values of a column as PMML writes them."""

    type: str
    values: tuple[str, ...]


def _spelling(values: tuple, name: str) -> _Spelling:
    """How the levels of a column, or the labels of y, are written; the type is one that holds them all exactly."""
    if all(isinstance(v, bool) for v in values):
        return _Spelling("boolean", tuple(str(v).lower() for v in values))
    if any(isinstance(v, str) for v in values):
        return _Spelling("string", tuple(_sound(str(v), f"a level of column {short(name)}") for v in values))
    if all(isinstance(v, int) and abs(v) < 2**31 for v in values):
        return _Spelling("integer", tuple(str(int(v)) for v in values))
    if any(abs(v) > 2**53 and isinstance(v, int) for v in values):
        raise ParameterError(
            f"PMML holds the levels of column {short(name)} as doubles, and {max(values, key=abs)} is beyond 2**53; turn "
            "the column into text and fit again."
        )
    return _Spelling("double", tuple(repr(float(v) + 0.0) for v in values))


def _sound(text: str, what: str) -> str:
    """The text, when XML can hold it."""
    found = _NO_XML.search(text)
    if found:
        raise ParameterError(
            f"{what}, {short(text)}, holds the character {found[0]!r}, which no XML document can hold; rename it."
        )
    return text


def names_in_document(schema: Schema, response_name: str) -> tuple[str, str, str, str]:
    """Names of the target and of the outputs for the prediction, the node and (before the label) the probabilities.

    A name that a column has already gets underscores.
    """
    taken = set(schema.names)
    target = _free(response_name or "y", taken)
    taken.add(target)
    return target, _free(f"predicted_{target}", taken), _free("node", taken), "probability"


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


class _Document:
    """The lines of one document.

    Parameters
    ----------
    tree : Tree
    unseen : str
    """

    def __init__(self, tree: Tree, unseen: str):
        self._tree, self._unseen = tree, unseen
        self._classes = tree.response.kind == CLASSES
        self._used = used_features(tree)
        if unseen == "error":  # a new level is refused in every column, used or not
            self._used = sorted({*self._used, *(j for j, f in enumerate(tree.schema) if f.kind != NUMERIC)})
        spelled = {
            j: _spelling(f.levels, f.name) if f.kind != NUMERIC else _Spelling("double", ())
            for j, f in enumerate(tree.schema)
            if j in self._used
        }
        self._spelled = spelled
        fields = tuple(_sound(name, "the column") if j in spelled else "" for j, name in enumerate(tree.schema.names))
        unused = _Spelling("", ())
        self._strategy = missing_strategy(tree)
        if self._strategy == WEIGHTED and not (self._classes and tree.response.costs is None):
            raise ParameterError(
                "PMML shares rows with missing values out only where classes are predicted without costs "
                "(weightedConfidence), and this tree predicts "
                + ("classes with costs" if self._classes else f"a {tree.response.kind}")
                + "; fit with another policy for missing values."
            )
        columns = [spelled.get(j, unused) for j in range(len(tree.schema))]
        self._predicates = Predicates(
            tree, unseen, self._strategy, fields, tuple(c.values for c in columns), tuple(c.type for c in columns)
        )
        self._labels = _spelling(tree.response.labels, tree.response.name) if self._classes else _Spelling("double", ())
        self._target, self._predicted, self._node, self._probability = names_in_document(
            tree.schema, _sound(tree.response.name, "the response")
        )

    def lines(self) -> Iterator[str]:
        yield '<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">'
        yield f'<Header description="Decision tree for {escape(self._target, _IN_ATTRIBUTE)}">'
        yield _tag("Application", {"name": "boxwood", "version": __version__}, empty=True)
        yield "</Header>"
        yield from self._dictionary()
        yield _tag("TreeModel", self._settings())
        yield from self._mining_schema()
        yield from self._outputs()
        yield from self._nodes()
        yield "</TreeModel>"
        yield "</PMML>"

    def _settings(self) -> dict:
        return {
            "modelName": "boxwood",
            "functionName": "classification" if self._classes else "regression",
            "algorithmName": _sound(str(self._tree.made_by.get("algorithm", "tree")), "the algorithm"),
            "missingValueStrategy": self._strategy,
            "noTrueChildStrategy": "returnLastPrediction",
            "splitCharacteristic": "multiSplit" if (self._tree.n_children > 2).any() else "binarySplit",
        }

    def _dictionary(self) -> Iterator[str]:
        yield _tag("DataDictionary", {"numberOfFields": str(len(self._used) + 1)})
        for j in self._used:
            feature = self._tree.schema[j]
            optype = {NUMERIC: "continuous", ORDINAL: "ordinal", NOMINAL: "categorical"}[feature.kind]
            spelling = self._spelled[j]
            if _INVALID[self._unseen] == "asIs":  # some readers take a value outside the list as missing all the same
                spelling = replace(spelling, values=())
            yield from _data_field(feature.name, optype, spelling)
        yield from _data_field(self._target, "categorical" if self._classes else "continuous", self._labels)
        yield "</DataDictionary>"

    def _mining_schema(self) -> Iterator[str]:
        yield "<MiningSchema>"
        for j in self._used:
            feature = self._tree.schema[j]
            levels = {} if feature.kind == NUMERIC else {"invalidValueTreatment": _INVALID[self._unseen]}
            yield _tag("MiningField", {"name": feature.name, "usageType": "active", **levels}, empty=True)
        yield _tag("MiningField", {"name": self._target, "usageType": "target"}, empty=True)
        yield "</MiningSchema>"

    def _outputs(self) -> Iterator[str]:
        yield "<Output>"
        optype = "categorical" if self._classes else "continuous"
        said = {"name": self._predicted, "optype": optype, "dataType": self._labels.type, "feature": "predictedValue"}
        yield _tag("OutputField", said, empty=True)
        feature = "confidence" if self._strategy == WEIGHTED else "probability"
        for label in self._labels.values:
            fact = {"name": f"{self._probability}({label})", "optype": "continuous", "dataType": "double"}
            yield _tag("OutputField", {**fact, "feature": feature, "value": label}, empty=True)
        if self._strategy != WEIGHTED:
            fact = {"name": self._node, "optype": "categorical", "dataType": "string", "feature": "entityId"}
            yield _tag("OutputField", fact, empty=True)
        yield "</Output>"

    def _nodes(self) -> Iterator[str]:
        """The nodes, depth first, without recursion: a tree may be a chain of any length."""
        tree = self._tree
        predicate_of: dict[int, Predicate] = {0: ("True", {}, [])}
        open_nodes, ready = [], [0]
        while ready:
            t = ready.pop()
            while open_nodes and open_nodes[-1] != tree.parent[t]:
                open_nodes.pop()
                yield "</Node>"
            yield _tag("Node", self._node_facts(t))
            yield from _written(predicate_of.pop(t))
            yield from self._distribution(t)
            open_nodes.append(t)
            first, n = int(tree.first_child[t]), int(tree.n_children[t])
            if n:
                predicate_of.update(zip(range(first, first + n), self._predicates.of_children(t), strict=True))
                ready += range(first + n - 1, first - 1, -1)
        yield from ["</Node>"] * len(open_nodes)

    def _node_facts(self, t: int) -> dict:
        value = self._tree.value[t]
        facts = {"id": str(t), "score": self._labels.values[int(value)] if self._classes else repr(float(value))}
        facts["recordCount"] = _number(self._tree.weight[t])
        if self._strategy == DEFAULT_CHILD and not self._tree.is_leaf[t]:
            facts["defaultChild"] = str(int(self._tree.first_child[t]) + default_branch(self._tree, t))
        return facts

    def _distribution(self, t: int) -> Iterator[str]:
        """The classes of a node; the probability is given because priors and smoothing move it from the counts."""
        if not self._classes:
            return
        counts, shares = self._tree.moments[t].tolist(), self._tree.probability[t].tolist()
        for label, count, share in zip(self._labels.values, counts, shares, strict=True):
            facts = {"value": label, "recordCount": _number(count)}
            if self._strategy == WEIGHTED:
                facts["confidence"] = repr(share)
            yield _tag("ScoreDistribution", {**facts, "probability": repr(share)}, empty=True)


def _data_field(name: str, optype: str, spelling: _Spelling) -> Iterator[str]:
    facts = {"name": name, "optype": optype, "dataType": spelling.type}
    if not spelling.values:
        yield _tag("DataField", facts, empty=True)
        return
    yield _tag("DataField", facts)
    for value in spelling.values:
        yield _tag("Value", {"value": value}, empty=True)
    yield "</DataField>"


def _written(predicate: Predicate) -> Iterator[str]:
    """A predicate and all that stands in it, without recursion."""
    waiting: list = [predicate]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        name, facts, inside = item
        if not inside:
            yield _tag(name, facts, empty=True)
        elif isinstance(inside[0], str):
            yield f"{_tag(name, facts)}{escape(inside[0])}</{name}>"
        else:
            yield _tag(name, facts)
            waiting += [f"</{name}>", *reversed(inside)]


_IN_ATTRIBUTE = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def _tag(name: str, facts: dict, empty: bool = False) -> str:
    """An opening tag, or a whole element without content."""
    given = "".join(f" {key}={quoteattr(value)}" for key, value in facts.items())
    return f"<{name}{given}{'/' if empty else ''}>"


def _number(value: float) -> str:
    """A count without a needless fraction, any other number in its shortest exact form."""
    value = float(value)
    return str(int(value)) if math.isfinite(value) and value == np.floor(value) and abs(value) < 2**53 else repr(value)
