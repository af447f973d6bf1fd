"""The command bins: bins of single columns with weight of evidence, information value, points, SQL and charts."""

from __future__ import annotations

from pathlib import Path

import click

from .command_help import ExampleCommand
from .options import FILE, LABEL, common, split_names
from .output import collected_notes, csv_text, print_json
from .paths import check_new_file
from .status import status
from .streams import write_bytes
from .tables import ReadOptions, learns_tables

_OPTIONS = {
    name: f"--{name.replace('_', '-')}"
    for name in ("target_class", "max_bins", "min_samples_leaf", "monotone", "special_values", "points", "values")
}
#: Endings of output files and their formats.
_ENDINGS = {"": "text", ".txt": "text", ".csv": "csv", ".sql": "sql", ".svg": "svg"}


@click.command(
    cls=ExampleCommand,
    short_help="Bin single columns: event rates, weight of evidence, information value, points.",
    examples=(
        "boxwood bins titanic.csv --target survived --target-class yes --monotone auto",
        "boxwood bins titanic.csv --target survived --points 20,600,50 --format sql --dialect sqlite",
    ),
    goes_with=dict.fromkeys(("--values", "--dialect", "--table", "--key"), "--format sql or -o *.sql"),
)
@click.argument("data", type=FILE)
@click.option("--target", required=True, metavar="COLUMN", help="The column of classes.")
@click.option("--target-class", type=LABEL, metavar="LABEL", help="The event. Default: the rarer of two classes.")
@click.option("--columns", multiple=True, metavar="A,B", help="Columns to bin. Default: all.")
@click.option("--drop", multiple=True, metavar="A,B", help="Columns to ignore.")
@click.option(
    "--max-bins", type=int, default=6, show_default=True, metavar="N", help="Maximum number of bins of values."
)
@click.option(
    "--min-samples-leaf", type=float, default=0.05, show_default=True, metavar="N|SHARE",
    help="Minimum number, or share, of the rows in a bin of values.",
)  # fmt: skip
@click.option(
    "--monotone", type=click.Choice(["auto", "increasing", "decreasing"]),
    help="Merge neighbouring bins until the event rate rises or falls throughout.",
)  # fmt: skip
@click.option(
    "--special-values", multiple=True, metavar="A,B",
    help="Values that get a bin of their own, such as '-999,-1', or 'age=-1' for one column.",
)  # fmt: skip
@click.option(
    "--points", metavar="PDO,SCORE,ODDS",
    help="Points to double the odds, base score and base odds (non-events to events), such as 20,600,50.",
)  # fmt: skip
@click.option("--sample-weight", metavar="COLUMN", help="Column of sample weights.")
@click.option(
    "--categorical-features", "categorical", multiple=True, metavar="A,B", help="Numeric columns to treat as nominal."
)
@click.option(
    "--format", "form", type=click.Choice(["text", "csv", "sql", "svg"]),
    help="Tables as text, CSV with one row for each bin, one query, or charts. Default: by the ending of -o, or text.",
)  # fmt: skip
@click.option("-o", "--output", type=FILE, default="-", metavar="FILE", help="Output file. Default: print.")
@click.option(
    "--values", type=click.Choice(["woe", "points"]), default="woe", show_default=True,
    help="What the query gives for each column.",
)  # fmt: skip
@click.option("--dialect", metavar="NAME", help="SQL dialect: duckdb, sqlite, postgres, tsql, databricks, ...")
@click.option("--table", metavar="NAME", help="Name of the table in SQL. Default: data.")
@click.option("--key", multiple=True, metavar="COLUMN", help="Columns of the table to copy to the result, for SQL.")
@learns_tables
@common
def bins(data, target, form, output, **options) -> None:
    """Bin every column of DATA on its own: counts, event rates, weight of evidence and information value.

    Values are cut by a tree of the column alone; missing and special values have bins of their own. The columns are
    sorted by information value.
    """
    from .inputs import about, shown_name

    check_new_file(output, data)
    form = _format(form, output)
    with collected_notes() as notes, about(shown_name(data), _OPTIONS), status(not options["quiet"]) as shown:
        shown.show(f"Reading {shown_name(data)} ...")
        found = _bins(data, target, options)
        write = {
            "csv": lambda: csv_text(found.to_records()), "svg": found.to_svg, "text": found.to_text,
            "sql": lambda: found.to_sql(options["values"], **_sql_options(options)),
        }  # fmt: skip
        content = write[form]()
    facts = {"data": data, "target": target, "format": form, "event": found.event, "start": found.start, "notes": notes}
    _put(content, output, options, facts | {"bins": found.to_records()})


def _format(form: str | None, output: str) -> str:
    """The format that is given, or that of the ending of the output file; both must agree."""
    ending = Path(output).suffix.lower()
    of_ending = _ENDINGS.get(ending)
    if form is None and of_ending is None:
        raise click.UsageError(f"-o must end in {', '.join(filter(None, _ENDINGS))}, or give --format; got {output!r}")
    form = form or of_ending
    if ending and of_ending != form and (of_ending is not None or form == "svg"):
        raise click.UsageError(f"-o {output!r} is not a name for --format {form}; give another ending")
    return form


def _sql_options(options: dict) -> dict:
    """Those of the query that are given."""
    return {name: options[name] for name in ("dialect", "table", "key") if options[name]}


def _bins(data: str, target: str, options: dict):
    """The bins of the columns of a file."""
    from ..algorithms.binning.binning import bin_columns
    from .inputs import FileRoles, read_learning_data

    weight, categorical = options["sample_weight"], tuple(split_names(options["categorical"]))
    drop, wanted = tuple(split_names(options["drop"])), split_names(options["columns"])
    roles = FileRoles(target, weight, None, drop, categorical, tuple(wanted))
    learning = read_learning_data(data, roles, "classification")
    least = options["min_samples_leaf"]
    settings = {name: options[name] for name in ("target_class", "max_bins", "monotone")} | {
        "min_samples_leaf": int(least) if least >= 1 and least == int(least) else least,
        "special_values": ReadOptions(options["special_values"]).codes(learning.columns.schema.names),
        "points": None if options["points"] is None else options["points"].split(","),
    }
    return bin_columns(learning.columns, learning.y, learning.weight, settings, target)


def _put(content: str, output: str, options: dict, facts: dict) -> None:
    """Write the output to its file, or print it."""
    from ..exports.export import as_bytes
    from ..tree.atomic import write_atomically

    written = as_bytes(content if content.endswith("\n") else f"{content}\n")
    if output != "-":
        write_atomically(output, written)
    if options["quiet"]:
        return
    if options["as_json"]:
        print_json(facts | ({"content": content} if output == "-" else {"written": output}))
        return
    for note in facts["notes"]:
        click.echo(f"Note: {note}", err=True)
    if output == "-":
        write_bytes(written)
    else:
        click.echo(f"Wrote {output} ({len(written) / 1000:.1f} kB).")
