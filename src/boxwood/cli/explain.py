"""The commands that explain and compare: explain, explain-split, compare."""

from __future__ import annotations

from dataclasses import asdict, replace

import click

from .command_help import ExampleCommand
from .options import FILE, common, split_names
from .output import collected_notes, print_json, print_table
from .paths import check_new_file, load_tree
from .status import status, working
from .tables import learns_tables, reads_responses, reads_tables
from .wording import in_options


@click.command(
    cls=ExampleCommand,
    short_help="Explain the predictions of rows of a file.",
    examples=(
        "boxwood explain titanic.box titanic_new.csv --row 1",
        "boxwood explain titanic.box titanic_new.csv --row 1 --row 7 --json",
    ),
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option(
    "--row",
    type=click.IntRange(min=1),
    multiple=True,
    metavar="N",
    help="Row number, counted from 1. Default: the first 5 rows.",
)
@click.option("--where", metavar="CONDITION", help='Only rows that fulfil it, the first 5: "age <= 14 and sex = male".')
@reads_tables
@common
def explain(model, data, row, where, **options) -> None:
    """Explain, node by node, how the tree in a MODEL file predicts rows of DATA (- for standard input).

    Each step shows the prediction of the node, the value of the row and the change in the prediction. If the value is
    missing or did not occur in training, it also shows how the row was routed.
    """
    from .inputs import about, read_new_data, shown_name
    from .predictions import unseen_notes

    if row and where is not None:
        raise click.UsageError("give --row or --where, not both")
    loaded = load_tree(model)
    with collected_notes() as notes, about(shown_name(data)), working(f"Reading {shown_name(data)} ...") as line:
        _, columns = read_new_data(data, loaded)
        rows = [n - 1 for n in row] or _first_rows(columns, where)
        if max(rows, default=0) >= columns.n:
            raise click.UsageError(f"--row {max(rows) + 1}: {shown_name(data)} has {columns.n} rows")
        line.show(f"Explaining {columns.n:,} rows ...")
        found = loaded.explain(columns)
    notes += unseen_notes(loaded, columns)
    if options["quiet"]:
        return
    if options["as_json"]:
        records = found.to_records()
        requested = set(rows)
        kept = [i for i, at in enumerate(records["row"]) if at in requested]
        steps = {name: [column[i] for i in kept] for name, column in records.items()}
        steps["row"] = [at + 1 for at in steps["row"]]
        print_json(
            {"model": model, "data": data, "rows": columns.n, "met": found.count(), "notes": notes, "steps": steps}
        )
        return
    for note in notes:
        click.echo(f"Note: {note}", err=True)
    click.echo("\n\n".join(found[at].to_text(first_row=1) for at in rows))


def _first_rows(columns, where: str | None, most: int = 5) -> list[int]:
    """The first rows that fulfil a condition, or the first of all."""
    from ..views.given_condition import fulfilled
    from ..views.read_condition import read_condition

    if where is None:
        return list(range(min(columns.n, most)))
    found = fulfilled(read_condition(where, columns.schema, "--where"), columns).nonzero()[0].tolist()
    if not found:
        raise click.UsageError(f"--where {where!r}: none of the {columns.n} rows fulfils it")
    return found[:most]


@click.command(
    "explain-split",
    cls=ExampleCommand,
    short_help="Explain why a node was split as it was.",
    examples=(
        "boxwood explain-split titanic.box titanic.csv",
        "boxwood explain-split titanic.box titanic.csv --node 1 --feature age",
    ),
)
@click.argument("model", type=FILE)
@click.argument("data", type=FILE)
@click.option("--node", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Node number.")
@click.option("--feature", metavar="NAME", help="Show the arithmetic of this feature.")
@click.option(
    "--format",
    "notation",
    type=click.Choice(["summary", "text", "latex", "html"]),
    help="Output format. Default: summary, or text with --feature or --measures.",
)
@click.option(
    "--measures",
    metavar="A,B",
    help="entropy, gini, error, chi_squared, variance, f, or all. Default: the measure of the criterion.",
)
@click.option(
    "--digits", type=click.IntRange(1, 15), default=3, show_default=True, metavar="N", help="Number of decimals."
)
@click.option(
    "--branches", type=click.Choice(["split", "values"]), default="split", show_default=True,
    help="Evaluate the branches of the best split, or one branch for each value.",
)  # fmt: skip
@click.option("--sample-weight", "weight", metavar="COLUMN", help="Column of sample weights, as in the fit.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures, as in the fit.")
@reads_responses
@common
def explain_split(model, data, node, feature, notation, **options) -> None:
    """Rank the candidate features of a node, with the training DATA, and show the arithmetic.

    The candidates are sorted by rank. For each of them, the best split is shown and the reason why it was or was not
    chosen.
    """
    from ..algorithms import REGISTRY
    from ..views.candidates import sections_of
    from .column_names import check_column
    from .inputs import about, numbers_of, read_new_data, response, shown_name

    requested = split_names((options["measures"],)) if options["measures"] else None
    if requested is not None and notation == "summary":
        raise click.UsageError("--measures is for the arithmetic, which a summary leaves out: give --format text")
    loaded = load_tree(model)
    file = shown_name(data)
    with collected_notes() as notes, about(file), working(f"Reading {file} ...") as line:
        table, columns = read_new_data(data, loaded, with_response=True)
        line.show(f"Searching the splits of node {node} ...")
        check_column(table, loaded.tree.response.name, file)
        found = REGISTRY[loaded.algorithm].explain_split(
            loaded, node, columns, response(table, loaded.tree.response.name, file),
            weight=numbers_of(table, options["weight"], "weight", file),
            exposure=numbers_of(table, options["exposure"], "exposure", file), branches=options["branches"],
        )  # fmt: skip
    sections = sections_of(found, "all" if requested == ["all"] else requested)
    if options["quiet"]:
        return
    for note in notes:
        click.echo(f"Note: {note}", err=True)
    if options["as_json"]:
        facts = {"node": node, "path": found.path, "rows": found.rows, "note": found.note, "score": found.criterion}
        print_json({"model": model, "data": data, **facts, "candidates": found.to_records()})
        return
    notation = notation or ("summary" if feature is None and requested is None else "text")
    if notation == "summary":
        click.echo(str(found if feature is None else replace(found, candidates=(found[feature],))))
        return
    write = {"text": found.to_text, "latex": found.to_latex, "html": found.to_html}[notation]
    click.echo(write(feature, sections, options["digits"]))


@click.command(
    cls=ExampleCommand,
    short_help="Compare algorithms by cross-validation.",
    examples=(
        "boxwood compare titanic.csv --target survived --models cart,cart/1se,c4.5 --folds 3",
        "boxwood compare titanic.csv --target survived --models cart,chaid --folds 3 --scoring auc",
    ),
)
@click.argument("data", type=FILE)
@click.option("--target", required=True, metavar="COLUMN", help="The column to predict.")
@click.option(
    "--models", "algorithms", default="cart,cart/1se,cart/none,boosting", show_default=True, metavar="A,B",
    help="Algorithms, each optionally followed by a slash and a pruning method; boosting and forest of scikit-learn.",
)  # fmt: skip
@click.option(
    "--folds", type=click.IntRange(min=2), default=10, show_default=True, metavar="N", help="Number of folds."
)
@click.option(
    "--scoring",
    metavar="NAME",
    help="accuracy, error, log_loss, auc or brier; r2, mse or mae. Default: accuracy or r2.",
)
@click.option(
    "--task", type=click.Choice(["auto", "classification", "regression"]), default="auto", show_default=True,
    help="auto: text, true/false and up to 10 different integers are classes; other numbers are regression targets.",
)  # fmt: skip
@click.option("--sample-weight", "weight", metavar="COLUMN", help="Column of sample weights.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures, for counts; cart then models rates (Poisson).")
@click.option("--drop", multiple=True, metavar="A,B", help="Columns to ignore.")
@click.option(
    "--categorical-features", "categorical", multiple=True, metavar="A,B", help="Numeric columns to treat as nominal."
)
@click.option("--chart", type=FILE, metavar="FILE", help="Write an SVG chart of the scores and their standard errors.")
@click.option("--random-state", "seed", type=int, metavar="N", help="Seed of the folds.")
@click.option(
    "--n-jobs", "jobs", type=int, default=1, show_default=True, metavar="N",
    help="Number of parallel fits; -1 uses all cores.",
)  # fmt: skip
@learns_tables
@common
def compare(data, target, algorithms, **options) -> None:
    """Compare algorithms on DATA (- for standard input) by cross-validation with the same folds."""
    from ..tree.atomic import write_atomically
    from .inputs import FileRoles, about, read_learning_data, shown_name
    from .wording import classification_named

    if options["chart"]:
        check_new_file(options["chart"], data)
    drop, categorical = split_names(options["drop"]), split_names(options["categorical"])
    roles = FileRoles(target, options["weight"], options["exposure"], tuple(drop), tuple(categorical))
    with collected_notes() as notes, about(shown_name(data)), status(not options["quiet"]) as shown:
        shown.show(f"Reading {shown_name(data)} ...")
        learning = read_learning_data(data, roles, options["task"])
        shown.show(f"Read {shown_name(data)}: {learning.columns.n:,} rows ...")
        with classification_named():
            found = _comparison(learning, split_names((algorithms,)), options)
    if options["chart"]:
        write_atomically(options["chart"], found.to_svg().encode("utf-8"))
    if options["quiet"]:
        return
    notes = list(dict.fromkeys(notes))
    if options["as_json"]:
        facts = {
            "data": data, "target": target, "task": learning.task, "scoring": found.scoring, "folds": found.n_folds,
            "baseline": asdict(found.baseline), "price": None if found.price is None else asdict(found.price),
        }  # fmt: skip
        print_json({**facts, "models": found.to_records(), "notes": notes})
        return
    click.echo(f"Read {shown_name(data)}: {learning.columns.n:,} rows; {learning.task} ({learning.why}).")
    click.echo(f"Score: {found.scoring}, {found.n_folds} folds.\n")
    header, rows = found.cells()
    print_table(header, rows, set(range(1, len(header))))
    for entry in found.entries:
        if entry.error:
            click.echo(f"{entry.name} failed, {in_options(entry.error, _OF_COMPARE)}")
    if found.price is not None:
        click.echo(f"\n{found.price.words(found.scoring)}")
    for note in notes:
        click.echo(f"Note: {note}")


#: Settings that messages of a comparison name, and their options.
_OF_COMPARE = {"categorical_features": "--categorical-features"}


def _comparison(learning, names: list[str], options: dict):
    """Run the comparison of some algorithms by name."""
    from ..algorithms.comparison.baselines import BaselineEntrant
    from ..algorithms.comparison.cross_validation import CrossValidation, folds_of
    from ..algorithms.comparison.entrants import TreeEntrant, Truth, with_missing_policy
    from ..algorithms.comparison.scoring import scoring_of
    from ..algorithms.named import BASELINES, named
    from ..learning.learning_set import usable_threads
    from ..learning.responses import read_exposure

    threads = usable_threads(options["jobs"])
    if learning.exposure is not None and learning.task != "regression":
        raise click.UsageError("--exposure is for counts: add --task regression")
    if not names:
        raise click.UsageError("--models names none; give at least one, for example cart")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise click.UsageError(f"--models names {twice[0]} twice")
    truth = Truth.read(learning.y, learning.weight, learning.task)
    scoring = scoring_of(options["scoring"], learning.task)
    counted, entrants = read_exposure(learning.exposure, learning.columns.n), []
    if counted is not None and truth.y.min() < 0:
        row = int(truth.y.argmin())
        raise click.UsageError(
            f"--exposure is for counts, which cannot be negative; row {row + 1} holds {truth.y[row]:g}. Leave it out."
        )
    for name in names:
        if name in BASELINES:
            entrants.append(BaselineEntrant(name, name, learning.columns, truth, counted))
            continue
        algorithm, settings = named(name)
        settings = with_missing_policy(name, algorithm, learning.task, settings, learning.columns)
        if threads > 1:
            settings["n_jobs"] = 1
        exposure = counted if counted is not None and _models_rates(algorithm) else None
        if exposure is not None:
            settings["criterion"] = "poisson"
        entrants.append(TreeEntrant(name, algorithm, settings, learning.columns, truth, exposure))
    if counted is not None and all(c.exposure is None for c in entrants):
        raise click.UsageError("--exposure is for counts and algorithms that model rates: cart, with --task regression")
    fold = folds_of(learning.columns, truth, options["folds"], options["seed"])
    return CrossValidation(truth, fold, scoring, threads).run(entrants, BASELINES)


def _models_rates(algorithm) -> bool:
    """Whether an algorithm can divide counts by exposures."""
    parameters = algorithm.parameters.get("regression", ())
    return any(p.name == "criterion" and "poisson" in p.choices for p in parameters)
