"""Builds a graph of ONNX operators, one operator at a time."""

from __future__ import annotations

import numpy as np

from .._messages import short
from ..errors import NotAvailableError, ParameterError
from .onnx_trees import Ensemble
from .plan import ExportPlan
from .values import BOOLEAN, DOUBLE, INTEGER, STRING, type_of_values


class Graph:
    """Operators, inputs, outputs and constants of a graph; names of values are made up here.

    Parameters
    ----------
    name : str

    Raises
    ------
    NotAvailableError
        The package onnx is not installed.
    """

    INT64, INT32, BOOL, DOUBLE = 7, 6, 9, 11

    def __init__(self, name: str):
        try:
            import onnx
        except ImportError as error:
            raise NotAvailableError(
                "writing an ONNX model needs the package onnx; install it with: pip install onnx."
            ) from error
        self._onnx, self._name = onnx, name
        self._nodes, self._inputs, self._outputs, self._constants = [], [], [], []

    def input(self, name: str, dtype: type, shape: list, held: str = "") -> str:
        """A new input, with words for what it holds; returns the name of its value."""
        self._inputs.append(self._value(name, dtype, shape, held))
        return name

    def output(self, name: str, value: str, dtype: type, shape: list) -> None:
        """Make a value an output of this name."""
        self._nodes.append(self._onnx.helper.make_node("Identity", [value], [name]))
        self._outputs.append(self._value(name, dtype, shape))

    def constant(self, array: np.ndarray) -> str:
        """A constant of the type and shape of an array; texts are an array of objects."""
        name = f"/constant/{len(self._constants)}"
        if array.dtype == object:
            texts = [text.encode() for text in array.tolist()]
            tensor = self._onnx.helper.make_tensor(name, self._onnx.TensorProto.STRING, array.shape, texts)
        else:
            tensor = self._onnx.numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)
        self._constants.append(tensor)
        return name

    def add(self, operator: str, inputs: list[str], domain: str = "", **attributes) -> str:
        """One operator with one output; returns the name of its value."""
        name = f"/value/{len(self._nodes)}"
        self._nodes.append(self._onnx.helper.make_node(operator, inputs, [name], domain=domain, **attributes))
        return name

    def look_up(self, values: str, keys: list, found: list[float], otherwise: float) -> str:
        """A table from texts or doubles to doubles."""
        tensor = self._onnx.numpy_helper.from_array
        by = {"keys_strings": keys} if isinstance(keys[0], str) else {"keys_tensor": tensor(np.array(keys))}
        given = {"values_tensor": tensor(np.array(found)), "default_tensor": tensor(np.array([otherwise]))}
        return self.add("LabelEncoder", [values], "ai.onnx.ml", **by, **given)

    def ensemble(self, values: str, ensemble: Ensemble) -> str:
        """A TreeEnsemble that adds up its leaves; returns the name of its matrix of targets."""
        tensor = self._onnx.numpy_helper.from_array
        given = {
            name: tensor(part) if isinstance(part, np.ndarray) else part for name, part in ensemble.attributes.items()
        }
        return self.add(
            "TreeEnsemble", [values], "ai.onnx.ml", n_targets=ensemble.n_targets, aggregate_function=1, **given
        )

    def serialized(self, opsets: dict[str, int], ir_version: int, attributes: dict[str, str]) -> bytes:
        """The model as bytes, checked; the same graph always gives the same."""
        helper = self._onnx.helper
        graph = helper.make_graph(self._nodes, self._name, self._inputs, self._outputs, self._constants)
        imports = [helper.make_opsetid(domain, version) for domain, version in opsets.items()]
        model = helper.make_model(graph, opset_imports=imports, ir_version=ir_version, producer_name="boxwood")
        helper.set_model_props(model, attributes)
        self._onnx.checker.check_model(model)
        return model.SerializeToString(deterministic=True)

    def _value(self, name: str, dtype: type, shape: list, held: str = ""):
        code = self._onnx.TensorProto.STRING
        if np.dtype(dtype).kind not in "UO":
            code = self._onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self._onnx.helper.make_tensor_value_info(name, code, shape, doc_string=held)


def labels_of(plan: ExportPlan) -> np.ndarray:
    """The class labels in the type of the output, shape (K,): text, int64, float64 or bool."""
    response = plan.tree.response
    kind = type_of_values(response.labels, response.name, "ONNX")
    if kind == STRING:
        for label in response.labels:
            sound_text(label, "a class label")
        return np.array(response.labels, dtype=object)
    return np.array(response.labels, dtype={INTEGER: np.int64, DOUBLE: np.float64, BOOLEAN: np.bool_}[kind])


def sound_text(text: str, what: str) -> str:
    """The text, when it has a UTF-8 form."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ParameterError(
            f"{what}, {short(text)}, holds half of a surrogate pair, which no ONNX model can hold; rename it."
        ) from error
    return text
