"""The commands dossier and verify: all that is known of a model as one JSON, and the same recomputed."""

from __future__ import annotations

import hashlib

import click

from ..errors import FileError
from .command_help import ExampleCommand
from .options import FILE, LABEL, common, split_names
from .output import collected_notes, print_json
from .paths import check_new_file, check_page_name, load_tree
from .report import print_notes
from .status import status
from .tables import reads_responses

#: So many rows are given to exports.
_MOST_ROWS = 1000


@click.command(
    cls=ExampleCommand,
    short_help="Write all that is known of a model, so that others can verify it.",
    examples=(
        "boxwood dossier titanic.box titanic.csv -o dossier.json",
        "boxwood dossier titanic.box titanic.csv --holdout titanic_new.csv -o both.json --page both.html",
    ),
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option("-o", "--output", type=FILE, required=True, metavar="FILE", help="The JSON file.")
@click.option("--page", type=FILE, metavar="FILE", help="Also write the report's page with the dossier.")
@click.option("--holdout", type=FILE, metavar="FILE", help="Rows that the tree was not grown from, with the target.")
@click.option("--sample-weight", metavar="COLUMN", help="Column of sample weights, in both files.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures, for models of rates, in both files.")
@click.option("--by", multiple=True, metavar="COLUMN", help="Groups of rows to evaluate, as in evaluate.")
@click.option("--target-class", type=LABEL, metavar="LABEL", help="Class for AUC and lift. Default: that of the model.")
@click.option(
    "--formats", multiple=True, default=("json", "python"), show_default=True, metavar="A,B",
    help="Formats of exports that are run on the first 1,000 rows and compared.",
)  # fmt: skip
@reads_responses
@common
def dossier(
    model, data, output, page, holdout, sample_weight, exposure, by, target_class, formats, **options
) -> None:  # fmt: skip
    """Write the dossier of the model in a MODEL file for the rows of DATA: settings, tree, evaluation, exports, hashes.

    `boxwood verify` recomputes every number of it. The file also names the items of TRIPOD+AI: those that can be known
    are filled in, the others are blanks for people.
    """
    from ..algorithms.dossier.facts import to_text
    from ..tree.atomic import write_atomically

    check_new_file(output, model, data, *([] if holdout is None else [holdout]))
    if page is not None:
        check_new_file(page, model, data, *([] if holdout is None else [holdout]))
        check_page_name(page)
    label = None if target_class is None else str(target_class)
    chosen = {"by": list(by), "target_class": label, "formats": split_names(formats)}
    columns = {"sample_weight": sample_weight, "exposure": exposure}
    chosen |= {name: column for name, column in columns.items() if column is not None}
    with collected_notes() as notes, status(not options["quiet"]) as line:
        line.show("Making the dossier ...")
        found, html = _made(model, data, holdout, chosen, page is not None)
    write_atomically(output, to_text(found).encode())
    if page is not None:
        write_atomically(page, html.encode())
    if options["quiet"]:
        return
    if options["as_json"]:
        print_json({"written": output, "page": page, "notes": notes, "fingerprint": found["fingerprint"]})
        return
    print_notes(notes)
    click.echo(f"Fingerprint {found['fingerprint']}")
    blank = sum(not text for text in found["blanks"].values())
    click.echo(f"Wrote {output}; {blank} items of TRIPOD+AI are left to be filled in.")


@click.command(
    cls=ExampleCommand,
    short_help="Recompute every number of a dossier.",
    examples=(
        "boxwood verify dossier.json titanic.box titanic.csv",
        "boxwood verify dossier.json titanic.box titanic.csv --json",
    ),
)
@click.argument("dossier", type=FILE)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option("--holdout", type=FILE, metavar="FILE", help="The held-out rows of the dossier.")
@reads_responses
@common
def verify(dossier, model, data, holdout, **options) -> None:
    """Compare a DOSSIER with one that is made again from the MODEL file and the rows of DATA.

    Printed is every place that states something else. The exit code is 1 if there are any. What people filled in is
    not compared. The dossier names the columns of weights and exposures.
    """
    from ..algorithms.dossier.verified import discrepancies, read_dossier
    from .inputs import about

    with about(dossier):
        text = _text_of(dossier)
        stated = read_dossier(text)
    with collected_notes() as notes, status(not options["quiet"]) as line:
        line.show("Computing the dossier again ...")
        found, _ = _made(model, data, holdout, stated["options"], False)
    wrong = discrepancies(stated, found, text)
    if options["as_json"] and not options["quiet"]:
        places = [{"place": one.place, "stated": one.stated, "found": one.found} for one in wrong]
        print_json({"dossier": dossier, "model": model, "notes": notes, "verified": not wrong, "differences": places})
    elif not options["quiet"]:
        print_notes(notes)
        for one in wrong:
            click.echo(str(one))
        click.echo(f"{len(wrong):,} differences." if wrong else "Verified: every number is as stated.")
    if wrong:
        click.get_current_context().exit(1)


def _text_of(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8")
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read the dossier {path!r}: {error}.") from error


def _made(model: str, data: str, holdout: str | None, options: dict, with_page: bool) -> tuple[dict, str]:
    """The dossier of files by its options, and the page if there is to be one."""
    from ..algorithms.dossier.facts import dossier_of
    from ..algorithms.dossier.page import dossier_sections
    from ..data.frames.class_labels import AsWritten
    from ..model.explorer_page import given_to_show, page_of_model
    from ..model.summary import ReportOptions

    loaded = load_tree(model)
    label = options.get("target_class")
    about = {} if label is None else {"target_class": AsWritten(label)}
    roles = {"data": data} | ({} if holdout is None else {"holdout": holdout})
    read = {role: _rows(loaded, file, options, about) for role, file in roles.items()}
    files = {"model": _digest(model)} | {role: _digest(file) for role, file in roles.items()}
    rows = {role: one for role, (one, _) in read.items()}
    found = dossier_of(loaded, rows, options, files)
    if not with_page:
        return found, ""
    given = given_to_show(
        loaded.tree.response, rows["data"].columns, read["data"][1], rows["data"].weight, rows["data"].exposure
    )
    report = ReportOptions(model, data, about.get("target_class"))
    return found, page_of_model(loaded, given, report, None, dossier_sections(found)).html


def _rows(model, file: str, options: dict, target: dict) -> tuple:
    """Rows of a file for a dossier, and their response as it is in the file."""
    import numpy as np

    from ..algorithms.dossier.facts import DossierRows
    from ..data.frames.weights import read_weights
    from ..learning.responses import read_exposure
    from .evaluations import evaluation_of, groups_of
    from .inputs import about, numbers_of, read_new_data, read_raw_data, shown_name
    from .responses import response_of

    name = shown_name(file)
    if file == "-":
        raise click.UsageError("a dossier needs files, whose bytes it names: not standard input")
    with about(name):
        table, columns = read_new_data(file, model, with_response=True)
        y = response_of(table, model, name)
        weight = read_weights(numbers_of(table, options.get("sample_weight"), "weight", name), columns.n)
        exposure = read_exposure(numbers_of(table, options.get("exposure"), "exposure", name), columns.n)
        groups = groups_of(options["by"], table, model, name)
        found = evaluation_of(model, y, columns, weight, exposure, by=groups, **target)
        raw = read_raw_data(file, model).slice(0, _MOST_ROWS)
        truth = np.asarray(model.tree.response.read(y))
        return DossierRows(columns, truth, found, raw, weight, exposure), y


def _digest(path: str) -> str:
    """SHA-256 of the bytes of a file."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise FileError(
            f"cannot read {path!r}: {error.strerror or error}; a dossier is made of single files."
        ) from error
