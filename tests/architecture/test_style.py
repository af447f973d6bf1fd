"""Plain technical English in pages, docstrings, messages and help texts: turns of phrase that stay out."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: Things: they have properties, hold values and require arguments.
_THINGS = (
    "policy|system|file|option|rule|name|schema|column|ending|kernel|statistic|measure|algorithm|estimator|tree|model|"
    "fit|node|leaf|split|pruner|criterion|search|engine|program|caller|response|feature"
)
#: Kinds of things that something is not: "is not a feature", never "is no feature".
_KINDS = "option|feature|level|number|class|column|file|tree|text|code|date|format|name|cut"

#: A rule -> what to write instead, and a sentence that breaks it.
RULES = {
    rf"\b(?:{_THINGS})s? (?:asks?|tells?|knows?|wants?|speaks?)\b": (
        "tests, reports, holds, requires", "rows as the pruner wants them",
    ),
    r"\b(?:policy|kernel|schema|tree|leaf|fit|system|ending) says?\b": (
        "is, gives, predicts", "where the policy says so",
    ),
    r"\b(?:speaks?|spoken) (?:of|with|against|for)\b": ("describes, takes, contradicts", "the node it speaks with"),
    r"\bwants? (?:them|it|to know)\b": ("requires", "as the measure wants them"),
    r"\bon (?:its|their) way\b|\bon the way (?:down|up|into)\b": ("while, as", "what rows met on their way"),
    r"\band the like\b|\bor the like\b": ("and similar", "screen readers and the like"),
    r"\b[Ww]hat becomes of\b": ("how they are treated", "a note tells what becomes of them"),
    rf"(?<![Tt]here )\b(?:is|are) no (?:(?:whole|finite|model|plain) )?(?:{_KINDS})s?\b": (
        "is not a feature", "it names 'size', which is no feature",
    ),
    r"\band \S+ is none[;,.]": ("but it is not one", "encoding= is for text files, and data.box is none; leave it out"),
    r"\b(?:trees?|tables?|rules?|reasons|answers|changes?) in words\b": ("as text", "prints the tree in words"),
    r"\bsent on by\b|\bshared out over\b": ("routed by, divided among", "rows sent on by a surrogate"),
    r"\bpulled (?:down|up) by\b": ("lowered by, raised by", "a probability pulled down by two features"),
    r"\bby heart\b": ("overfit, memorise", "a tree learns such a column by heart"),
    r"\bgo(?:es)? to one branch\b": ("follow the same branch", "rare levels go to one branch together"),
    r"\b(?:is|are) passed over\b": ("is ignored, is skipped", "columns that name rows are passed over"),
    r"\b[Ll]earns? (?:a tree|trees) from\b": ("fits a tree to", "boxwood learns trees from tables"),
    r"\b(?:CART|C4\.5|CHAID|ID3|CLS|MARS)'s answer\b": ("in CART", "the column of CART's answer"),
    r"\bas people (?:say|write|give)\b": ("as users write, as text", "a limit as people write it"),
    r"\bare at home\b|\bis at home\b": ("need no preparation", "missing values are at home"),
    r"\brefused by a sentence\b": ("raises an error that says what to do", "it is refused by a sentence"),
    r"\bshare of variance explained\b": ("R²", "the share of variance explained"),
    r"\bloss per unit of weight\b": ("error", "the loss per unit of weight"),
    r"\bpercent of rows asked\b": ("% of cases, ranked by score", "percent of rows asked"),
}  # fmt: skip


def strings(file: Path) -> list[tuple[int, str]]:
    """The docstrings, messages and help texts of a module, without the code of examples."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            words = re.sub(r"(?m)^\s*(?:>>>|\.\.\.).*$", "", node.value)
            found.append((node.lineno, " ".join(words.split())))
    return found


def prose(file: Path) -> list[tuple[int, str]]:
    """The lines of a page outside blocks of code, without code in them."""
    found, inside = [], False
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            found.append((number, re.sub(r"`[^`]*`", "", line)))
    return found


@cache
def texts() -> list[tuple[str, int, str]]:
    """Everything that users read, with its place."""
    modules = (ROOT / "src" / "boxwood").rglob("*.py")
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    found = [(file, *text) for file in modules for text in strings(file)]
    found += [(file, *text) for file in pages if file.name != "CHANGELOG.md" for text in prose(file)]
    return [(file.relative_to(ROOT).as_posix(), number, text) for file, number, text in found]


@pytest.mark.parametrize("rule", RULES)
def test_the_phrase_stays_out(rule):
    better, example = RULES[rule]
    assert re.search(rule, example)
    found = [f"{place}:{number}: ...{m[0]}..." for place, number, text in texts() for m in re.finditer(rule, text)]
    assert not found, f"write: {better}; {len(found)} places:\n" + "\n".join(found[:40])


def test_there_is_much_to_read():
    assert len(texts()) > 5_000
