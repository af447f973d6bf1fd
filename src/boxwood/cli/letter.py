"""The command letter: letters to the people behind rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace

import click

from .command_help import ExampleCommand
from .insights import allowed_changes, target_given
from .options import FILE, LABEL, common, split_names
from .output import collected_notes, print_json
from .paths import check_new_file, load_tree
from .tables import reads_tables

#: What is between two letters.
_BETWEEN = "\n" + "=" * 60 + "\n"


@click.command(
    cls=ExampleCommand,
    short_help="Write a letter to a person about a prediction.",
    examples=(
        "boxwood letter titanic.box titanic_new.csv --row 2 --can-change class,fare",
        "boxwood letter titanic.box titanic_new.csv --language de -o letters.txt",
    ),
    goes_with=dict.fromkeys(("--allowed", "--target-class", "--target-range"), "--can-change"),
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option("--row", type=click.IntRange(min=1), metavar="N", help="Row number, counted from 1. Default: every row.")
@click.option("--can-change", multiple=True, metavar="A,B", help="Columns that the person can change.")
@click.option(
    "--allowed", "allow", multiple=True, metavar="COLUMN=WHAT",
    help="Allowed changes of a column: a range 18:65 (or 18: or :65), increase, decrease, or levels red|blue.",
)  # fmt: skip
@click.option("--target-class", type=LABEL, metavar="LABEL", help="Class to which a change leads. Default: any other.")
@click.option(
    "--target-range", metavar="LOW:HIGH", help="Range of a numeric prediction to which a change leads; LOW or HIGH."
)
@click.option(
    "--reasons",
    type=click.IntRange(min=1),
    default=4,
    show_default=True,
    metavar="N",
    help="Maximum number of reasons.",
)
@click.option(
    "--language", type=click.Choice(["en", "de", "ja", "zh"]), default="en", show_default=True, help="Language."
)
@click.option("--sentences", type=FILE, metavar="FILE", help="A JSON file of sentences in place of those.")
@click.option("-o", "--output", type=FILE, default="-", metavar="FILE", help="The letters. Default: standard output.")
@click.option("--memory", metavar="SIZE", help="Read DATA in parts within this memory limit, such as 2GB.")
@reads_tables
@common
def letter(model, data, output, **options) -> None:
    """Write a letter for each row of DATA: the data used, the path, the reasons, and what would change the answer.

    With --can-change, the letter names the smallest change of these columns that leads to another answer. --sentences
    is for other languages and other words.
    """
    from ..model.letter.letter import LetterOptions
    from ..model.letter.sentences import sentences_of
    from ..tree.atomic import replacing
    from .inputs import about, shown_name

    check_new_file(output, model, data, *([] if options["sentences"] is None else [options["sentences"]]))
    loaded = load_tree(model)
    sentences = sentences_of(options["language"], options["sentences"])
    requested = LetterOptions(
        tuple(split_names(options["can_change"])), allowed_changes(loaded.tree, options["allow"]),
        target_given(loaded.tree, options), options["reasons"],
    )  # fmt: skip
    name, facts, count = shown_name(data), [], 0
    with collected_notes() as notes, about(name), replacing(output) if output != "-" else nullcontext() as file:
        for made in _letters(loaded, data, options, sentences, requested):
            text = f"{_BETWEEN * (count > 0)}{made}\n"
            if file is not None:
                file.write(text.encode())
            elif not (options["as_json"] or options["quiet"]):
                click.echo(text, nl=False)
            if options["as_json"]:
                facts.append(made.to_dict() | {"row": made.row + 1})
            count += 1
    if options["quiet"]:
        return
    if options["as_json"]:
        print_json({"model": model, "data": data, "notes": notes, "letters": facts})
        return
    for note in notes:
        click.echo(f"Note: {note}", err=True)
    if file is not None:
        click.echo(f"Wrote {output} ({count:,} letter{'s' * (count != 1)}).")


def _letters(model, data: str, options: dict, sentences, requested) -> Iterator:
    """The letters of the rows of a file, one by one; their rows are counted over all parts."""
    from ..model.letter.letter import letters_of
    from .inputs import shown_name
    from .new_rows import Kept, rows_of

    row, before = options["row"], 0
    for part in rows_of(data, model, Kept((), False), options["memory"]):
        letters = letters_of(model, part.columns, sentences, requested)
        wanted = range(len(letters)) if row is None else range(row - 1 - before, row - before)
        for at in wanted:
            if 0 <= at < len(letters):
                yield replace(letters[at], row=before + at)
        before += len(letters)
    if row is not None and row > before:
        raise click.UsageError(f"--row {row}: {shown_name(data)} has {before} rows")
