"""Programs that look up a model's exact class, m2cgen and skl2onnx, find the classes with scikit-learn's interface."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


def register(classes: Sequence[type]) -> None:
    """Let m2cgen and skl2onnx translate objects of the classes as they do those of their first base class.

    A program that is already imported learns of them at once, another one as soon as it has been imported.
    """
    for program, add in _PROGRAMS.items():
        if program in sys.modules:
            _added(partial(add, classes))
        else:
            sys.meta_path.insert(0, _OnImport(program, partial(add, classes)))


def _to_m2cgen(classes: Sequence[type]) -> None:
    """Add them to its table, which names a class by its top package and its name."""
    from m2cgen.assemblers import SUPPORTED_MODELS

    for of in classes:
        SUPPORTED_MODELS[f"{of.__module__.split('.')[0]}_{of.__name__}"] = SUPPORTED_MODELS[
            f"sklearn_{of.__bases__[0].__name__}"
        ]


def _to_skl2onnx(classes: Sequence[type]) -> None:
    """Register them with the converters and options of their base classes."""
    from skl2onnx import get_model_alias, update_registered_converter
    from skl2onnx.common._registration import get_converter, get_shape_calculator

    for of in classes:
        alias = get_model_alias(of.__bases__[0])
        registered, shapes = get_converter(alias), get_shape_calculator(alias)
        options = registered.get_allowed_options()
        update_registered_converter(of, f"Boxwood{of.__name__}", shapes, _converter(registered), options=options)


def _converter(registered: Callable[..., None]) -> Callable[..., None]:
    """A registered converter as a function, with the arguments that skl2onnx demands by name."""

    def convert(scope: object, operator: object, container: object) -> None:
        registered(scope, operator, container)

    return convert


_PROGRAMS = {"m2cgen": _to_m2cgen, "skl2onnx": _to_skl2onnx}


def _added(add: Callable[[], None]) -> None:
    """Register; a version whose tables are elsewhere stays usable and reports itself that it does not know a class."""
    with contextlib.suppress(ImportError, LookupError, RuntimeError):
        add()


class _OnImport(MetaPathFinder):
    """Finds one program as the finders after it do, and registers classes with it when it has been imported."""

    def __init__(self, program: str, add: Callable[[], None]) -> None:
        self._program, self._add = program, add

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The program's spec, whose loader registers."""
        if fullname != self._program:
            return None
        later = sys.meta_path[sys.meta_path.index(self) + 1 :]
        specs = (finder.find_spec(fullname, path, target) for finder in later)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is not None and spec.loader is not None:
            # The loader keeps its class, by which resources and sources are found.
            run = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                run(module)
                if module.__spec__ is spec:  # a loader of an archive is that of all its modules
                    _added(self._add)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec
