"""Runs every comparison with another program and writes the page docs/conformance.md: ``make conformance``.

A fit counts as equal when all tests that name it passed, and it is in no list of fits that differ for a known reason.
The reasons are those of the test modules, whose tests check them as far as they can be checked.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from golden import test_c45, test_chaid, test_earth, test_earth_random, test_rpart, test_scikit_learn
from golden.c45_oracles import C45
from golden.c45_oracles import fits as c45_fits
from golden.chaid_oracles import CHAID, data_set, names
from golden.oracles import PACKED

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"
#: The part of the page that is written: between these two lines.
BEGIN, END = "<!-- conformance: written by make conformance -->", "<!-- end of conformance -->"

#: A fit: data set, and what the oracle calls it.
Fit = tuple[str, ...]

TIE = "two splits are equally good, and rounding errors decide in the other program"
DRAWN = "two splits are equally good; scikit-learn selects one at random, boxwood the first"
SINGLE = "the 32-bit numbers of release 8 break a tie, or round a weight of 2 to a value below 2"
UNTESTED = "the reference keeps a split that is no longer significant once its small branches are merged"
CODED = "earth encodes an ordered factor as orthogonal polynomials, boxwood as a single column"


@dataclass(frozen=True)
class Program:
    """A program, its fits, and why some of ours differ."""

    name: str
    ours: str
    equal: str
    module: object
    tests: tuple[str, ...]
    packed: Path
    fits: Callable[[], list[Fit]]
    reason: Callable[[Fit], str | None] = lambda fit: None
    #: The fit that a test's parameters are about; None = the test is about every fit of the data set in ``name``.
    fit_of: Callable[[dict], Fit] | None = lambda given: (given["name"], given["fit_id"])
    #: What the word "equal" leaves out.
    note: Callable[[], str | None] = lambda: None


def _rpart_note() -> str:
    listed = sum(not test_rpart.is_robust(*fit, "all_splits") for fit in test_rpart.SAME_TREE)
    folds = len(test_rpart.TIED_FOLD)
    return (
        f"Among the equal fits, ties change the order of competitors or surrogates in {listed} "
        f"and the tree of a fold in {folds}"
    )


def _earth_note() -> str:
    n = len(test_earth.EXACT)
    return f"For {n} of the equal fits all of this is compared; for the others, terms, knots and RSS"


def _rpart_reason(fit: Fit) -> str | None:
    return None if test_rpart.is_robust(*fit) else TIE


def _sklearn_reason(fit: Fit) -> str | None:
    return None if fit in test_scikit_learn.EQUAL else DRAWN


def _release_8_fits() -> list[Fit]:
    return [(*fit, tree) for fit in c45_fits("c45") for tree in ("unpruned", "pruned")]


def _release_8_reason(fit: Fit) -> str | None:
    robust = test_c45.fit_of(fit[0], "c45", fit[1])["robust"].get(fit[2], True)
    return SINGLE if fit[:2] in test_c45.TIED or not robust else None


@cache
def _earth_reason(fit: Fit) -> str | None:
    """None for the fits of the tests, and for others with the same terms and RSS."""
    if fit in test_earth.EXACT:
        return None
    model, result = test_earth.model_of(*fit)
    if test_earth.column_names(model) != result["dirs"]["predictors"]:
        return CODED
    rss = result["rss_per_subset"]
    same = test_earth.terms_are_equal(model, result) and len(rss) == len(model.subsets.rss)
    return None if same and np.allclose(model.subsets.rss, rss, rtol=1e-8) else TIE


def _chaid_fits() -> list[Fit]:
    return [(name, fit["id"]) for name in names() for fit in data_set(name)["fits"]]


def _chaid_reason(fit: Fit) -> str | None:
    found = next(f for f in data_set(fit[0])["fits"] if f["id"] == fit[1])
    alpha = found["options"]["alpha_split"]
    return UNTESTED if any(test_chaid.loses_significance(node, alpha) for node in found["nodes"]) else None


PROGRAMS = [
    Program(
        "rpart 4.1.19", '`CARTClassifier`, `CARTRegressor` with `compat="rpart"`',
        "splits, counts, competitors, surrogates, complexity table, importance and predictions, to nine digits",
        test_rpart, ("test_the_tree", "test_the_cp_table", "test_the_complexity_of_nodes", "test_the_splits",
                     "test_the_importance", "test_where_rows_go_and_what_they_are_reported"),
        PACKED, lambda: test_rpart.ALL, _rpart_reason, note=_rpart_note,
    ),
    Program(
        "scikit-learn 1.9.1", '`CARTClassifier`, `CARTRegressor` with `missing="learned"`, `pruning=None`',
        "splits, thresholds, missing directions, impurities, values, importances and the pruning path",
        test_scikit_learn, ("test_the_tree", "test_importances", "test_the_pruning_path"),
        PACKED, lambda: test_scikit_learn.ALL, _sklearn_reason,
    ),
    Program(
        "C4.5 release 8", '`C45Classifier` with `compat="c45"`',
        "splits, fractional weights and predicted distributions of the unpruned and the pruned tree",
        test_c45, ("test_release_8",), C45, _release_8_fits, _release_8_reason,
        lambda given: (given["name"], given["fit_id"], given["tree"]),
    ),
    Program(
        "Weka 3.9.7, J48", '`C45Classifier` with `compat="j48"`',
        "splits, weights and errors of the leaves, and predicted distributions, in ten settings",
        test_c45, ("test_j48",), C45, lambda: c45_fits("j48"),
    ),
    Program(
        "Weka 3.6.14, Id3", "`ID3Classifier`", "splits and classes of the leaves",
        test_c45, ("test_id3",), C45, lambda: c45_fits("id3"),
        lambda fit: TIE if fit in test_c45.TIED else None,
    ),
    Program(
        "CHAID and exhaustive CHAID", "`CHAIDClassifier`, `CHAIDRegressor`",
        "groups, statistics, degrees of freedom, p-values and multipliers of every feature at every node; the "
        "reference outputs are those of an independent implementation that agrees with R's chaidr 0.1.0",
        test_chaid, ("test_every_fit",), CHAID, _chaid_fits, _chaid_reason, fit_of=None,
    ),
    Program(
        "earth 5.3.2", '`MARSRegressor`, `MARSClassifier` with `compat="earth"`',
        "terms, knots, coefficients, RSS and GCV of every subset, the selected terms and the importance",
        test_earth, ("test_fit_is_that_of_earth", "test_importance_is_that_of_earth"),
        PACKED, lambda: test_earth.ALL, _earth_reason, note=_earth_note,
    ),
    Program(
        "earth 5.3.2, generated problems", '`MARSRegressor` with `compat="earth"`',
        "terms, knots, coefficients, RSS and GCV, with long queues, weights, penalties for new variables and several "
        "responses",
        test_earth_random, ("test_fit_is_that_of_earth",), PACKED / "others",
        lambda: [(name,) for name in test_earth_random.FITS], fit_of=lambda given: (given["name"],),
    ),
]  # fmt: skip


@dataclass
class Outcomes:
    """A plugin of pytest: which tests passed and failed, with their parameters."""

    run: list[tuple[str, str, dict, bool]] = field(default_factory=list)
    given: dict[str, tuple[str, str, dict]] = field(default_factory=dict)

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Remember the parameters of a test."""
        call = getattr(item, "callspec", None)
        function = getattr(item, "originalname", item.name)
        self.given[item.nodeid] = (item.path.stem, function, dict(call.params) if call else {})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a test ended."""
        if report.when == "call" or report.failed:
            self.run.append((*self.given[report.nodeid], report.passed))


def run_tests() -> Outcomes:
    """Run all comparisons."""
    outcomes = Outcomes()
    files = sorted({program.module.__file__ for program in PROGRAMS})
    pytest.main(["-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", *files], plugins=[outcomes])
    return outcomes


def failed(program: Program, outcomes: Outcomes) -> set[Fit]:
    """Fits of a program that were not compared, or whose comparison failed."""
    module = Path(program.module.__file__).stem
    seen, bad = set(), set()
    for stem, function, given, passed in outcomes.run:
        if stem != module or function not in program.tests:
            continue
        whole = program.fit_of is None
        fits = [fit for fit in program.fits() if fit[0] == given["name"]] if whole else [program.fit_of(given)]
        seen.update(fits)
        bad.update(() if passed else fits)
    if program.module is test_earth:  # its tests name the fits that are equal to the last digit of everything
        return bad | set(test_earth.EXACT) - seen
    return bad | {fit for fit in program.fits() if fit not in seen and program.reason(fit) is None}


def is_packed(program: Program, fit: Fit) -> bool:
    """Whether the repository holds the reference output of a fit."""
    return program.packed.name == "others" or (program.packed / f"{fit[0]}.json.gz").exists()


def table(outcomes: Outcomes) -> tuple[list[str], bool]:
    """The lines of the tables, and whether all comparisons passed."""
    heads = ("program", "boxwood", "fits", "data sets", "equal", "differ", "failed", "in the repository")
    lines = [f"| {' | '.join(heads)} |", "|" + " --- |" * len(heads)]
    reasons, agree = [], True
    for program in PROGRAMS:
        fits, bad = program.fits(), failed(program, outcomes)
        differing = Counter(program.reason(fit) for fit in fits if fit not in bad and program.reason(fit))
        agree &= not bad
        cells = [len(fits), len({fit[0] for fit in fits}), len(fits) - differing.total() - len(bad), differing.total()]
        cells += [len(bad), sum(is_packed(program, fit) for fit in fits)]
        lines.append(f"| {program.name} | {program.ours} | " + " | ".join(map(str, cells)) + " |")
        reasons.append(f"- **{program.name}**: {program.equal}.")
        reasons += [f"  - {note}." for note in [program.note()] if note]
        reasons += [f"  - {n} {'differs' if n == 1 else 'differ'}: {reason}." for reason, n in differing.items()]
    return [*lines, "", "What is compared, and why some fits differ:", "", *reasons], agree


def main() -> int:
    """Run, and write the page; 1 when a comparison failed."""
    lines, agree = table(run_tests())
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    PAGE.write_text(head + "\n".join([BEGIN, "", *lines, "", END]) + tail, encoding="utf-8")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
