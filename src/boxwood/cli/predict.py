"""The command predict: scores the rows of files or of a pipe, beside columns that are kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .command_help import ExampleCommand
from .options import FILE, LABEL, common, split_names
from .output import collected_notes, print_json
from .paths import check_new_file, check_table_name, load_model
from .status import status
from .streams import output_bytes
from .tables import reads_tables

if TYPE_CHECKING:
    from ..data.files.table_writer import TableWriter
    from .predictions import TablesInMemory

#: Arguments of the library and their options here.
_OPTIONS = {
    "keep": "--keep", "prefix": "--prefix", "reasons": "--reasons", "node": "--node", "interval": "--interval",
    "missing_route": "--missing-route", "memory": "--memory", "target_class": "--target-class",
}  # fmt: skip


@click.command(
    "predict",
    cls=ExampleCommand,
    short_help="Predict the rows of a file.",
    examples=(
        "boxwood predict titanic.box titanic_new.csv -o predicted.csv",
        "boxwood predict titanic.box titanic_new.csv --keep age,sex --proba --reasons 2",
    ),
    goes_with={"--level": "--interval", "--target-class": "--reasons", "--append": "-o"},
    not_with={"--keep": "--all-columns"},
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option(
    "-o", "--output", type=FILE, default="-", metavar="FILE",
    help="Output file; .csv, .jsonl (JSON lines), .parquet, .arrow or .feather choose the format. Default: print.",
)  # fmt: skip
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl"]),
    help="CSV or JSON lines. Default: by the ending of -o, or csv.",
)
@click.option("--append", is_flag=True, help="Add the rows to the output file, which must have the same columns.")
@click.option("--keep", multiple=True, metavar="A,B", help="Columns of DATA to write before the predictions.")
@click.option("--all-columns", is_flag=True, help="Write all columns of DATA before the predictions.")
@click.option("--prefix", default="", metavar="TEXT", help="Put TEXT before the names of the columns of predictions.")
@click.option("--proba", is_flag=True, help="Add the probability of every class.")
@click.option("--node", is_flag=True, help="Add the number of the node in which the row ends, or of the rule.")
@click.option("--interval", is_flag=True, help="Add the confidence interval of the prediction.")
@click.option(
    "--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95, show_default=True,
    metavar="SHARE", help="Confidence level of the interval.",
)  # fmt: skip
@click.option(
    "--reasons", type=click.IntRange(min=0), default=0, metavar="N",
    help="Add the N features that moved the prediction most, with their contributions.",
)  # fmt: skip
@click.option(
    "--target-class", type=LABEL, metavar="LABEL",
    help="Class whose probability the reasons explain. Default: the class predicted for the row.",
)  # fmt: skip
@click.option("--missing-route", is_flag=True, help="Add what decided where a value was missing or new.")
@click.option(
    "--spreadsheet-safe", is_flag=True, help="In CSV, put ' before labels that a spreadsheet runs (= + - @ first)."
)
@click.option("--memory", metavar="SIZE", help="Read DATA in parts within this memory limit, such as 2GB.")
@reads_tables
@common
def predict(model, data, output, form, **options) -> None:
    """Predict every row of DATA with the model in a MODEL file.

    DATA is any file or folder that `boxwood fit` reads, or - for standard input. Columns are matched by name, including
    those in folder names such as year=2023. Other columns of DATA are ignored, unless --keep or --all-columns keeps
    them. Rows of CSV and JSON lines that come through a pipe are predicted as they come.
    """
    from ..data.files.table_writer import TEXTS, format_of
    from ..views.score_columns import ScoreOptions
    from .inputs import about, shown_name
    from .new_rows import Kept, rows_of
    from .predictions import Scores

    form = form or format_of(output) or "csv"
    _check_options(output, (form, format_of(output)), options)
    check_new_file(output, data, model)
    check_table_name(output)
    loaded = load_model(model)
    requested = ScoreOptions(
        options["proba"], options["node"], options["interval"], options["reasons"], options["missing_route"],
        options["level"], options["target_class"],
    )  # fmt: skip
    kept = Kept(None if options["all_columns"] else tuple(split_names(options["keep"])), form in TEXTS)
    scores = Scores(loaded, requested, options["prefix"])
    name = shown_name(data)
    with collected_notes() as notes, about(name, _OPTIONS), status(not options["quiet"]) as shown:
        shown.show(f"Reading {name} ...")
        with _written(output, form, options) as writer:
            for rows in rows_of(data, loaded, kept, options["memory"]):
                shown.show(f"Predicting {scores.rows + rows.columns.n:,} rows ...")
                writer.write(scores.table(rows))
    facts = scores.facts(name, notes)
    if output != "-":
        facts |= {"written": output, "appended": options["append"]}
    elif options["as_json"]:
        facts["predictions"] = writer.to_pydict()
    if options["as_json"] and not options["quiet"]:
        print_json(facts)
    elif not options["quiet"]:
        _print_predicted(facts)


def _check_options(output: str, forms: tuple[str, str | None], options: dict) -> None:
    """Refuse options that would do nothing; ``forms``: the format, and that of the ending."""
    form, of_ending = forms
    if of_ending not in (None, form):
        raise click.UsageError(f"-o {output!r} is not a name for --format {form}; give another ending")
    if options["spreadsheet_safe"] and (form != "csv" or (options["as_json"] and output == "-")):
        raise click.UsageError("--spreadsheet-safe is for CSV: leave it out, or write CSV")


@contextmanager
def _written(output: str, form: str, options: dict) -> Iterator[TableWriter | TablesInMemory]:
    """What takes the tables: a file that is replaced at the end, standard output, or the memory for JSON."""
    from ..data.files.table_writer import writer_of
    from ..tree.atomic import replacing
    from .predictions import TablesInMemory

    safe = options["spreadsheet_safe"]
    if output != "-":
        earlier = output if options["append"] and Path(output).exists() else None
        with replacing(output) as file:
            writer = writer_of(form, file, earlier, safe)
            yield writer
            writer.close()
    elif options["as_json"]:
        yield TablesInMemory()
    else:
        yield writer_of(form, output_bytes(), None, safe)


def _print_predicted(facts: dict) -> None:
    for note in facts["notes"]:
        click.echo(f"Note: {note}", err=True)
    if "written" in facts:
        from .predictions import reached_words

        verb = "Added to" if facts["appended"] else "Wrote"
        click.echo(f"Read {facts['data']}: {facts['rows']:,} rows.\n{verb} {facts['written']}: {facts['summary']}.")
        if reached_words(facts["met"]):
            click.echo(reached_words(facts["met"]))
