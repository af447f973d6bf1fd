"""One word, one meaning: words that were replaced stay out of names, comments, messages and pages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: Regular expression of a word that left -> the word that came.
REPLACED = {
    r"stand-ins?": "surrogate",
    r"NodeFacts|node_facts": "NodeStats",
    r"gauges?": "upper bound",
    r"aspects?": "missing direction",
    r"outlooks?": "candidate bins",
    r"collectors?": "gather rows",
    r"sift(?:er|ing|ed)|sieves?": "opened bins",
    r"parting|parted": "partition",
    r"voters?": "branch counts",
    r"owes": "deferred",
    r"hand(?:s|ed)? down": "assign",
    r"peel(?:er|ed|ing)?": "(gone)",
    r"quests?": "(gone)",
    r"each_way": "(gone)",
    r"crowns?": "top levels",
    r"strangers?": "unseen values",
    r"fringes?": "bin extremes",
    r"doors?": "bindings, public functions",
    r"crews?": "pool",
    r"dialogues?": "split protocol",
    r"in_one_step|made_once": "fast record, cached",
    r"OnDemand|Untouched|Forgotten": "lazy arrays, zero-copy columns",
    r"sureness": "confidence",
    r"wishes": "constraints",
    r"doubts": "kind warnings",
    r"contests?": "comparison",
    r"landings?|land(?:s|ed)?(?:_in_parts)?": "routing",
    r"least_risk": "min_risk",
    r"set_aside|SetAside|SetsAside": "held out, resampling",
    r"telling": "explanation",
    r"(?:tree|node|model|surrogate|leaf|leaves) (?:says?|asks?|tells)": "predicts, tests",
    r"class(?:es)? said|in force": "predicted class, selected",
    r"judg(?:e|es|ed|ing)": "evaluate, NodeStats",
    r"quantit(?:y|ies)": "target, MeanResponse",
    r"told": "given, reported, distinguished",
    r"glances?|look(?:s|ed)? (?:around|for the class)|the class looked for": "scan, explore, target class",
    r"stretch(?:es)?": "range",
    r"settle[sd]?": "NodeStats, determine",
    r"give_back|hand_down": "recycle, assign",
    r"(?:same )?world that nobody learned": "held-out rows from the same generator",
    r"stood? in for|what it says|where they are wanted": "replace, prediction, if requested",
    r"(?:the|a|its|their|each) way (?:to|down to|from) (?:the|a|each) (?:root|node|leaf)|ends? of a way": "path, leaf",
    r"end by end|best end on": "node by node, cumulative",
}
#: The same of words that other folders still use; upper and lower case alike.
REPLACED_IN_CLEANED = {
    r"said|says|saying|(?:def|to|must|\.) ?say": "predicted, value, message, states, means",
    r"asked|asks|asking|_ask|class ask|def ask|(?:to|must) ask": "tested, requested, given, Question",
    r"stood|what stands|(?:where|which) (?:\w+ ){0,4}stands|where (?:\w+ )?stand": "is, are",
    r"stands? (?:here|there|in|on|at|beside|below|above|behind|before)": "is, precedes",
    r"met_\w+|_met|(?:is|are|was|were|be|first|not) met|rows? me(?:e?)t(?: each)?": "reached, seen, flags",
    r"gone": "removed, missing, lost",
    r"by_heart|passed[_ ]over|def naming|naming\(": "identifier columns",
    r"tam(?:ed?|ing\w*)|strays?|speakers?|speaks?|slop|spares?": "bounded, unseen, writer, tolerance, buffer",
    r"fine (?:half|part)|\.fine": "low part",
    r"_ways?|ways?_\w+|\.ways?|ways? (?:==?|<-|:)": "path, route, partition",
    r"(?:general|own|best|this|that|which|other|each|every) way": "direction, method, branch",
    r"tells? [\w ,-]{0,30}apart": "separates, identifies",
    r"(?:tree|node|model|split|surrogate|survey|fold|recipe|one|numpy[\w .]*) knows": "has, holds",
}
CLEANED = ("src",)
#: Words inside which a replaced one is meant otherwise: a data set's columns, a key of the model file.
MEANT = re.compile(
    r"titanic_crew|crew_of_the_titanic|set_aspect|large quantities of categorical|judged_by"
    r"|outlook[\"' ,:=]|crew[\"' ,]|is asked \"|asked about|asks one question|must stand in double quotes"
)

FOLDERS = ("kernel", "src", "tests", "docs", "benchmarks", "tools")
ENDINGS = {".py", ".hpp", ".cpp", ".md", ".toml", ".txt", ".js", ".html"}
#: Files that quote: this one, and the history.
QUOTING = {"tests/architecture/test_words.py", "CHANGELOG.md"}


@cache
def texts() -> dict[str, str]:
    """Every text of the project by its path, without the data sets and the outputs of other programs."""
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*")] + list(ROOT.glob("*.md"))
    found = {}
    for file in files:
        path = file.relative_to(ROOT).as_posix()
        if file.suffix in ENDINGS and file.is_file() and path not in QUOTING and "/datasets/" not in path:
            found[path] = file.read_text(encoding="utf-8")
    return found


def places(word: str, folders: tuple[str, ...] = ("",), flags: int = 0) -> list[str]:
    """Where a word occurs: in names of files, and in lines."""
    pattern = re.compile(rf"(?<![A-Za-z])(?:{word})(?![A-Za-z])", flags)
    found = []
    for path, text in texts().items():
        if not path.startswith(folders):
            continue
        if pattern.search(path):
            found.append(f"{path}: the name of the file")
        lines = text.splitlines() if pattern.search(text) else []
        for number, line in enumerate(lines, 1):
            if pattern.search(MEANT.sub("", line)):
                found.append(f"{path}:{number}: {line.strip()[:100]}")
    return found


@pytest.mark.parametrize("word", REPLACED)
def test_replaced_words_stay_out(word):
    found = places(word)
    assert not found, f"say {REPLACED[word]}; {len(found)} places:\n" + "\n".join(found[:20])


@pytest.mark.parametrize("word", REPLACED_IN_CLEANED)
def test_replaced_words_stay_out_of_the_folders_that_are_clean(word):
    found = places(word, CLEANED, re.IGNORECASE)
    assert not found, f"say {REPLACED_IN_CLEANED[word]}; {len(found)} places:\n" + "\n".join(found[:20])
