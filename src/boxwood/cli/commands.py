"""The main commands: fit, show, predict; packages are imported when a command runs, so that `--help` is fast."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from .bins import bins
from .certificate import certificate
from .check import check
from .command_help import EPILOG, ExampleCommand, where_to_begin
from .compare import compare
from .diff import diff
from .dossier import dossier, verify
from .edit import edit
from .encode import encode
from .evaluate import evaluate
from .explain import explain, explain_split
from .explore import explore
from .export import export
from .grow_below import grow_below
from .insights import counterfactual, importance, rules
from .letter import letter
from .options import FILE, FORCE, FitCommand, common, options_of, read_settings, split_names
from .output import SHOWS_ALL, collected_notes, print_json, print_table, tree_words
from .paths import check_new_file, check_no_earlier_file, load_model, load_tree
from .plot import plot
from .predict import predict
from .pruning import prune
from .refresh import refresh
from .several import response
from .status import status, working
from .tables import learns_tables


def _print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from .._version import __version__

        click.echo(f"boxwood {__version__}")
        context.exit()


@click.group(
    epilog=EPILOG,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version."
)
@click.pass_context
def boxwood(context: click.Context) -> None:
    """Fit, print, evaluate, draw and export decision trees.

    Data files may be CSV, Excel, Parquet and others.

    \b
    boxwood fit data.csv --target y -o model.box
    boxwood show model.box
    boxwood evaluate model.box test.csv
    boxwood predict model.box new.csv -o predicted.csv
    boxwood explain model.box new.csv --row 1
    boxwood plot model.box -o tree.svg
    boxwood rules model.box
    boxwood compare data.csv --target y --models cart,cart/1se
    boxwood export model.box --format sql -o model.sql
    """
    if context.invoked_subcommand is None:
        click.echo(where_to_begin())


@boxwood.command(
    cls=FitCommand,
    short_help="Fit a tree, or a MARS model, to a file.",
    examples=(
        "boxwood fit titanic.csv --target survived -o titanic.box",
        "boxwood fit titanic.csv --target survived --algorithm chaid --max-depth 2 -o chaid.box",
    ),
)
@click.argument("data", type=FILE, nargs=-1, required=True)
@click.option("--target", required=True, metavar="COLUMN", help="The column to predict; a,b: several at once (CART).")
@click.option(
    "-o", "--output", type=FILE, metavar="FILE", help="The model file. Default: the name of the data file with .box."
)
@FORCE
@click.option(
    "--task",
    type=click.Choice(["auto", "classification", "regression"]),
    default="auto",
    show_default=True,
    help="auto: text, true/false and up to 10 different integers are classes; other numbers are regression targets.",
)
@click.option("--algorithm", default="cart", show_default=True, metavar="NAME", help="Algorithm, by name.")
@click.option("--sample-weight", metavar="COLUMN", help="Column of sample weights.")
@click.option("--exposure", metavar="COLUMN", help="Column of exposures, for counts (--criterion poisson).")
@click.option("--drop", multiple=True, metavar="A,B", help="Columns to ignore.")
@click.option(
    "--categorical-features", "categorical", multiple=True, metavar="A,B", help="Numeric columns to treat as nominal."
)
@click.option(
    "--evaluate", "evaluate", default="cv", show_default=True, metavar="cv|none|FILE",
    help="cv: repeat the whole fit without each of 10 folds and predict its rows; none; or a file with the target.",
)  # fmt: skip
@click.option("--memory", metavar="SIZE", help="Read DATA in parts within this memory limit, such as 2GB.")
@click.option(
    "--engine", metavar="ADDRESS", help="Fit on a cluster: dask://host:port, ray://host:port or ray (Parquet or CSV)."
)
@learns_tables
@common
def fit(data, target, algorithm, output, force, **options) -> None:
    """Fit a tree (or, with --algorithm mars, a MARS model) to DATA and write a model file.

    DATA is a text file (CSV in any encoding, JSON lines), a Parquet, Arrow or ORC file, or a workbook; it may be
    compressed. An address (file://, s3://, gs://, https://) and - for standard input are also accepted.

    With --memory, and for several files, a folder or a pattern such as 'sales/*.csv', DATA is read in parts and need
    not fit into memory, except for mars, c45-rules and tree. A folder may be one that `boxwood encode` wrote.
    """
    from ..algorithms.named import algorithm_named
    from ..data.files.data_paths import names_many
    from ..evaluation.data_check.check import important_findings, target_of
    from .fit_evaluation import check_evaluate, evaluation_of_fit
    from .inputs import FileRoles, about, read_learning_data, shown_name
    from .report import fit_facts, print_fit
    from .wording import classification_named, in_options

    learner = algorithm_named(algorithm)
    chosen, output = output, output or f"{'model' if data[0] == '-' else Path(data[0]).stem}.box"
    if output == "-":
        raise click.UsageError("-o must be a file: a model is not written to standard output")
    check_new_file(output, *data)
    check_no_earlier_file(output, force or chosen is not None)
    check_evaluate(options["evaluate"])
    if options["memory"] or options["engine"] or len(data) > 1 or names_many(data[0]):
        from .streamed import fit_parts

        fit_parts(data, target, learner, output, options)
        return
    data = data[0]
    drop, categorical = split_names(options["drop"]), split_names(options["categorical"])
    roles = FileRoles(target, options["sample_weight"], options["exposure"], tuple(drop), tuple(categorical))
    names = options_of(learner)
    with collected_notes() as notes, status(not options["quiet"]) as shown:
        shown.show(f"Reading {shown_name(data)} ...")
        learning = read_learning_data(data, roles, options["task"])
        rows, features = learning.columns.n, len(learning.columns.schema)
        shown.line(f"Read {shown_name(data)}: {rows:,} rows, {features} features.")
        shown.show(f"Growing and pruning the tree ({algorithm}) ...")
        with about(shown_name(data), names), classification_named():
            settings = read_settings(options, learner, learning.task) | learning.settings
            model = learner.fit(
                learning.columns, learning.y, task=learning.task, settings=settings, weight=learning.weight,
                exposure=learning.exposure, response_name=target,
            )  # fmt: skip
        model.save(output)
        if options["quiet"]:
            return
        shown.show("Evaluating ...")
        evaluation, why = evaluation_of_fit(options["evaluate"], model, learning, roles, settings)
    facts = fit_facts(shown_name(data), learning, model, roles) | {"evaluation": evaluation}
    name, first = next(iter(learning.y.items())) if model.responses else (target, learning.y)
    sentences = important_findings(learning.columns, target_of(first, learning.task, name)).sentences()
    facts["notes"] = [in_options(note, names) for note in dict.fromkeys([*facts["notes"], *why, *sentences, *notes])]
    following = f"boxwood predict {shlex.quote(output)} new.csv -o predicted.csv"
    if options["as_json"]:
        print_json({**facts, "written": output, "next": following})
        return
    print_fit(facts, model)
    click.echo(f"\nWrote {output} ({Path(output).stat().st_size / 1000:.1f} kB).\nNext: {following}")


@boxwood.command(
    cls=ExampleCommand,
    short_help="Print a model.",
    examples=(
        "boxwood show titanic.box",
        "boxwood show titanic.box --format rules",
    ),
    not_with={"--max-lines": "--json", "--format": "--json"},
)
@click.argument("model", type=FILE)
@click.option("--max-lines", type=click.IntRange(min=1), metavar="N", help="Maximum number of lines. Default: all.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["tree", "rules", "table"]),
    default="tree",
    show_default=True,
    help="The tree as text, one rule for each leaf, or one row for each node.",
)
@common
def show(model, max_lines, form, **options) -> None:
    """Print the tree in a MODEL file. With --json, print every property of every node.

    For a MARS model, print its terms; for rules of C4.5, the rules.
    """
    from ..views.table import to_records

    loaded = load_model(model) if form == "tree" else load_tree(model)
    if options["quiet"]:
        return
    if options["as_json"]:
        print_json({"model_file": model, **loaded.details()})
    elif form == "table":
        _print_nodes(to_records(loaded.tree), max_lines)
    else:
        with working(f"Writing the {loaded.part} ..."):
            rules = form == "rules"
            found = loaded.tree.rules() if rules else loaded
            text = found.to_text(max_lines, hint=SHOWS_ALL)
        click.echo(tree_words(text))


def _print_nodes(records: dict[str, list], max_lines: int | None) -> None:
    """A row for each node; what does not fit a line is in the JSON."""
    from ..views.figures import few

    values = [name for name in records if name == "value" or name.startswith("value_")]
    names = ["node", "parent", "depth", "condition", "rows", *values, "impurity"]
    columns = [records[name] for name in names]
    columns[-1] = [few(impurity) for impurity in columns[-1]]
    rows = [["" if cell is None else cell for cell in row] for row in zip(*columns, strict=True)]
    print_table(names, rows[:max_lines], numbers={0, 1, 2, 4, len(names) - 1})
    if max_lines is not None and len(rows) > max_lines:
        click.echo(f"... {len(rows) - max_lines} more nodes; {SHOWS_ALL}")


_OTHERS = (evaluate, explain, explain_split, compare, prune, grow_below, export, rules, importance, counterfactual)
_MORE = (bins, certificate, check, diff, dossier, edit, explore, letter, plot, encode, predict, refresh, verify)
_OF_SEVERAL = (response,)
for command in (*_OTHERS, *_MORE, *_OF_SEVERAL):
    boxwood.add_command(command)
