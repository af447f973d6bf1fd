"""The arithmetic behind a split, step by step: counts, shares, logarithms and sums, in any notation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..statistics.class_measures import of_shares
from .notation import Notation, Sheet
from .words import amount, level, p_value, plain

#: Terms of a sum that are written out; of a longer one the beginning is shown.
MOST_TERMS = 12


def sheet(candidate, sections: tuple[str, ...], notation: Notation, digits: int, verdict: str) -> Sheet:
    """The arithmetic of one candidate.

    Parameters
    ----------
    candidate : Candidate
        With its parts.
    sections : tuple of str
        "entropy", "gini", "error", "chi_squared", "variance", "f", "deviance".
    notation : Notation
    digits : int
    verdict : str
        The last sentence.
    """
    filled = [b for b in candidate.branches if b.rows > 0]
    title = plain(candidate.feature)
    if filled:
        title += ": " + " | ".join(b.words for b in filled)
    page = _SplitPage(candidate, filled, notation, digits)
    equations = [line for section in sections for line in _section(section)(page)] if filled else []
    return Sheet(title, *_table(candidate), tuple(equations), verdict, _notes(candidate))


def _table(candidate) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Header and rows of the table of the parts."""
    response = candidate.partition.response
    head = tuple(map(level, response.labels)) or response.moment_names
    parts = [*candidate.branches, *([candidate.unknown] if candidate.unknown.rows else [])]
    rows = [(b.words, *(amount(float(m)) for m in b.moments[: len(head)])) for b in parts]
    return ("", *head), tuple(rows)


def _notes(candidate) -> tuple[str, ...]:
    """What a reader must know to check the numbers."""
    notes = []
    response = candidate.partition.response
    if candidate.unknown.rows:
        known = f"{amount(100 * candidate.numbers['known'])} %"
        notes.append(f"{candidate.unknown.words}: left out of the sums; {known} of the weight is known")
    if any(f != 1.0 for f in response.search_factors):
        notes.append("weights of classes are multiplied by their priors and costs in all shares")
    return tuple(notes)


@dataclass(frozen=True, eq=False)
class _SplitPage:
    """What the sections need: the parts that hold rows, how to write, how to round."""

    candidate: object
    filled: list
    notation: Notation
    digits: int

    @property
    def mass(self) -> np.ndarray:
        """Weights of the parts that hold rows, shape (B, K), or their moments."""
        partition = self.candidate.partition
        cells = partition.response.masses(partition.parts)
        return cells[[b.rows > 0 for b in self.candidate.branches]]

    @property
    def names(self) -> list[str]:
        """The parts, safe in the notation."""
        return [self.notation.name(b.words) for b in self.filled]

    @property
    def feature(self) -> str:
        """The feature, safe in the notation."""
        return self.notation.name(plain(self.candidate.feature))

    def of(self, name: str) -> float:
        """A number of the candidate."""
        return self.candidate.numbers[name]

    def shown(self, value: float) -> str:
        """A result, rounded."""
        return self.notation.figure(value, self.digits)

    def sum(self, terms: list[str], sign: str | None = None) -> str:
        """Terms with signs between them; the end of a long sum is left out."""
        shown = terms if len(terms) <= MOST_TERMS else [*terms[: MOST_TERMS - 1], "…"]
        return (self.notation.plus if sign is None else sign).join(shown)

    def weighted(self, weights: np.ndarray, values: list[float]) -> str:
        """The mean of the parts' values by weight."""
        whole = amount(float(weights.sum()))
        write = self.notation
        terms = [
            f"{write.fraction(amount(float(w)), whole)}{write.times}{self.shown(v)}"
            for w, v in zip(weights, values, strict=True)
        ]
        return self.sum(terms)

    def lowered(self, name: str, before: float, after: float, result: float) -> tuple[str, ...]:
        """What the split takes away: the difference, times the share of weight that is known."""
        difference = f"{self.shown(before)}{self.notation.minus}{self.shown(after)}"
        if self.candidate.unknown.rows:
            difference = f"{self.shown(self.of('known'))}{self.notation.times}({difference})"
        return (self.notation.symbol(name), difference, self.shown(result))


def _bits(page: _SplitPage, counts: np.ndarray) -> str:
    """The sum -p log2 p written out."""
    whole, write = amount(float(counts.sum())), page.notation
    terms = [amount(float(c)) for c in counts if c > 0]
    body = [f"{write.fraction(c, whole)} {write.log2(c, whole)}" for c in terms]
    return "-" + page.sum(body, write.minus)


def _squares(page: _SplitPage, counts: np.ndarray) -> str:
    """1 less the sum of squared shares."""
    whole, write = amount(float(counts.sum())), page.notation
    body = [write.square(write.fraction(amount(float(c)), whole)) for c in counts if c > 0]
    return f"1{write.minus}" + page.sum(body, write.minus)


def _wrong(page: _SplitPage, counts: np.ndarray) -> str:
    """1 less the share of the most common class."""
    return f"1{page.notation.minus}" + page.notation.fraction(amount(float(counts.max())), amount(float(counts.sum())))


def _of_parts(page: _SplitPage, symbol: str, written, values: list[float], results: tuple[float, float]):
    """A measure of the node, of each part, and of the parts together."""
    write, mass = page.notation, page.mass
    before, after = results
    yield (write.call(symbol, "D"), written(page, mass.sum(axis=0)), page.shown(before))
    for name, counts, value in zip(page.names, mass, values, strict=True):
        yield (write.call(symbol, name), written(page, counts), page.shown(value))
    yield (write.call(symbol, "D", page.feature), page.weighted(mass.sum(axis=1), values), page.shown(after))


def _entropy(page: _SplitPage):
    shares = page.mass / page.mass.sum(axis=1, keepdims=True)
    values = [-float(sum(p * np.log2(p) for p in row if p > 0)) for row in shares]
    before, after, write = page.of("entropy"), page.of("conditional_entropy"), page.notation
    yield from _of_parts(page, "H", _bits, values, (before, after))
    yield page.lowered("gain", before, after, page.of("gain"))
    gain = page.of("gain")
    if page.candidate.numbers.get("charge", 0.0) > 0:
        gain -= page.of("charge")
        difference = f"{page.shown(page.of('gain'))}{write.minus}{page.shown(page.of('charge'))}"
        yield (write.symbol("gain less charge"), difference, page.shown(gain))
    partition = page.candidate.partition
    groups = page.mass.sum(axis=1)
    if partition.counts_unknown and page.candidate.unknown.rows:
        groups = np.append(groups, partition.unknown_mass.sum())
    yield (write.call("IV", page.feature), _bits(page, groups), page.shown(page.of("intrinsic_value")))
    if page.of("intrinsic_value") > 0:
        ratio = write.fraction(page.shown(gain), page.shown(page.of("intrinsic_value")))
        yield (write.symbol("gain ratio"), ratio, page.shown(gain / page.of("intrinsic_value")))


def _gini(page: _SplitPage):
    shares = page.mass / page.mass.sum(axis=1, keepdims=True)
    values = [1.0 - float((row * row).sum()) for row in shares]
    before, after = page.of("gini"), page.of("gini_index")
    yield from _of_parts(page, "Gini", _squares, values, (before, after))
    yield page.lowered("decrease", before, after, page.of("gini_decrease"))


def _error(page: _SplitPage):
    values = [1.0 - float(row.max() / row.sum()) for row in page.mass]
    before, after = page.of("error"), page.of("error_after")
    yield from _of_parts(page, "error", _wrong, values, (before, after))
    yield page.lowered("decrease", before, after, page.of("known") * (before - after))


def _of_shares(measure: str, page: _SplitPage):
    """A measure with a parameter."""
    written, mass = of_shares(measure), page.mass
    weight = mass.sum(axis=1)
    values = written(mass / weight[:, None]).tolist()
    before = float(written(mass.sum(axis=0) / weight.sum()))
    after = float(weight @ values) / float(weight.sum())
    write = page.notation
    yield (write.call(measure, "D"), page.shown(before))
    for name, value in zip(page.names, values, strict=True):
        yield (write.call(measure, name), page.shown(value))
    yield (write.call(measure, "D", page.feature), page.weighted(weight, values), page.shown(after))
    yield page.lowered("decrease", before, after, page.of("known") * max(before - after, 0.0))


def _chi_squared(page: _SplitPage):
    write = page.notation
    counts = page.candidate.partition.parts
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    terms = [
        write.fraction(write.square(f"{amount(n)}{write.minus}{page.shown(m)}"), page.shown(m))
        for n, m in zip(counts.ravel().tolist(), expected.ravel().tolist(), strict=True)
    ]
    yield (write.symbol("chi_squared"), page.sum(terms), page.shown(page.of("chi_squared")))
    r, c = counts.shape
    yield (write.symbol("df"), f"({r}{write.minus}1)({c}{write.minus}1)", page.shown(page.of("df")))
    yield from _p(page)


def _p(page: _SplitPage):
    """p of a test, and CHAID's adjusted p; both also where floats cannot hold them."""
    write = page.notation
    log_p = page.of("log_p")
    shown = page.shown(page.of("p")) if log_p > -9.0 else write.power(p_value(log_p))
    yield (write.symbol("p"), shown)
    if "multiplier" in page.candidate.numbers:
        times = page.of("multiplier")
        adjusted = min(log_p + math.log(times), 0.0) if times > 0 else log_p
        result = page.shown(page.of("adjusted_p")) if adjusted > -9.0 else write.power(p_value(adjusted))
        yield (write.symbol("adjusted p"), f"{write.power(amount(times))}{write.times}{shown}", result)


def _variance(page: _SplitPage):
    write, parts = page.notation, page.mass
    weights, values = parts[:, 0], (parts[:, 2] / parts[:, 0]).tolist()
    before, after = page.of("variance"), page.of("variance_after")
    whole = float(weights.sum())
    yield (write.call("Var", "D"), write.fraction(page.shown(before * whole), amount(whole)), page.shown(before))
    for name, part, value in zip(page.names, parts, values, strict=True):
        ratio = write.fraction(page.shown(float(part[2])), amount(float(part[0])))
        yield (write.call("Var", name), ratio, page.shown(value))
    yield (write.call("Var", "D", page.feature), page.weighted(weights, values), page.shown(after))
    yield page.lowered("decrease", before, after, page.of("variance_decrease"))


def _f(page: _SplitPage):
    write, parts = page.notation, page.mass
    whole, within = float(parts[:, 0].sum()), float(parts[:, 2].sum())
    between = page.of("variance") * whole - within
    quotient = f"({page.shown(between)} / {page.shown(page.of('df'))}) / "
    quotient += f"({page.shown(within)} / {page.shown(page.of('df_within'))})"
    yield (write.symbol("F"), quotient, page.shown(page.of("f")))
    yield from _p(page)


def _deviance(page: _SplitPage):
    write = page.notation
    yield (write.call("deviance", "D"), page.shown(page.of("deviance")))
    yield (write.call("deviance", "D", page.feature), page.shown(page.of("deviance_after")))
    yield page.lowered("decrease", page.of("deviance"), page.of("deviance_after"), page.of("deviance_decrease"))


_SECTIONS = {
    "entropy": _entropy,
    "gini": _gini,
    "error": _error,
    "chi_squared": _chi_squared,
    "variance": _variance,
    "f": _f,
    "deviance": _deviance,
}


def _section(name: str):
    """The lines of a section."""
    return _SECTIONS.get(name) or partial(_of_shares, name)
