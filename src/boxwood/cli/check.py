"""The command check: a look at a data file before a tree is grown from it."""

from __future__ import annotations

import html
import warnings
from dataclasses import dataclass, field

import click

from ..errors import FormatWarning
from .command_help import ExampleCommand
from .options import FILE, common, split_names
from .output import collected_notes, print_json
from .paths import check_new_file, check_page_name
from .report import print_notes
from .status import status
from .streams import write_bytes
from .tables import READING, learns_tables, read_options
from .wording import in_options

#: Options of this command and of `boxwood fit` that remedies name.
_OPTIONS = READING | {
    "categorical_features": "--categorical-features", "criterion": "--criterion", "exposure": "--exposure",
    "unseen": "--unseen",
}  # fmt: skip
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em;
overflow-wrap: anywhere }} table {{ border-collapse: collapse; display: block; overflow-x: auto }}
td, th {{ padding: .2em .8em .2em 0; text-align: left; vertical-align: top; white-space: nowrap }}
td:first-child {{ white-space: normal; min-width: 12em }} li {{ margin: .4em 0 }}
</style></head><body><h1>{title}</h1>
{body}
</body></html>
"""


@click.command(
    cls=ExampleCommand,
    short_help="Check a data file before a fit.",
    examples=(
        "boxwood check titanic.csv --target survived",
        "boxwood check titanic.csv --target survived --against titanic_new.csv",
    ),
    not_with={"--json": "-o -"},
)
@click.argument("data", type=FILE)
@click.option("--target", required=True, metavar="COLUMN", help="The column to predict.")
@click.option("--against", type=FILE, metavar="FILE", help="Newer rows, to look for drift, unseen levels and columns.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write the result as an HTML page.")
@click.option(
    "--task", type=click.Choice(["auto", "classification", "regression"]), default="auto", show_default=True,
    help="auto: text, true/false and up to 10 different integers are classes; other numbers are regression targets.",
)  # fmt: skip
@click.option("--drop", multiple=True, metavar="A,B", help="Columns to ignore.")
@click.option(
    "--categorical-features", "categorical", multiple=True, metavar="A,B", help="Numeric columns to treat as nominal."
)
@click.option("--memory", metavar="SIZE", help="Check a random sample of DATA that fits this memory, such as 2GB.")
@learns_tables
@common
def check(data, target, against, output, task, memory, **options) -> None:
    """Check DATA for what makes a tree wrong or misleading, and print what to do about it.

    Looks for copies and consequences of the target, time under observation that would predict an event, values that
    may mean missing (-999, 99), several spellings of a word, codes that would be read as numbers, identifiers,
    constants, mostly missing columns and duplicate rows. With --against, the columns of a second file are compared
    with those of DATA: drift (PSI and a test), unseen levels, columns that it lacks.

    DATA is any file or folder that `boxwood fit` reads, whole, or - for standard input. With --memory, it is read in
    parts; of more rows than fit into the memory, a sample is checked, and a note gives its size. The second file is
    read whole.
    """
    from ..evaluation.data_check.check import check_columns, kinds_collected, target_of
    from ..tree.atomic import write_atomically
    from .inputs import about, read_raw_data, shown_name

    if output is not None:
        check_new_file(output, data, *([] if against is None else [against]))
        check_page_name(output)
    if data == against == "-":
        raise click.UsageError("DATA and --against cannot both be standard input")
    read = _sample if memory else _whole
    with collected_notes() as notes, status(not options["quiet"]) as shown:
        shown.show(f"Reading {shown_name(data)} ...")
        with kinds_collected() as warned:
            columns, y, task = read(data, target, task, options | {"memory": memory})
        with about(shown_name(data)):
            of_target = target_of(y, task, target)
        second = None
        if against is not None:
            shown.show(f"Reading {shown_name(against)} ...")
            second = read_raw_data(against, AsRead(columns.schema, target, of_target.column.feature.levels))
        shown.show(f"Checking {shown_name(data)} ...")
        with about(shown_name(data if against is None else against)):
            found = check_columns(columns, of_target, second, warned)
    found = found.worded(lambda message: in_options(message, _OPTIONS))
    if output is not None:
        title = f"Check of {shown_name(data)}" + ("" if against is None else f" against {shown_name(against)}")
        page = PAGE.format(title=html.escape(title), body=found.to_html()).encode("utf-8")
        write_bytes(page) if output == "-" else write_atomically(output, page)
    if options["quiet"] or output == "-":
        return
    if options["as_json"]:
        print_json({"data": data, "against": against, "notes": notes, **found.to_dict()})
        return
    print_notes(notes)
    click.echo(found.to_text())


def _whole(data: str, target: str, task: str, options: dict) -> tuple:
    """The features and the target of all rows, and the task."""
    from .inputs import FileRoles, read_learning_data

    dropped, categorical = split_names(options["drop"]), split_names(options["categorical"])
    found = read_learning_data(data, FileRoles(target, drop=tuple(dropped), categorical=tuple(categorical)), task)
    return found.columns, found.y, found.task


def _sample(data: str, target: str, task: str, options: dict) -> tuple:
    """The same of as many rows as fit into the memory; a note tells of a sample."""
    from ..algorithms.fitting.gathered import sampled
    from ..algorithms.fitting.streams import How
    from .inputs import about
    from .streamed import categorical, reading, roles_of, task_of

    if data == "-":
        raise click.UsageError("--memory is for files, which are read several times, not for standard input")
    with about(data, _OPTIONS | {"memory": "--memory"}):
        task, _ = task_of(data, target, task)
        settings = categorical(options) | reading(data)
        roles = roles_of(target, options | {"sample_weight": None})
        found, n = sampled(data, roles, task, settings, How(options["memory"], form=read_options().form).means({}))
    if found.columns.n < n:
        note = f"{found.columns.n:,} of {n:,} rows are checked: a random sample (seed 0) that fits --memory."
        warnings.warn(note, FormatWarning, stacklevel=2)
    return found.columns, found.y, task


@dataclass(frozen=True)
class AsRead:
    """What a second file is read by, as by a model: the schema and target of the first."""

    schema: object
    response_name: str
    labels: tuple
    settings: dict = field(default_factory=dict)
    responses: tuple = ()
