"""The command prune: reads a model file and writes the model with another selected tree."""

from __future__ import annotations

from pathlib import Path

import click

from .._messages import Setting
from ..errors import ParameterError
from .command_help import ExampleCommand
from .options import FILE, common
from .output import collected_notes, heading, print_json, print_table
from .paths import check_new_file, load_tree
from .status import status
from .tables import OF_RESPONSES, reads_responses

#: At most so many trees of a sequence are printed, those nearest to the selected one.
MOST_ROWS = 15


@click.command(
    cls=ExampleCommand,
    short_help="Prune a fitted tree again.",
    examples=(
        "boxwood prune titanic.box -o small.box --n-leaves 3",
        "boxwood prune titanic.box -o pruned.box --pruner reduced_error --validation titanic_new.csv",
    ),
    goes_with={"--validation": "--pruner", "--learning": "--pruner"}
    | dict.fromkeys(("--sample-weight", "--exposure", *OF_RESPONSES), "--validation or --learning"),
)
@click.argument("model", type=FILE)
@click.option("-o", "--output", type=FILE, required=True, metavar="FILE", help="File for the pruned model.")
@click.option("--alpha", type=float, metavar="X", help="Complexity parameter: risk per unit of weight for each leaf.")
@click.option("--cp", type=float, metavar="X", help="Complexity parameter as a proportion of the risk of the root.")
@click.option(
    "--n-leaves",
    "leaves",
    type=click.IntRange(min=1),
    metavar="N",
    help="Prune to at most N leaves.",
)
@click.option(
    "--pruner", metavar="NAME[:SETTING=VALUE,...]", help="A pruner with its settings, such as reduced_error:ties=keep."
)
@click.option("--validation", type=FILE, metavar="DATA", help="Held-out rows for the pruner.")
@click.option("--learning", type=FILE, metavar="DATA", help="The training set, for error_based.")
@click.option("--sample-weight", "weight", metavar="COLUMN", help="Column of sample weights in these files.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures in these files.")
@click.option("--force", is_flag=True, help="Also remove nodes that were signed or overruled.")
@reads_responses
@common
def prune(model, output, alpha, cp, leaves, pruner, validation, learning, weight, exposure, force, **options) -> None:
    """Prune the tree in a MODEL file again, more or less than before, or with another pruner.

    The new file keeps the full tree, so that you can prune it again.
    """
    if sum(choice is not None for choice in (alpha, cp, leaves, pruner)) != 1:
        raise click.UsageError("give exactly one of --alpha, --cp, --n-leaves and --pruner")
    if output == "-":
        raise click.UsageError("-o must be a file: a model is not written to standard output")
    files = [file for file in (validation, learning) if file is not None]
    check_new_file(output, model, *files)
    loaded = load_tree(model)
    with collected_notes() as notes, status(not options["quiet"]) as line:
        line.show("Pruning ...")
        if pruner is None:
            pruned = loaded.prune(alpha, cp=cp, n_leaves=leaves, force=force)
        else:
            pruned = _pruned(loaded, pruner, validation, learning, (weight, exposure), force)
    pruned.save(output)
    if options["quiet"]:
        return
    facts = _facts(loaded, pruned) | {"notes": [*notes, *pruned.notes], "written": output}
    if options["as_json"]:
        print_json(facts)
        return
    _print(facts)
    click.echo(f"\nWrote {output} ({Path(output).stat().st_size / 1000:.1f} kB).")


def _pruned(
    model, pruner: str, validation: str | None, learning: str | None, columns: tuple[str | None, str | None],
    force: bool,
):  # fmt: skip
    """The model pruned by a pruner with rows of a file, if any."""
    from ..model.given_rows import given_rows
    from ..pruning.pruners.registry import needs_rows
    from .inputs import about, numbers_of, read_new_data, shown_name
    from .responses import response_of

    found = _read(pruner, model.settings.get("ccp_risk"))
    file, wrong = (learning, "--validation") if found.rows == "learning" else (validation, "--learning")
    if {"--validation": validation, "--learning": learning}[wrong] is not None:
        right = "--learning, the rows that the tree was grown from" if found.rows == "learning" else "--validation"
        raise click.UsageError(f"{wrong}: {found.name} needs {right}")
    if file is None and needs_rows(found):
        grown = found.rows == "learning"
        rows = "the rows that the tree was grown from" if grown else "rows that the tree was not grown from"
        option = "--learning" if grown else "--validation"
        raise ParameterError(Setting("pruner", pruner), f" needs {rows}: {option} FILE.")
    if file is None:
        return model.prune_by(found, force=force)
    table, read = read_new_data(file, model, with_response=True)
    name = shown_name(file)
    weight, exposure = (
        numbers_of(table, column, what, name) for column, what in zip(columns, ("weight", "exposure"), strict=True)
    )
    with about(name):
        rows = given_rows(model, found, read, response_of(table, model, name), weight, exposure)
    return model.prune_by(found, rows, force)


def _read(text: str, risk: str | None):
    """A pruner by its name with its settings; ParameterError lists what this command takes."""
    from .._spelling import did_you_mean
    from ..pruning.pruners.registry import PRUNERS, needs_rows, read_pruner

    name = text.partition(":")[0].strip().lower().replace("-", "_")
    if name not in (*PRUNERS, "cv", "cv_1se"):
        alone = [kind.name for kind in PRUNERS.values() if not needs_rows(kind())]
        others = [name for name in PRUNERS if name not in alone]
        raise ParameterError(
            Setting("pruner"), f" must be {' or '.join(alone)}, or one of those that by default need rows from "
            f"--validation or --learning: {', '.join(others)}; got {text!r}{did_you_mean(name, PRUNERS)}",
        )  # fmt: skip
    return read_pruner(text, risk)


def _facts(before, after) -> dict:
    """What was done, as plain values."""
    from ..model.pruning_path import pruning_sequence

    sequence = pruning_sequence(after)
    size = lambda tree: {"leaves": tree.n_leaves, "depth": tree.max_depth}  # noqa: E731
    return {
        "pruner": sequence.pruner,
        "full_tree": size(after.full_tree),
        "before": size(before.tree),
        "after": size(after.tree),
        "held_out": after.cv,
        "path": sequence.to_frame("dict"),
    }


def _print(facts: dict) -> None:
    for note in facts["notes"]:
        click.echo(f"Note: {note}")
    full, before, after = facts["full_tree"], facts["before"], facts["after"]
    click.echo(
        f"Pruned by {facts['pruner']}: {after['leaves']} leaves, depth {after['depth']}; "
        f"before {before['leaves']} leaves, the full tree has {full['leaves']}."
    )
    if facts["held_out"] is not None:
        from ..evaluation.held_out import folds_words, size_range_words
        from ..views.words import with_error

        held_out = facts["held_out"]
        sizes = size_range_words(held_out)
        click.echo(f"Held-out loss{folds_words(held_out)}: {with_error(held_out['error'], held_out['se'])}{sizes}.")
    path = facts["path"]
    rows = list(zip(*path.values(), strict=True))
    at = path["selected"].index(True) if True in path["selected"] else 0
    first = max(0, min(at - MOST_ROWS // 2, len(rows) - MOST_ROWS))
    heading("Trees to choose from" + (f" ({MOST_ROWS} of {len(rows)})" if len(rows) > MOST_ROWS else ""))
    shown = [[_cell(name, value) for name, value in zip(path, row, strict=True)] for row in rows[first:][:MOST_ROWS]]
    print_table([name if name != "selected" else "" for name in path], shown, set(range(len(path))))


def _cell(name: str, value) -> str:
    if name == "selected":
        return "<" if value else ""
    from ..views.figures import few

    return few(value) if isinstance(value, float) else str(value)
