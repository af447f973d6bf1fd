"""Rows of a stream gathered in memory, for fits that need all of them at once: read as the same data in memory."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..._messages import Setting, remedy
from ..._threads import Threads
from ...data.columns.columns import Columns
from ...data.columns.levels import LevelCodes
from ...data.columns.schema import NUMERIC, Schema
from ...data.streams.batches import Batches
from ...data.streams.surveyed_codes import final_codes
from ...errors import DataError, ParameterError
from ...growing.parts.cache import is_cache
from ...growing.parts.finishing import label_positions
from ...growing.parts.folders import new_folder
from ...growing.parts.layout import Roles
from ...growing.parts.memory_part import MemoryPart
from ...growing.parts.part_file import PartFile
from ...growing.parts.provisional_parts import ProvisionalParts
from ...growing.parts.survey import Labels, Survey
from .encoding import Budget, batches_of, read_all, roles_for, surveyed_schema

log = logging.getLogger("boxwood")
#: Memory of such a fit, in sizes of its data as numbers of 8 bytes, the data included.
_SIZES = 4
#: Rows of a sample at most.
MOST_SAMPLED = 1_000_000


@dataclass(frozen=True, eq=False)
class GatheredRows:
    """All rows of a stream.

    Attributes
    ----------
    columns : Columns
    y : float64 of shape (n,), or LevelCodes
    weight, exposure : float64, shape (n,), or None
    infinite : list of str
        Features with an infinite value.
    """

    columns: Columns
    y: np.ndarray | LevelCodes
    weight: np.ndarray | None
    exposure: np.ndarray | None
    infinite: list[str]


def gathered(source, roles: Roles, task: str, settings: dict, means: Budget) -> GatheredRows:
    """All rows of a source, in memory.

    Parameters
    ----------
    source : path, list of paths, frames or callable (:class:`boxwood.data.streams.batches.Batches`)
    roles : Roles
    task : {"classification", "regression"}
    settings : dict
        Checked settings; only those for reading columns matter.
    means : Budget
        ``memory`` must be enough for all rows.

    Raises
    ------
    ParameterError
        The rows need more than ``means.memory``.
    DataError, DataTypeError, FileError
    """
    if is_cache(source):
        raise DataError(
            f"{os.fspath(source)!r} is a code cache, which holds the target in fixed point, and this fit needs the "
            "values as they were read; ", remedy("give the data that the cache was made from."),
        )  # fmt: skip
    roles = roles_for(roles, settings)
    return _gathered(batches_of(source, roles, task, settings, means), roles, task, settings, means, None)


def sampled(source, roles: Roles, task: str, settings: dict, means: Budget) -> tuple[GatheredRows, int]:
    """The rows of a source, or a random sample of as many as the memory holds, drawn with seed 0; how many there are.

    See :func:`gathered` for parameters and errors.
    """
    roles = roles_for(roles, settings)
    batches = batches_of(source, roles, task, settings, means)
    layout = roles.layout(batches, task)
    n = sum(batch.table.n for batch in batches.read([layout.target]))
    room = max(1, min(MOST_SAMPLED, means.memory // memory_needed(1, len(layout.features))))
    keep = None
    if n > room:
        keep = np.zeros(n, dtype=bool)
        keep[np.random.default_rng(0).choice(n, room, replace=False)] = True
    return _gathered(batches, roles, task, settings, means, keep), n


def _gathered(
    batches: Batches, roles: Roles, task: str, settings: dict, means: Budget, keep: np.ndarray | None
) -> GatheredRows:
    layout = roles.layout(batches, task)
    part_rows = means.part_rows(len(layout.columns))
    with new_folder(None) as folder, Threads(means.threads) as pool:
        with ProvisionalParts(layout, folder, part_rows, means.room, pool.map, all_rows=True) as draft:
            read_all(batches, layout, draft, keep)
        log.info("gathered: %d rows", draft.survey.rows, extra={"rows": draft.survey.rows})
        _check_memory(draft.survey, means)
        return _rows(draft, surveyed_schema(draft.survey, settings))


def memory_needed(rows: int, features: int) -> int:
    """Bytes that such a fit of so many rows and features needs, about."""
    return _SIZES * 8 * rows * (features + 1)


def _check_memory(survey: Survey, means: Budget) -> None:
    needed = memory_needed(survey.rows, len(survey.columns))
    if needed > means.memory:
        raise ParameterError(
            Setting("memory"), f"={means.memory / 1e6:,.0f}MB is not enough: this fit needs all rows at once, about "
            f"{needed / 1e6:,.0f} MB for {survey.rows:,} rows of {len(survey.columns)} features. ",
            remedy("Set ", Setting("memory"), f" to '{-(-needed // 10**8) / 10:.1f}GB' if the machine has it, or use "
            "an algorithm that learns from parts."),
        )  # fmt: skip


def _rows(draft: ProvisionalParts, schema: Schema) -> GatheredRows:
    survey, parts = draft.survey, draft.parts
    names = survey.layout
    values, low = [], []
    for j, (summary, feature) in enumerate(zip(survey.columns, schema, strict=True)):
        if feature.kind == NUMERIC:
            values.append(_joined(parts, f"x{j}", _numbers))
            low.append(_joined(parts, f"l{j}") if summary.keeps_low else None)
        else:
            codes = final_codes(summary, feature.levels)
            values.append(_joined(parts, f"x{j}", codes.__getitem__))
            low.append(None)
    columns = Columns(schema, len(values[0]), tuple(values), tuple(low), {})
    response = survey.response
    if isinstance(response, Labels):
        labels = response.labels()
        y = LevelCodes(_joined(parts, "y", label_positions(response.column, labels).__getitem__), labels)
    else:
        y = _joined(parts, "y")
    weight = None if names.weight is None else _joined(parts, "weight")
    exposure = None if names.exposure is None else _joined(parts, "exposure")
    return GatheredRows(columns, y, weight, exposure, [c.name for c in survey.columns if c.infinite])


def _numbers(values: np.ndarray) -> np.ndarray:
    """Numbers in 8 bytes; a part without any value has -1 in every bit, which is a NaN of float32."""
    return (values.view(np.float32) if values.dtype.kind == "i" else values).astype(np.float64)


def _joined(
    parts: list[PartFile | MemoryPart], name: str, convert: Callable[[np.ndarray], np.ndarray] = np.asarray
) -> np.ndarray:
    """One array of all parts, which give it up; where a part lacks it, zeros."""
    pieces = []
    for part in parts:
        pieces.append(convert(part.get(name)) if name in part.sections else np.zeros(part.n))
        part.sections.pop(name, None)
    return np.concatenate(pieces)
