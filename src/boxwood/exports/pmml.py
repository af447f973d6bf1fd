"""A tree as a PMML 4.4 document, which scoring engines of banks, SAS, SPSS and KNIME read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from .._version import __version__
from ..data.columns.schema import UNSEEN
from ..errors import NotAvailableError
from .answers import Answers
from .plan import ExportPlan
from .pmml_elements import Element, lines, number, opening, sound
from .pmml_fields import Field, Fields
from .pmml_predicates import DEFAULT_CHILD, TRUE, Predicates, missing_strategy
from .pmml_shares import shares_model
from .pmml_verification import verification
from .raw_rows import RawRows
from .typed_rows import spelled_otherwise, typed_column
from .values import BOOLEAN, refuse_wide_cuts


def write(plan: ExportPlan, options: dict) -> bytes:
    """The tree as a PMML 4.4 document, UTF-8.

    Numeric columns are continuous doubles, nominal and ordinal ones are categories in the order of their levels. Every
    decision of the TreeModel is in predicates: sets of levels, intervals, chains of surrogates. The strategy for
    missing values is ``defaultChild`` when every node has a branch for them, else ``lastPrediction``: rows stay, and
    nodes where their predicates do not include them. A tree that shares rows out (C4.5) is a RegressionModel over the
    shares of its ends: PMML's own word for it, ``weightedConfidence``, has no costs and no ties, and neither of the
    two readers tried follows it.

    Parameters
    ----------
    plan : ExportPlan
    options : dict
        None are known.

    Raises
    ------
    ParameterError
        The tree predicts something that PMML cannot express; the message names it, with the remedy.

    Notes
    -----
    Source: Data Mining Group, PMML 4.4: "TreeModel", "RegressionModel", "MiningSchema", "Output".
    """
    refuse_wide_cuts(plan, "PMML")
    return ('<?xml version="1.0" encoding="UTF-8"?>\n' + "\n".join(_document(plan)) + "\n").encode()


def _document(plan: ExportPlan) -> Iterator[str]:
    fields = Fields(plan)
    yield opening("PMML", {"xmlns": "http://www.dmg.org/PMML-4_4", "version": "4.4"})
    application = Element("Application", {"name": "boxwood", "version": __version__})
    yield from lines(Element("Header", {"description": sound(plan.heading(), "the heading")}, (application,)))
    yield from lines(fields.dictionary())
    if plan.shares:
        yield from lines(shares_model(plan, fields))
    else:
        yield from _tree_model(plan, fields)
    yield "</PMML>"


def _tree_model(plan: ExportPlan, fields: Fields) -> Iterator[str]:
    strategy = missing_strategy(plan)
    attributes = {
        "modelName": "boxwood",
        "functionName": "classification" if plan.has_classes else "regression",
        "algorithmName": sound(str(plan.tree.made_by.get("algorithm", "tree")), "the algorithm"),
        "missingValueStrategy": strategy,
        "noTrueChildStrategy": "returnLastPrediction",
        "splitCharacteristic": "multiSplit" if (plan.tree.n_children > 2).any() else "binarySplit",
    }
    yield opening("TreeModel", attributes)
    yield from lines(fields.mining_schema())
    yield from lines(Element("Output", {}, tuple(_outputs(plan, fields))))
    yield from _nodes(plan, fields, strategy)
    for element in verification(plan, fields):
        yield from lines(element)
    yield "</TreeModel>"


def _outputs(plan: ExportPlan, fields: Fields) -> Iterator[Element]:
    optype = "categorical" if plan.has_classes else "continuous"
    attributes = {"optype": optype, "dataType": fields.target.type, "feature": "predictedValue"}
    yield Element("OutputField", {"name": fields.predicted, **attributes})
    for label in fields.target.levels:
        attributes = {"optype": "continuous", "dataType": "double", "feature": "probability", "value": label}
        yield Element("OutputField", {"name": fields.probability(label), **attributes})
    attributes = {"optype": "categorical", "dataType": "string", "feature": "entityId"}
    yield Element("OutputField", {"name": fields.node, **attributes})


def _nodes(plan: ExportPlan, fields: Fields, strategy: str) -> Iterator[str]:
    """The nodes, depth first."""
    tree, predicates = plan.tree, Predicates(plan, fields, strategy)
    waiting, within = {0: TRUE}, []
    ready = [0]
    while ready:
        t = ready.pop()
        while within and within[-1] != tree.parent[t]:
            within.pop()
            yield "</Node>"
        value = tree.value[t]
        attributes = {
            "id": str(t),
            "score": fields.target.levels[int(value)] if plan.has_classes else repr(float(value)),
        }
        attributes["recordCount"] = number(tree.row_weight[t])
        if strategy == DEFAULT_CHILD and not tree.is_leaf[t]:
            attributes["defaultChild"] = str(int(tree.first_child[t]) + plan.default(t))
        yield opening("Node", attributes)
        yield from lines(waiting.pop(t))
        yield from _distribution(plan, fields, t)
        within.append(t)
        children = range(int(tree.first_child[t]), int(tree.first_child[t]) + int(tree.n_children[t]))
        if children:
            waiting.update(zip(children, predicates.of_children(t), strict=True))
            ready += reversed(children)
    yield from ["</Node>"] * len(within)


def _distribution(plan: ExportPlan, fields: Fields, t: int) -> Iterator[str]:
    """The rows of each class, and its probability, which class weights, priors and smoothing move from their share."""
    if not plan.has_classes:
        return
    counts, shares = plan.tree.counts[t].tolist(), plan.tree.probability[t].tolist()
    for label, count, share in zip(fields.target.levels, counts, shares, strict=True):
        attributes = {"value": label, "recordCount": number(count), "probability": repr(share)}
        yield from lines(Element("ScoreDistribution", attributes))


def run(content: bytes, plan: ExportPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """What pypmml makes of rows.

    Raises
    ------
    NotAvailableError
        The package pypmml, or Java, is not installed.
    """
    try:
        import pypmml
    except ImportError as error:
        raise NotAvailableError(
            "verifying a PMML document needs Java and the package pypmml; install Java, then run: pip install pypmml."
        ) from error
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree.pmml"
        path.write_bytes(content)
        try:
            model = pypmml.Model.load(str(path))
        except OSError as error:
            raise NotAvailableError(
                "verifying a PMML document needs Java; install it, and see that it is found."
            ) from error
        found = [model.predict(row) for row in known_rows(plan, rows)]
    return answers(plan, rows, found), f"pypmml {getattr(pypmml, '__version__', '')}".strip()


def known_rows(plan: ExportPlan, rows: RawRows) -> list[dict]:
    """Rows as readers of PMML take them: None is missing, whole levels are of the field's type."""
    as_type = {"double": float, "integer": int}

    def column(j: int, field: Field) -> list:
        typed = as_type.get(field.type, lambda value: value)
        return [value if value is None else typed(value) for value in typed_column(rows, j)]

    of_feature = Fields(plan).of_feature
    names, listed = [field.name for field in of_feature.values()], [column(*item) for item in of_feature.items()]
    return [dict(zip(names, row, strict=True)) for row in zip(*listed, strict=True)] if names else [{}] * rows.n


def answers(plan: ExportPlan, rows: RawRows, found: list[dict]) -> Answers:
    """A reader's predictions of rows, one dictionary each, as answers; a row without a prediction was refused."""
    fields, labels = Fields(plan), plan.tree.response.labels
    predicted = [row.get(fields.predicted) for row in found]
    predicted = [None if isinstance(value, float) and np.isnan(value) else value for value in predicted]
    if plan.has_classes:
        label_of = {**dict(zip(fields.target.levels, labels, strict=True)), **{label: label for label in labels}}
        predicted = [None if value is None else label_of.get(value, value) for value in predicted]
    value = np.array([*predicted, None], dtype=object)[:-1]
    refused = np.array([v is None for v in predicted], dtype=bool)
    node = None
    if not plan.shares:
        node = np.array([-1 if lost else int(row[fields.node]) for lost, row in zip(refused, found, strict=True)])
    probability = None
    if plan.has_classes:
        names = [fields.probability(label) for label in fields.target.levels]
        none = dict.fromkeys(names, np.nan)
        shown = [none if lost else row for lost, row in zip(refused, found, strict=True)]
        probability = np.array([[row[name] for name in names] for row in shown]).reshape(len(found), len(names))
    return Answers(value, node, probability, _inexpressible(plan, rows))


def _inexpressible(plan: ExportPlan, rows: RawRows) -> np.ndarray:
    """Rows that PMML cannot express: a third value among truth values, and other spellings of a code in a text."""
    fields, left_out = Fields(plan), np.zeros(rows.n, dtype=bool)
    for j, field in fields.of_feature.items():
        if field.type == BOOLEAN:
            left_out |= rows.columns.values[j] == UNSEEN
        left_out |= spelled_otherwise(rows, j)
    return left_out
