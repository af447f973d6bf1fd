"""Letters to the people behind rows, each made when it is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..._messages import Setting, Value, must_be, remedy, shortened
from ...data.columns.columns import Columns
from ...errors import ParameterError, ParameterTypeError
from ...tree.descend import Routing, used_features
from ...tree.trace import SURROGATE, Trace, trace
from ...views.constraints import Constraints
from ...views.counterfactual import Counterfactual
from ...views.figures import percent
from ...views.row_reasons import moved_most
from ...views.target import target_of
from ...views.words import amount, level, plain
from ..applied_tree import AppliedTree
from .conditions import StepWords
from .sentences import LetterSentences


@dataclass(frozen=True)
class LetterOptions:
    """What letters tell.

    Attributes
    ----------
    can_change : sequence of str
        Features that the person can change.
    allowed : dict, optional
        Their allowed changes, as in :class:`boxwood.views.constraints.Constraints`.
    target : label, pair or None
        The answer that a change leads to; None = any other class.
    reasons : int
        Maximum number of reasons.
    """

    can_change: Sequence[str] = ()
    allowed: Mapping[str, Any] | None = None
    target: Any = None
    reasons: int = 4


@dataclass(frozen=True, eq=False)
class Letter:
    """A letter about one row.

    Attributes
    ----------
    row : int
        Position of the row, from 0.
    prediction : label or float
    probability : float or None
        Of the predicted class; None for numbers.
    data : dict of str to str
        The features that were looked at, and their values as text.
    steps : tuple of str
        The path in sentences.
    reasons : tuple of (str, str, float)
        Feature, value as text, and how much it moved the prediction: only in favour of a class that is predicted.
    change : Counterfactual or None
        The smallest change of what can be changed that leads to another answer.
    text : str
        The letter.
    """

    row: int
    prediction: Any
    probability: float | None
    data: Mapping[str, str]
    steps: tuple[str, ...]
    reasons: tuple[tuple[str, str, float], ...]
    change: Counterfactual | None
    text: str

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """The letter as plain values."""
        changes = None
        if self.change is not None:
            changed = [{"feature": c.feature, "old": c.old, "new": c.new} for c in self.change.changes]
            changes = {"changes": changed, "prediction": self.change.prediction}
        reasons = [{"feature": name, "value": value, "contribution": moved} for name, value, moved in self.reasons]
        return {
            "row": self.row, "prediction": self.prediction, "probability": self.probability, "data": dict(self.data),
            "steps": list(self.steps), "reasons": reasons, "change": changes, "letter": self.text,
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Letters:
    """Letters about rows: print them, index them by row, or loop over them; each is a :class:`Letter`.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> X = {"income": [20, 25, 60, 70], "debts": [1, 0, 0, 3]}
    >>> model = CARTClassifier(pruning=None).fit(X, ["refused", "refused", "granted", "granted"])
    >>> letters = model.letter({"income": [22, 90], "debts": [0, 1]}, can_change=["income"])
    >>> len(letters), letters[1].prediction, letters[0].change.changes[0].new
    (2, 'granted', 43)
    """

    used: AppliedTree
    columns: Columns
    sentence: LetterSentences
    options: LetterOptions

    def __len__(self) -> int:
        return self.columns.n

    def __iter__(self) -> Iterator[Letter]:
        return (self[row] for row in range(len(self)))

    def __str__(self) -> str:
        return ("\n" + "=" * 60 + "\n").join(map(str, self))

    def __repr__(self) -> str:
        return f"<{len(self)} letter{'s' * (len(self) != 1)}>"

    def __getitem__(self, at: int) -> Letter:
        row = range(len(self))[at]
        tree, first, last = self.used.tree, *np.searchsorted(self._trace.row, [row, row + 1])
        steps = [s for s in range(first, last) if not tree.is_leaf[self._trace.node[s]]]
        found = tuple(self._words.step(self._trace, s, self.columns) for s in steps)
        data = {self._words.name(j): self._words.value(self.columns, j, row) for j in self._features(steps)}
        label = tree.response.label(self._routing.value(tree)[row])
        sure = tree.response.as_probability(self._predicted[row])
        probability = None if sure is None else float(sure[tree.response.labels.index(label)])
        reasons, (change, words) = self._reasons(row), self._change(row)
        lines = [
            *self._head(label, probability), "", self.sentence("data"), *self._items(data), "",
            *self._path(row, found), "", *self._reason_lines(reasons), *words,
        ]  # fmt: skip
        return Letter(row, label, probability, data, found, reasons, change, "\n".join(lines))

    # What all rows share.

    @cached_property
    def _routing(self) -> Routing:
        return self.used.route(self.columns)

    @cached_property
    def _predicted(self) -> np.ndarray:
        return self._routing.columns(self.used.tree)

    @cached_property
    def _trace(self) -> Trace:
        return trace(self.used.tree, self.columns, self.used.unseen)

    @cached_property
    def _words(self) -> StepWords:
        return StepWords(self.used.tree, self.sentence)

    @cached_property
    def _moved(self) -> tuple[np.ndarray, np.ndarray]:
        """Features and their contributions, the strongest first."""
        tree = self.used.tree
        most = max(1, len(used_features(tree, has_missing=False)))
        return moved_most(tree, self.columns, self._routing, most, unseen=self.used.unseen)

    @cached_property
    def _constraints(self) -> Constraints:
        options, names = self.options, self.used.tree.schema.names
        fixed = [name for name in names if name not in options.can_change]
        return Constraints(fixed, options.allowed)

    # The parts of a letter.

    def _features(self, steps: list[int]) -> list[int]:
        """The features that some steps look at, in the order of the steps."""
        tree, found = self.used.tree, []
        for s in steps:
            t = int(self._trace.node[s])
            found.append(int(tree.splits.feature[t]))
            if self._trace.decided[s] == SURROGATE:
                at = int(tree.surrogate_start[t]) + int(self._trace.surrogate[s])
                found.append(int(tree.surrogates.feature[at]))
        return list(dict.fromkeys(found))

    def _answer(self, label: Any) -> str:
        """A prediction as text."""
        if self.used.tree.response.labels:
            return self.sentence.answer(level(label))
        return self.sentence.number(amount(label))

    def _head(self, label: Any, probability: float | None) -> list[str]:
        which = "estimate" if probability is None else "title"
        response = self.sentence.name(plain(self.used.tree.response.name))
        lines = [self.sentence(which, response=response, answer=self._answer(label))]
        if probability is None:
            return lines
        shown = self.sentence.number(percent(probability))
        return [*lines, self.sentence("probability", answer=self._answer(label), probability=shown)]

    def _items(self, data: Mapping[str, str]) -> list[str]:
        items = [self.sentence("item", name=name, value=value) for name, value in data.items()]
        return items or [self.sentence("none")]

    def _path(self, row: int, steps: Sequence[str]) -> list[str]:
        node = int(self._routing.node[row])
        listed = [self.sentence("step", number=i, condition=words) for i, words in enumerate(steps, 1)]
        rows = self.sentence.number(f"{int(self.used.tree.rows[node]):,}")
        whole = row not in self._divided
        group = [self.sentence("group", rows=rows)] if whole else []
        return [self.sentence("path"), *(listed or [self.sentence("no_step")]), *group]

    @cached_property
    def _divided(self) -> frozenset[int]:
        """Rows that end in several nodes."""
        return frozenset(self._routing.shared.tolist())

    def _reasons(self, row: int) -> tuple[tuple[str, str, float], ...]:
        features, moved = (each[row].tolist() for each in self._moved)
        has_classes = bool(self.used.tree.response.labels)
        kept = [
            (j, change) for j, change in zip(features, moved, strict=True) if (change > 0 if has_classes else change)
        ]
        return tuple(
            (self._words.name(j), self._words.value(self.columns, j, row), change)
            for j, change in kept[: self.options.reasons]
        )

    def _reason_lines(self, reasons: Sequence[tuple[str, str, float]]) -> list[str]:
        lines = [self.sentence("reasons")]
        for i, (name, value, change) in enumerate(reasons, 1):
            if self.used.tree.response.labels:
                lines.append(self.sentence("reason", number=i, name=name, value=value))
            else:
                which, size = "raises" if change > 0 else "lowers", self.sentence.number(amount(abs(change)))
                lines.append(self.sentence(which, number=i, name=name, value=value, change=size))
        return lines if reasons else [*lines, self.sentence("no_reason")]

    def _change(self, row: int) -> tuple[Counterfactual | None, list[str]]:
        """The smallest change, and the lines about it."""
        if not self.options.can_change:
            return None, []
        found = self.used.counterfactual(self.columns.take(np.array([row])), self.options.target, self._constraints)
        if found.already:
            return None, []
        head = ["", self.sentence("change")]
        if not len(found):
            names = [self.sentence.name(plain(name)) for name in self.options.can_change]
            return None, [*head, self.sentence("no_change", names=self.sentence.joined(names, "and"))]
        schema, parts = self.used.tree.schema, []
        for change in found[0].changes:
            feature = schema[schema.names.index(change.feature)]
            new = [self._words.given(feature, value) for value in (change.new, *change.others[:3])]
            parts.append(
                self.sentence(
                    "instead", name=self.sentence.name(plain(change.feature)), new=self.sentence.joined(new, "or"),
                    old=self._words.value(self.columns, schema.names.index(change.feature), row),
                )
            )  # fmt: skip
        answer = self._answer(found[0].prediction)
        return found[0], [*head, self.sentence("outcome", changes=self.sentence.joined(parts, "and"), answer=answer)]


def letters_of(used: AppliedTree, columns: Columns, sentence: LetterSentences, options: LetterOptions) -> Letters:
    """Letters about rows, once the options are known to fit the tree.

    Raises
    ------
    ParameterError, ParameterTypeError
        An option names no feature, or a feature that cannot be changed; the message names it.
    """
    used.need_constant_leaves("letter")
    names = used.tree.schema.names
    if not isinstance(options.can_change, (list, tuple, set, frozenset)):
        raise ParameterTypeError(must_be("can_change", "a list of names", options.can_change))
    for name in options.can_change:
        if name not in names:
            known = ", ".join(map(repr, names[:8]))
            raise ParameterError(
                Setting("can_change"), " names ", Value(name, shortened(name)),
                f", which is not a feature; the features are {known}.",
            )  # fmt: skip
    if not (options.allowed is None or isinstance(options.allowed, Mapping)):
        raise ParameterTypeError(must_be("allowed", "a dictionary of what each feature may become", options.allowed))
    for name in options.allowed or {}:
        if name in names and name not in options.can_change:
            raise ParameterError(
                Setting("allowed"), " names ", Value(name), "; ",
                remedy("name it in ", Setting("can_change"), " as well"), ".",
            )  # fmt: skip
    if isinstance(options.reasons, bool) or not isinstance(options.reasons, (int, np.integer)) or options.reasons < 1:
        raise ParameterError(must_be("reasons", "a whole number of at least 1", options.reasons))
    if options.can_change:
        target_of(used.tree.response).read(used.tree, options.target, 0)
    used.refuse(columns)
    return Letters(used, columns, sentence, options)
