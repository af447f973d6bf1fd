"""`boxwood fit` for data that are read in parts: the task found, the model learned, what there is to say about it."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import numpy as np

from ..algorithms import REGISTRY
from ..data.batches import Batches
from ..errors import ResponseError
from ..fitting.algorithm import Algorithm
from ..fitting.streams import How, fit_stream, raises
from ..model.tree_model import TreeModel
from ..sources.parts.cache import is_cache, open_cache
from ..sources.parts.layout import Roles
from ..views.words import plain
from .inputs import MOST_CLASSES, about
from .options import SETTING, options_of, read_settings, split_names
from .output import collected_notes, heading, print_json, print_table
from .report import model_facts, print_notes
from .streams import say

NOT_PRUNED = (
    "the tree is not pruned: {} prunes with raising, which sends rows down again, and parts of data do not do that; "
    "give --pruning, --ccp-alpha or --max-depth, or prune the model with: boxwood prune."
)


def fit_parts(data: tuple[str, ...], target: str, algorithm: Algorithm, output: str, options: dict) -> None:
    """Learn from files in parts, write the model, and say what was done."""
    if not getattr(algorithm, "streams", False):
        able = ", ".join(name for name, each in REGISTRY.items() if getattr(each, "streams", False))
        raise click.UsageError(
            f"--algorithm {algorithm.name} does not learn from parts; use one of {able}, or one file without --memory"
        )
    names = options_of(algorithm)
    source, notes = _source(data), []
    with collected_notes() as warned, about(_shown(data), names), progress(not options["quiet"]):
        task, why = task_of(source, target, options["task"])
        settings = read_settings(options, algorithm, task) | categorical(options)
        if options[f"{SETTING}pruning"] is None and raises(algorithm, task, settings):
            settings["pruning"] = None
            notes.append(NOT_PRUNED.format(algorithm.name))
        model = _learned(algorithm, source, task, settings, target, options)
    model.save(output)
    if options["quiet"]:
        return
    read = {"files": list(data), "target": target, "task": task, "task_why": why, "rows": int(model.tree.rows[0])}
    read["features"] = [
        {"name": f.name, "kind": f.kind, "why": f.why, "levels": len(f.levels)} for f in model.tree.schema
    ]
    facts = {"read": read, "notes": [*dict.fromkeys([*warned, *notes, *model.notes])]} | model_facts(model)
    following = f"boxwood predict {shlex.quote(output)} new.csv -o predicted.csv"
    if options["as_json"]:
        print_json({**facts, "written": output, "next": following})
        return
    _print(facts, _shown(data))
    click.echo(f"\nWrote {output} ({Path(output).stat().st_size / 1000:.1f} kB).\nNext: {following}")


def _learned(algorithm: Algorithm, source, task: str, settings: dict, target: str, options: dict) -> TreeModel:
    """The model, learned by this process or by the workers of a cluster."""
    memory, roles = options["memory"] or "2GB", roles_of(target, options)
    if not options["engine"]:
        return fit_stream(algorithm, source, roles, task, settings, How(memory))
    from .engines import fit_on

    return fit_on(options["engine"], algorithm, source, roles, task, settings, memory)


def _print(facts: dict, files: str) -> None:
    read, tree = facts["read"], facts["tree"]
    click.echo(f"Read {plain(files)}: {read['rows']} rows.")
    click.echo(f"{read['task'].capitalize()} of {plain(read['target'])} ({read['task_why']}).")
    rows = [[f["name"], f["kind"], f["why"], f["levels"] or ""] for f in read["features"]]
    print_table(["feature", "kind", "because", "levels"], rows, {3})
    print_notes(facts["notes"])
    heading("The tree")
    click.echo(tree["text"])
    click.echo(f"\n{tree['nodes']} nodes, {tree['leaves']} leaves, depth {tree['depth']}.")


def _source(data: tuple[str, ...]):
    return data[0] if len(data) == 1 else list(data)


def _shown(data: tuple[str, ...]) -> str:
    return data[0] if len(data) == 1 else f"{data[0]} and {len(data) - 1} more"


def roles_of(target: str, options: dict) -> Roles:
    """What the options say of the columns."""
    return Roles(target, options["weight"], tuple(split_names(options["drop"])), exposure=options.get("exposure"))


def categorical(options: dict) -> dict:
    """The setting that --categorical makes."""
    listed = split_names(options["categorical"])
    return {"categorical_features": listed} if listed else {}


def task_of(source, target: str, asked: str) -> tuple[str, str]:
    """The task, and the sentence that says why; the target column is read as far as needed."""
    if is_cache(source):
        found = open_cache(source).facts["task"]
        return (found, "as encoded") if asked == "auto" else (asked, "as asked")
    if asked != "auto":
        return asked, "as asked"
    batches, values = Batches(source), set()
    if target not in batches.names:
        Roles(target).layout(batches, asked)  # it says which columns there are
    for batch in batches.read([target]):
        column = batch.column(target)
        if column.levels is not None:
            return "classification", "true/false" if column.levels == (False, True) else "text"
        known = column.values[~np.isnan(column.values)]
        if len(known) and not column.integer:
            return "regression", "numbers"
        values.update(np.unique(known).tolist())
        if len(values) > MOST_CLASSES:
            return "regression", f"whole numbers, more than {MOST_CLASSES} different; say --task to choose otherwise"
    if not values:
        raise ResponseError(f"the response {target!r} has no value in any row; name another column.")
    return "classification", f"whole numbers, {len(values)} different; say --task to choose otherwise"


@contextmanager
def progress(wanted: bool) -> Iterator[None]:
    """Show on standard error how far a long command has come."""
    if not wanted:
        yield
        return
    log = logging.getLogger("boxwood")
    handler, level = _Said(), log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


class _Said(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage())
