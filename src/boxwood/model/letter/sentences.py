"""The sentences of letters in one language, from data files that anybody can write."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from string import Formatter
from typing import Any

from ..._messages import Setting, Value, must_be, remedy, shortened
from ..._spelling import did_you_mean
from ...errors import FileError, ParameterError, ParameterTypeError, check_one_of

#: Languages that are here.
LANGUAGES = ("en", "de", "ja", "zh")
#: What a file may hold beside sentences: other words for features and for answers.
_WORDS = ("names", "answers")


@dataclass(frozen=True, eq=False)
class LetterSentences:
    """LetterSentences by name, with places in braces, and words for the features and answers of a model.

    Attributes
    ----------
    texts : dict of str to str
    names, answers : dict of str to str
        Other words for features and for answers; those of the model where there are none.
    """

    texts: Mapping[str, str]
    names: Mapping[str, str]
    answers: Mapping[str, str]

    def __call__(self, which: str, **places: Any) -> str:
        """A sentence with its places filled."""
        return self.texts[which].format_map(places)

    def number(self, text: str) -> str:
        """A number as this language writes it; the text has commas between thousands and a decimal point."""
        return text.translate({ord(","): self.texts["thousands"], ord("."): self.texts["decimal"]})

    def name(self, feature: str) -> str:
        """What a feature is called."""
        return self.names.get(feature, feature)

    def answer(self, text: str) -> str:
        """What an answer is called."""
        return self.answers.get(text, text)

    def joined(self, parts: Sequence[str], last: str) -> str:
        """Several words as a list; the last two are joined by "and" or "or"."""
        *before, end = parts
        found = ""
        for part in before:
            found = self("comma", first=found, second=part) if found else part
        return self(last, first=found, second=end) if before else end


def sentences_of(language: str = "en", given: str | os.PathLike | Mapping | None = None) -> LetterSentences:
    """The sentences of a language, with those in their place that are given.

    Parameters
    ----------
    language : {"en", "de", "ja", "zh"}
    given : path or dict, optional
        A JSON file, or what it would hold.

    Raises
    ------
    FileError
        The file cannot be read or is no JSON object.
    ParameterError, ParameterTypeError
        There is no such language or sentence, or a sentence has a place that is not there; the message names it.
    """
    check_one_of("language", language, LANGUAGES)
    texts, words = dict(_stored(language)), {}
    for name, text in {} if given is None else _read(given).items():
        if name in _WORDS:
            words[name] = _table(name, text)
        else:
            texts[name] = _checked(name, text)
    return LetterSentences(texts, *(words.get(name, {}) for name in _WORDS))


@lru_cache
def _stored(language: str) -> dict[str, str]:
    return json.loads((resources.files(__package__) / "languages" / f"{language}.json").read_text(encoding="utf-8"))


def _read(given: str | os.PathLike | Mapping) -> Mapping:
    if isinstance(given, Mapping):
        return given
    if not isinstance(given, (str, os.PathLike)):
        raise ParameterTypeError(must_be("sentences", "a JSON file or a dictionary", given))
    try:
        with open(given, encoding="utf-8-sig") as file:
            found = json.load(file)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise FileError(f"cannot read the sentences in {os.fspath(given)!r}: {reason}.") from error
    if not isinstance(found, dict):
        raise FileError(f"the sentences in {os.fspath(given)!r} are no JSON object of names and texts.")
    return found


def _checked(name: Any, text: Any) -> str:
    """A sentence that is given, once its name and its places are known."""
    known = _stored(LANGUAGES[0])
    if name not in known:
        raise ParameterError(
            Setting("sentences"), " holds ", Value(name, shortened(name)), ", which is no sentence of a letter",
            did_you_mean(str(name), known),
        )  # fmt: skip
    if not isinstance(text, str):
        raise ParameterTypeError(must_be("sentences", "a text", text, key=name))
    allowed = _places(known[name])
    try:
        extra = _places(text) - allowed
    except ValueError as error:
        raise ParameterError(Setting("sentences", key=name), f" has a brace without its other: {error}.") from error
    if extra:
        raise ParameterError(
            Setting("sentences", key=name), " has the place ", Value(min(extra)), "; ",
            remedy(f"use {', '.join(f'{{{place}}}' for place in sorted(allowed)) or 'none'}"), ".",
        )  # fmt: skip
    return text


def _places(text: str) -> set[str]:
    """What is to be filled in, as written: also what looks into an object, or has a format."""
    return {
        f"{place}{f'!{conversion}' if conversion else ''}{f':{form}' if form else ''}"
        for _, place, form, conversion in Formatter().parse(text)
        if place is not None
    }


def _table(name: str, words: Any) -> dict[str, str]:
    if not isinstance(words, Mapping) or not all(isinstance(part, str) for pair in words.items() for part in pair):
        raise ParameterTypeError(must_be("sentences", "a table of texts", words, key=name))
    return dict(words)
