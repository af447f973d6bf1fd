"""From a source of batches to a code cache: one pass over the source, one over the provisional parts."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from ..._messages import Column, Setting, remedy
from ..._threads import Threads
from ...data.columns.identifiers import with_ignored
from ...data.columns.missing_codes import codes_of_columns
from ...data.columns.schema import NAMES_ROWS, Feature, Schema
from ...data.files.opened import AS_FOUND, Form
from ...data.streams.batches import Batches
from ...data.streams.survey import ColumnSummary
from ...errors import DataError, ParameterError, ResponseError, WeightError
from ...growing.parts.cache import Cache, is_cache, open_cache, publish
from ...growing.parts.finishing import Finisher, plan_of
from ...growing.parts.folders import new_folder
from ...growing.parts.layout import Layout, Roles
from ...growing.parts.provisional_parts import ProvisionalParts
from ...growing.parts.survey import Labels, Survey, TargetRange
from ...learning.learning_set import NO_PRODUCT, NO_WEIGHT
from ...learning.responses import class_factors
from ...model.settings import plain
from ...statistics.responses.registry import number_kind, power_of
from .identifiers import ignored, warn_of_kind
from .reading_rules import rules_of

log = logging.getLogger("boxwood")
#: Seconds between two words about progress.
_PAUSE = 2.0
#: Rows of a part at most, by default.
_PART_ROWS = 1 << 21
#: Bytes at most that readers of files hold, and allocators keep of what was freed, whatever the size of the data.
_ASIDE = 60 * 10**6
#: Settings that need not be repeated when a code cache is used.
_UNSAID = {
    "weight": None, "exposure": None, "drop": [], "categorical_features": "from_dtype", "max_bins": None,
    "missing_values": None, "missing_target": None, "numeric_features": None, "ordinal_features": None,
    "date_formats": None,
}  # fmt: skip
#: Settings of how columns are read.
READINGS = ("missing_values", "numeric_features", "ordinal_features", "date_formats")
#: Settings that a cache was made with.
_AS_SET = ("class_weight", "max_bins", *READINGS)


@dataclass(frozen=True)
class Budget:
    """What may be used to learn from parts.

    Attributes
    ----------
    memory : int
        Bytes.
    threads : int
    rows : int or None
        Rows of a batch and of a part; None = as the memory allows.
    form : Form
        The encoding and layout of text files.
    """

    memory: int
    threads: int
    rows: int | None = None
    form: Form = AS_FOUND

    @property
    def planned(self) -> int:
        """Bytes for what has a size of choice: the memory but for what readers and allocators take."""
        return self.memory - min(self.memory // 4, _ASIDE)

    def part_rows(self, width: int) -> int:
        """Rows of a part of so many columns: it takes an eighth of the memory at most, and twice that while it is made.

        Few large parts are better than many, each with tables of one size; those at work at a time take a quarter.
        """
        return self.rows or min(max(1, self.planned // (4 * max(2, self.threads) * 8 * (width + 1))), _PART_ROWS)

    @property
    def room(self) -> int:
        """Bytes that parts may take in memory: beside them a tree is grown in half of it."""
        return self.planned // 4

    @property
    def reply_bytes(self) -> int:
        """Size of a reply of all shards: each thread and whoever adds up and searches take several times that."""
        return self.planned // (8 * (1 + self.threads))


@contextmanager
def encoded(
    source, roles: Roles, task: str, settings: dict, means: Budget, target: str | None = None
) -> Iterator[Cache]:
    """The code cache of a source: one that is there already, or a new one.

    Parameters
    ----------
    source : path, list of paths, frames, callable ... or folder of a code cache (:class:`.Batches`)
    roles : Roles
    task : {"classification", "regression"}
    settings : dict
        Checked settings; class_weight, categorical_features, numeric_features, ordinal_features, date_formats,
        missing_values, missing_target, max_bins, identifiers and compat are read.
    means : Budget
    target : str, optional
        Folder in which the cache stays; None = a temporary one that is removed at the end. If it is a cache already,
        made from the same files with the same settings, it is used.

    Raises
    ------
    FileError, DataError, DataTypeError, ParameterError
    """
    roles = roles_for(roles, settings)
    made_with = _made_with(roles, task, settings)
    if is_cache(source):
        if means.form != AS_FOUND:
            raise ParameterError(means.form.first, " is for text files; a code cache holds none.")
        # a setting that is not repeated is that of the cache
        given = {name: value for name, value in made_with.items() if name not in _UNSAID or value != _UNSAID[name]}
        yield _reopened(os.fspath(source), given)
        return
    batches = batches_of(source, roles, task, settings, means)
    if target is not None and is_cache(target):
        cache = _reopened(target, made_with)
        _check_same_files(cache, batches)
        yield cache
        return
    layout = roles.layout(batches, task)
    with new_folder(target) as folder:
        cache = _made(batches, layout, settings, means, (folder, target), made_with)
        yield cache if target is None else publish(cache, target)


def batches_of(source, roles: Roles, task: str, settings: dict, means: Budget) -> Batches:
    """The batches of a source, with the settings' rules for its rows.

    Raises
    ------
    FileError, DataTypeError, ParameterError
    """
    batches = Batches(source, max(1, means.memory // 32), means.rows, means.form)
    batches.rules = rules_of(batches.names, roles, task, settings)
    return batches


def roles_for(roles: Roles, settings: dict) -> Roles:
    """The declarations of the columns, those in the settings included."""
    number_kind(settings.get("criterion")).from_settings("y", settings).need_sums("Data in parts")
    declared, compat = settings.get("categorical_features", "from_dtype"), settings.get("compat")
    return replace(roles, categorical_features=declared, power=power_of(settings), declared_levels=compat is not None)


def _made_with(roles: Roles, task: str, settings: dict) -> dict:
    """What decides how a cache is made, as plain values."""
    return {
        "task": task, "target": roles.target, "weight": roles.weight, "drop": sorted(roles.drop),
        "power": roles.power, "exposure": roles.exposure,
        **plain({"categorical_features": roles.categorical_features}),
        **plain({name: settings.get(name) for name in _AS_SET}),
        "missing_target": "drop" if settings.get("missing_target") == "drop" else None,
        "identifiers": "ignore" if ignored(settings) else "use",
    }  # fmt: skip


def _reopened(folder: str, made_with: dict) -> Cache:
    cache = open_cache(folder)
    made = cache.facts["made_with"]
    for name, value in made_with.items():
        if name == "identifiers" and not cache.facts.get("identifiers"):
            continue  # no column names rows
        if made.get(name) != value:
            raise DataError(
                f"the code cache {folder!r} was made with ", Setting(name, made.get(name)), ", and now ",
                Setting(name, value), " is requested; ",
                remedy("give the same, or make another cache with: boxwood encode."),
            )  # fmt: skip
    return cache


def _check_same_files(cache: Cache, batches: Batches) -> None:
    def known(files):
        return [(os.path.abspath(f.path), f.size, f.changed) for f in files]

    if known(cache.files) != known(batches.files):
        raise DataError(
            f"the code cache {cache.folder!r} was made from other files than those given; ",
            remedy("give no source but the cache itself, or name another folder."),
        )  # fmt: skip


def _made(
    batches: Batches, layout: Layout, settings: dict, means: Budget, folders: tuple[str, str | None], made_with: dict
) -> Cache:
    """The cache in the first of two folders, which gets the name of the second, if there is one."""
    (folder, target), began = folders, time.perf_counter()
    with Threads(means.threads) as pool:
        room = means.room if target is None else 0
        with ProvisionalParts(layout, folder, means.part_rows(len(layout.columns)), room, pool.map) as draft:
            read_all(batches, layout, draft)
        if not draft.survey.kept:
            raise WeightError(NO_WEIGHT)
        survey, read = draft.survey, time.perf_counter()
        schema = schema_of(survey, settings)
        of_class = class_factors_of(survey, settings)
        finisher = Finisher(survey, draft.parts, pool.map)
        plan = plan_of(finisher, schema, of_class, settings.get("max_bins"))
        if not draft.parts:
            raise WeightError(NO_PRODUCT)
        has_missing = finisher.finish(plan)
    log.info("encoded: %d rows, read in %.1f s, coded in %.1f s", survey.rows, read - began, time.perf_counter() - read)
    facts = {
        "task": layout.task, "target": layout.target, "weight": layout.weight, "rows": survey.rows,
        "missing": {c.name: c.missing for c, f in zip(survey.columns, schema, strict=True) if counts_missing(c, f)},
        "identifiers": _names_rows(survey),
        "infinite": [c.name for c in survey.columns if c.infinite], "made_with": made_with,
        "left_out": batches.left_out,
    }  # fmt: skip
    return Cache(folder, plan, tuple(draft.parts), has_missing, facts, batches.files)


def read_all(batches: Batches, layout: Layout, draft: ProvisionalParts, keep: np.ndarray | None = None) -> None:
    """Read all batches into provisional parts; ``keep`` marks the rows of a sample."""
    logged, at = time.perf_counter(), 0
    for batch in batches.read(layout.columns):
        some = None if keep is None else keep[at : at + batch.table.n]
        at += batch.table.n
        if some is None or some.all():
            draft.add(batch)
        elif some.any():
            draft.add(batch.taken(some))
        if time.perf_counter() - logged > _PAUSE:
            logged = time.perf_counter()
            log.info("read: %d rows", draft.survey.rows)
    if batches.left_out:
        log.info("left out: %d rows without a response", batches.left_out, extra={"left_out": batches.left_out})
    if not draft.survey.rows:
        raise ResponseError(
            Column(layout.target, "column"), " has no value in any row; ", remedy("choose another target."),
        )  # fmt: skip


def schema_of(survey: Survey, settings: dict) -> Schema:
    """The features of surveyed columns; what is doubtful about their kinds is warned of, and what names rows."""
    names = [column.names_rows for column in survey.columns]
    return with_ignored(surveyed_schema(survey, settings), names, survey.rows, ignored(settings), warn_of_kind)


def surveyed_schema(survey: Survey, settings: dict) -> Schema:
    """The features of surveyed columns, those that name rows included; a warning names what is doubtful."""
    schema = Schema(tuple(column.feature(warn_of_kind) for column in survey.columns), named=True)
    return schema.with_codes(codes_of_columns(settings.get("missing_values"), [*schema.names, survey.layout.target]))


def _names_rows(survey: Survey) -> list[str]:
    """Columns that name rows, whether they are learned from or not, as long as others are left."""
    names = [column.name for column in survey.columns if column.names_rows]
    return names if len(names) < len(survey.columns) else []


def counts_missing(column: ColumnSummary, feature: Feature) -> bool:
    """Whether a column that is learned from has missing values."""
    return column.missing > 0 and feature.why != NAMES_ROWS


def class_factors_of(survey: Survey, settings: dict) -> np.ndarray | None:
    """The factor on the weights of each class, None = none; an extreme target raises."""
    if isinstance(response := survey.response, TargetRange):
        response.check()
    if not isinstance(response, Labels):
        return None
    found = class_factors(settings.get("class_weight"), response.labels(), response.mass)
    if found is not None and not np.isfinite(found).all():
        raise WeightError(Setting("class_weight"), " is too large for a float; ", remedy("give smaller numbers."))
    return found
