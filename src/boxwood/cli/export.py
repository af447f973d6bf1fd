"""The command export: writes a model in another language or format and verifies its predictions there."""

from __future__ import annotations

import math
from base64 import b64encode
from dataclasses import asdict

import click

from .command_help import ExampleCommand
from .options import FILE, common
from .output import collected_notes, print_json
from .paths import check_new_file, load_model
from .status import working
from .streams import write_bytes
from .tables import OF_TABLES, reads_tables


@click.command(
    cls=ExampleCommand,
    short_help="Write a model as SQL, source code, JSON, a workbook ...",
    examples=(
        "boxwood export titanic.box --format sql --dialect sqlite",
        "boxwood export titanic.box -o titanic.py --verify titanic_new.csv",
    ),
    goes_with=dict.fromkeys(OF_TABLES, "--verify"),
)
@click.argument("model", type=FILE)
@click.option("--format", "to", metavar="FORMAT", help="python, sql, c, js, json, ... Default: from the ending of -o.")
@click.option("-o", "--output", type=FILE, default="-", metavar="FILE", help="Output file. Default: print.")
@click.option("--dialect", metavar="NAME", help="SQL dialect: duckdb, sqlite, postgres, tsql, databricks, ...")
@click.option("--table", metavar="NAME", help="Name of the table in SQL. Default: data.")
@click.option("--key", multiple=True, metavar="COLUMN", help="Columns of the table to copy to the result, for SQL.")
@click.option("--prefix", metavar="NAME", help="Prefix of the function names, for C.")
@click.option("--cases", type=int, metavar="N", help="Number of input rows, for a workbook. Default: 20.")
@click.option(
    "--missing", metavar="CHOICE", help="For treelite, sklearn. never: no row has missing values. Default: as_tree."
)
@click.option("--levels", metavar="CHOICE", help="For sklearn: codes, or indicators, columns of 0 and 1.")
@click.option(
    "--verify", type=FILE, metavar="DATA", help="Run the export on the rows of DATA and compare the predictions."
)
@reads_tables
@common
def export(model, to, output, verify, **options) -> None:
    """Write the model in a MODEL file in another language or format, with the same predictions.

    With --verify, the export is run on the rows of DATA by its own engine (a database, a compiler, Node.js, ...), and
    its predictions are compared with those of `boxwood predict`. The exit code is 1 if any of them differ.
    """
    check_new_file(output, model, *([verify] if verify else []))
    loaded = load_model(model)
    given = {
        name: options[name]
        for name in ("dialect", "table", "key", "prefix", "cases", "missing", "levels")
        if options[name]
    }
    with working("Writing the export ...") as line:
        form = loaded.format_name(to, None if output == "-" else output)
        content = loaded.export(form, **given)
        facts = {"model": model, "format": form}
        if verify:
            line.show(f"Running the export on the rows of {verify} ...")
            facts |= _verified(loaded, form, verify, content, given)
    _put(content, output, facts, options)
    if verify and facts["verdict"]["mismatches"]:
        click.get_current_context().exit(1)


def _verified(loaded, form: str, data: str, content: str | bytes, given: dict) -> dict:
    """What came out of running the export on the rows of a file."""
    from .inputs import about, read_raw_data, shown_name

    with collected_notes() as notes, about(shown_name(data)):
        verdict = loaded.verify_export(form, read_raw_data(data, loaded), content, **given)
    facts = asdict(verdict)
    for example in facts["examples"]:
        example["values"] = {name: _shown(value) for name, value in example["values"].items()}
    return {"data": data, "notes": notes, "verdict": facts, "words": str(verdict)}


def _shown(value):
    """A value as JSON has it; dates, times and infinities as text."""
    plain = value is None or isinstance(value, (str, bool, int)) or (isinstance(value, float) and abs(value) < math.inf)
    return value if plain else str(value)


def _put(content: str | bytes, output: str, facts: dict, options: dict) -> None:
    """Write the content, and print what was done."""
    from ..exports.export import as_bytes
    from ..tree.atomic import write_atomically

    data = as_bytes(content)
    words = facts.pop("words", None)
    if output != "-":
        write_atomically(output, data)
        facts |= {"written": output, "bytes": len(data)}
    elif options["as_json"]:
        facts |= {"content": content} if isinstance(content, str) else {"base64": b64encode(content).decode()}
    else:
        write_bytes(data)
    if options["quiet"]:
        return
    if options["as_json"]:
        print_json(facts)
        return
    for note in facts.get("notes", []):
        click.echo(f"Note: {note}", err=True)
    if output != "-":
        click.echo(f"Wrote {output} ({len(data) / 1000:.1f} kB, {facts['format']}).")
    if words:
        click.echo(words, err=output == "-")
