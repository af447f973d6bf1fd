"""The command compare: algorithms cross-validated on the same folds of a file."""

from __future__ import annotations

from dataclasses import asdict

import click

from .command_help import ExampleCommand
from .options import FILE, common, options_of, split_names
from .output import collected_notes, print_json, print_table
from .status import status
from .tables import learns_tables
from .wording import in_options


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
@click.option("--chart", type=FILE, metavar="FILE", help="Write a chart of the scores and their standard errors.")
@click.option("--random-state", "seed", type=int, metavar="N", help="Seed of the folds.")
@click.option(
    "--n-jobs", "jobs", type=int, default=1, show_default=True, metavar="N",
    help="Number of parallel fits; -1 uses all cores.",
)  # fmt: skip
@learns_tables
@common
def compare(data, target, algorithms, **options) -> None:
    """Compare algorithms on DATA (- for standard input) by cross-validation with the same folds.

    An algorithm that cannot be fitted to the data is listed as failed, and the exit code is 1.
    """
    from ..algorithms import REGISTRY
    from .charts import check_chart, write_chart
    from .inputs import FileRoles, about, read_learning_data, shown_name
    from .streams import show
    from .wording import classification_named

    if options["chart"]:
        check_chart(options["chart"], data)
    drop, categorical = split_names(options["drop"]), split_names(options["categorical"])
    roles = FileRoles(target, options["weight"], options["exposure"], tuple(drop), tuple(categorical))
    with collected_notes() as notes, about(shown_name(data)), status(not options["quiet"]) as shown:
        shown.show(f"Reading {shown_name(data)} ...")
        learning = read_learning_data(data, roles, options["task"])
        shown.show(f"Read {shown_name(data)}: {learning.columns.n:,} rows ...")
        with classification_named():
            found = _comparison(learning, split_names((algorithms,)), options)
    if options["chart"]:
        write_chart(options["chart"], found)
    of_fit = {name: option for algorithm in REGISTRY.values() for name, option in options_of(algorithm).items()}
    failed = [f"{entry.name} failed, {in_options(entry.error, of_fit)}" for entry in found.entries if entry.error]
    notes = [in_options(note, of_fit) for note in dict.fromkeys(notes)]
    if options["quiet"]:
        for line in failed:
            show(line)
    else:
        _print_comparison(found, learning, (data, target), (notes, failed), options["as_json"])
    if failed:
        click.get_current_context().exit(1)


def _print_comparison(found, learning, given: tuple[str, str], sentences: tuple[list, list], as_json: bool) -> None:
    """Print the table of a comparison, or its JSON."""
    from .inputs import shown_name

    (data, target), (notes, failed) = given, sentences
    if as_json:
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
    for line in failed:
        click.echo(line)
    if found.price is not None:
        click.echo(f"\n{found.price.words(found.scoring)}")
    for note in notes:
        click.echo(f"Note: {note}")


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
        algorithm, settings = named(name, learning.task)
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
