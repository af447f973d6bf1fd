"""A model written in a format, and a check that the predictions agree."""

from __future__ import annotations

import os

from .._messages import must_be, shortened
from ..errors import BoxwoodError, ParameterError, ParameterTypeError
from ..tree.atomic import write_atomically
from .edge_rows import with_edges
from .model_plan import ModelPlan
from .raw_rows import raw_rows
from .registry import Format, format_of
from .verify import Verdict, compare


def export(plan: ModelPlan, format: str | None = None, path: str | os.PathLike | None = None, **options) -> str | bytes:
    """Write a model in a format.

    Parameters
    ----------
    plan : ModelPlan
        The model and its policies.
    format : str, optional
        One of ``plan.formats``. Default: from the suffix of ``path``.
    path : str or path object, optional
        A file to write as well, whole or not at all.
    **options
        Those of the format.

    Returns
    -------
    str or bytes

    Raises
    ------
    ParameterError, ParameterTypeError
        There is no such format or option, or the format cannot represent the model; the message gives the reason.
    FileError
        The file cannot be written.
    """
    form = _format_for(plan, format, path)
    content = _written(form.load(), plan, form.settings(options))
    if path is not None:
        write_atomically(path, as_bytes(content))
    return content


def _format_for(plan: ModelPlan, format: str | None, path: str | os.PathLike | None) -> Format:
    """The format, once it is known that it holds what the model predicts."""
    form = format_of(format, path, plan.formats, plan.what)
    if not form.writes_several:
        plan.need_one(f"the format {form.name!r}")
    if plan.further and not form.writes_further:
        raise ParameterError(
            f"the format {form.name!r} holds one number a node, and this {plan.what} also predicts "
            f"{', '.join(plan.further)}; export to sql, python or json."
        )
    return form


def _written(module, plan: ModelPlan, settings: dict) -> str | bytes:
    """What a format writes, once it is known that it can be stored."""
    try:
        content = module.write(plan, settings)
    except UnicodeEncodeError as error:
        raise no_character(error) from error
    as_bytes(content)
    return content


def given_options(**options) -> dict:
    """The options of formats that are given, by name; None is the default."""
    return {name: value for name, value in options.items() if value is not None}


def verify(plan: ModelPlan, X, format: str, content: str | bytes | None = None, **options) -> Verdict:
    """Run an export on rows in its own engine and compare every answer with the model's.

    Parameters
    ----------
    plan : ModelPlan
    X : Columns, or table of shape (n, p)
        Rows; of a table, the engine is given the values as they are there. Rows made to test the edges are added.
    format : str
    content : str or bytes, optional
        An earlier export with the same options; by default it is exported again.
    **options
        Those of the format.

    Raises
    ------
    ParameterError
        The format has nothing to run; or as in :func:`export`.
    NotAvailableError
        The engine is not installed; the message names what to install.
    """
    form = _format_for(plan, format, None)
    module = form.load()
    settings = form.settings(options)
    if not hasattr(module, "run"):
        raise ParameterError(f"the format {form.name!r} cannot be run, so it cannot be verified; leave out verify.")
    rows = with_edges(raw_rows(X, plan.schema, plan.features, f"this {plan.what}"), plan)
    if not form.takes_any:
        rows = rows.readable()
    if content is None:
        try:
            found, engine = module.run(_written(module, plan, settings), plan, rows, settings)
        except UnicodeEncodeError as error:  # an engine that takes text in UTF-8 only
            raise no_character(error) from error
    else:
        found, engine = _run_given(form, content, (plan, rows, settings))
    return compare(plan, rows, found, engine, form.close)


def _run_given(form: Format, content: str | bytes, given: tuple):
    """The predictions of an engine that runs a given text: what it raises is the fault of the text."""
    if not isinstance(content, (str, bytes)):
        raise ParameterTypeError(must_be("content", "what export gave", content))
    try:
        return form.load().run(content, *given)
    except (BoxwoodError, MemoryError):
        raise
    except Exception as error:
        found = shortened(f"{type(error).__name__}: {error}")
        raise ParameterError(f"content cannot be run as {form.name}; give what export gave: {found}") from error


def as_bytes(content: str | bytes) -> bytes:
    """The content of the file: text in UTF-8.

    Raises
    ------
    ParameterError
        A name or level holds half of a surrogate pair, which is not a character and has no UTF-8.
    """
    if isinstance(content, bytes):
        return content
    try:
        return content.encode()
    except UnicodeEncodeError as error:
        raise no_character(error) from error


def no_character(error: UnicodeEncodeError) -> ParameterError:
    """The error for a text with half of a surrogate pair."""
    text = error.object[max(0, error.start - 10) : error.end + 10]
    return ParameterError(
        f"the text {text!r} holds half of a surrogate pair, which has no UTF-8; rename that feature or level."
    )
