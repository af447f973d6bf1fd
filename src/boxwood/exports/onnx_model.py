"""A tree as an ONNX model (ai.onnx.ml 5, TreeEnsemble) in float64, for onnxruntime and services based on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .._messages import short
from .._version import __version__
from ..errors import NotAvailableError
from .answers import Answers
from .column_words import described
from .kinds import EXPORTED
from .onnx_codes import without_numbers, without_texts
from .onnx_graph import Graph, labels_of, sound_text
from .onnx_shares import ends_by_shares
from .onnx_trees import Split, place_of_level
from .plan import ExportPlan
from .raw_rows import RawRows
from .typed_rows import number_codes, typed_column
from .values import STRING, refuse_wide_cuts, type_of_feature

#: Operators as of these versions, those on texts that are codes for missing values, and the file format.
_OPSETS, _IR_VERSION = {"": 18, "ai.onnx.ml": 5}, 10
_OF_TEXT_CODES = {"": 20}


def write(plan: ExportPlan, options: dict) -> bytes:
    """The tree as an ONNX model.

    Inputs are the columns that the tree tests, each of shape (n, 1): float64 with NaN for missing, or text with the
    model's word for missing (see the metadata ``missing_text``; the empty text, unless that is a level). A tree of
    unnamed numeric columns has one input "X" of shape (n, p). Levels that are numbers or truth values come as float64.
    Outputs are ``label`` (n,), ``probabilities`` (n, K) and ``node`` (n,), or ``prediction`` (n,) and ``node``. Where
    the policy is to refuse rows there is also ``refused`` (n,): node -1, NaN, and a label without meaning.

    Parameters
    ----------
    plan : ExportPlan
    options : dict
        None are known.

    Raises
    ------
    ParameterError
        The tree predicts something that ONNX cannot express; the message names it, with the remedy.
    NotAvailableError
        The package onnx is not installed.

    Notes
    -----
    Source: ONNX, operators ai.onnx.ml.TreeEnsemble (version 5) and LabelEncoder (version 4).
    """
    refuse_wide_cuts(plan, "ONNX")
    return _Model(plan).serialized()


@dataclass(frozen=True, eq=False)
class _Model:
    """One tree while it is written as a graph."""

    plan: ExportPlan

    @cached_property
    def features(self) -> list[int]:
        """Columns of the matrix of values, by feature."""
        return list(range(len(self.plan.tree.schema))) if self.is_matrix else self.plan.features or [0]

    @cached_property
    def is_matrix(self) -> bool:
        """Whether the input is one table of numbers without names."""
        schema = self.plan.tree.schema
        return not schema.named and not any(f.levels for f in schema)

    @cached_property
    def types(self) -> dict[int, str]:
        """Type of each column's values."""
        return {j: type_of_feature(self.plan.schema[j], "ONNX") for j in self.features}

    @cached_property
    def inputs(self) -> dict[int, str]:
        """Name of each column's input; an unnamed column, and one called like an output, gets another name."""
        names: dict[int, str] = {}
        for j in self.features:
            name = sound_text(self.plan.tree.schema.names[j], "the column") or f"x{j}"
            while name in names.values() or name in _OUTPUTS:
                name += "_"
            names[j] = name
        return names

    @cached_property
    def missing_text(self) -> str:
        """The text that means a missing value in every text input: one that is not a level."""
        levels = {level for j in self.features for level in self.plan.tree.schema[j].levels if self.types[j] == STRING}
        text = ""
        while text in levels:
            text = f"<missing{text.count('_') * '_'}>" if not text else f"{text}_"
        return text

    def serialized(self) -> bytes:
        graph = Graph("boxwood")
        values = self._values(graph)
        split = Split(self.plan, {j: i for i, j in enumerate(self.features)}, bool(self.plan.shares))
        resolved = graph.ensemble(values, split.resolving) if split.hard else None
        if self.plan.shares:
            node, attributes = ends_by_shares(graph, split, resolved)
        else:
            both = values if resolved is None else graph.add("Concat", [values, resolved], axis=1)
            ended = graph.add("Squeeze", [graph.ensemble(both, split.descent), graph.constant(np.array([1]))])
            node = graph.add("Cast", [ended], to=graph.INT64)
            attributes = {
                name: graph.add("Gather", [graph.constant(table), node]) for name, table in self._predictions.items()
            }
        self._answer(graph, values, {**attributes, "node": node})
        attributes = {"boxwood": __version__, "missing_text": self.missing_text}
        has_text_codes = any(self.types[j] == STRING and self.plan.tree.schema[j].missing_values for j in self.features)
        return graph.serialized(_OPSETS | (_OF_TEXT_CODES if has_text_codes else {}), _IR_VERSION, attributes)

    @cached_property
    def _predictions(self) -> dict[str, np.ndarray]:
        """The prediction of each node, by output: tables with one row per node."""
        tree = self.plan.tree
        if not self.plan.has_classes:
            return {"prediction": np.asarray(tree.value)}
        return {"label": labels_of(self.plan)[tree.value], "probabilities": np.asarray(tree.probability)}

    def _values(self, graph: Graph) -> str:
        """The matrix of values, levels by their places."""
        if self.is_matrix:
            values = graph.input("X", np.float64, ["n", len(self.features)])
            return without_numbers(graph, values, [number_codes(feature) for feature in self.plan.tree.schema])
        columns = [self._column(graph, j) for j in self.features]
        return columns[0] if len(columns) == 1 else graph.add("Concat", columns, axis=1)

    def _column(self, graph: Graph, j: int) -> str:
        feature, kind = self.plan.tree.schema[j], self.types[j]
        is_text = kind == STRING
        held = described(feature, EXPORTED.of(feature).counts(feature), text=False)
        values = graph.input(self.inputs[j], np.str_ if is_text else np.float64, ["n", 1], held)
        if not is_text:
            values = without_numbers(graph, values, [number_codes(feature)])
        count = len(feature.levels)
        if not count:
            return values
        places, new = [place_of_level(code) for code in range(count)], place_of_level(count)
        if is_text:
            keys = [sound_text(level, f"a level of column {short(feature.name)}") for level in feature.levels]
            found = graph.look_up(values, [*keys, self.missing_text], [*places, np.nan], new)
            return without_texts(graph, values, found, feature)
        keys = [float(level) + 0.0 for level in feature.levels]
        found = graph.look_up(values, keys, places, new)
        return graph.add("Where", [graph.add("IsNaN", [values]), values, found])

    def _answer(self, graph: Graph, values: str, attributes: dict[str, str]) -> None:
        """The outputs; rows that the policies refuse get none."""
        refused = self._refused(graph, values)
        if refused is not None:
            none = {"node": np.array(-1), "probabilities": np.array(np.nan), "prediction": np.array(np.nan)}
            column = graph.add("Unsqueeze", [refused, graph.constant(np.array([1]))])
            for name, fact in attributes.items():
                if name in none:
                    where = column if name == "probabilities" else refused
                    attributes[name] = graph.add("Where", [where, graph.constant(none[name]), fact])
            attributes["refused"] = refused
        types = {"node": np.int64, "refused": np.bool_}
        for name, fact in attributes.items():
            width = [len(self.plan.tree.response.labels)] if name == "probabilities" else []
            dtype = labels_of(self.plan).dtype if name == "label" else types.get(name, np.float64)
            graph.output(name, fact, dtype, ["n", *width])

    def _refused(self, graph: Graph, values: str) -> str | None:
        """Whether each row is refused; None when no row ever is."""
        plan, marks = self.plan, []
        place = {j: i for i, j in enumerate(self.features)}
        if plan.refuse_missing and plan.features:
            at = graph.constant(np.array([place[j] for j in plan.features]))
            marks.append(graph.add("IsNaN", [graph.add("Gather", [values, at], axis=1)]))
        named = [j for j in plan.features if plan.refused_levels(j)]
        if named:
            levels = graph.add("Gather", [values, graph.constant(np.array([place[j] for j in named]))], axis=1)
            new = np.array([place_of_level(len(plan.tree.schema[j].levels)) for j in named])
            marks.append(graph.add("Equal", [levels, graph.constant(new)]))
        if not marks:
            return None
        joined = marks[0] if len(marks) == 1 else graph.add("Concat", marks, axis=1)
        counted = graph.add("Cast", [joined], to=graph.INT32)
        most = graph.add("ReduceMax", [counted, graph.constant(np.array([1]))], keepdims=0)
        return graph.add("Cast", [most], to=graph.BOOL)

    def fed(self, rows: RawRows) -> dict[str, np.ndarray]:
        """Rows as the graph takes them."""
        if self.is_matrix:
            values = [_doubles(typed_column(rows, j)) for j in range(len(rows.schema))]
            return {"X": np.column_stack(values).reshape(rows.n, len(self.features))}
        return {self.inputs[j]: self._fed_column(rows, j).reshape(-1, 1) for j in self.features}

    def taken_for_missing(self, rows: RawRows) -> np.ndarray:
        """Rows with a text that means a missing value here, but is a level that training never had."""
        found = np.zeros(rows.n, dtype=bool)
        for j in self.features:
            if self.types[j] == STRING:
                marked = [value == self.missing_text for value in typed_column(rows, j)]
                found |= np.array(marked, dtype=bool) & ~rows.columns.missing(j)
        return found

    def _fed_column(self, rows: RawRows, j: int) -> np.ndarray:
        values = typed_column(rows, j)
        if self.types[j] != STRING:
            return _doubles(values)
        return np.array([self.missing_text if value is None else value for value in values], dtype=object)


def _doubles(values: list) -> np.ndarray:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


#: Names that inputs must not have.
_OUTPUTS = ("label", "probabilities", "prediction", "node", "refused", "X")


def run(content: bytes, plan: ExportPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """What onnxruntime makes of rows.

    Raises
    ------
    NotAvailableError
        The package onnxruntime is not installed.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise NotAvailableError(
            "verifying an ONNX model needs the package onnxruntime; install it with: pip install onnxruntime."
        ) from error
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    found = dict(zip(names, session.run(names, fed(plan, rows)), strict=True))
    predicted = replace(answers(plan, found), left_out=_Model(plan).taken_for_missing(rows))
    return predicted, f"onnxruntime {onnxruntime.__version__}"


def fed(plan: ExportPlan, rows: RawRows) -> dict[str, np.ndarray]:
    """Rows as the model of a plan takes them, by input."""
    return _Model(plan).fed(rows)


def answers(plan: ExportPlan, found: dict[str, np.ndarray]) -> Answers:
    """The outputs of the graph as answers."""
    predicted = found["label" if plan.has_classes else "prediction"].astype(object)
    if "refused" in found:
        predicted[found["refused"]] = None
    return Answers(predicted, found["node"], found.get("probabilities"))
