"""An editing session: verbs are priced and taken, undone and done again, and logged."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..._messages import Setting, must_be, remedy
from ...data.columns.columns import Columns
from ...data.frames.weights import check_lengths
from ...errors import DataTypeError, ParameterError, ParameterTypeError
from ...learning.labelled_rows import target_of
from ...model.edits import Edit, Split, Verb, checked_edit, checked_verb, edits_from_json
from ...model.readable import readable
from ...model.splits.explain_split import known_node
from ...model.tree_model import TreeModel
from ...tree.tree import Tree
from .. import REGISTRY
from ..fitting.growing_below import for_recipe, with_tree
from .apply import applied
from .conditions import division, path_levels, path_of
from .judged import JudgedRows, Price, effect_of, standing
from .relocated import Finding, relocated
from .same_nodes import marked_in_place
from .site import Site

#: What a log of edits is called in its file.
FORMAT, VERSION = "boxwood edits", 1


@dataclass(frozen=True, eq=False)
class RowsOfFit:
    """The rows that a model was fitted to.

    Attributes
    ----------
    columns : Columns
        Read with the model's schema.
    y : array-like of shape (n,)
    weight, exposure : array-like of shape (n,) or None
    settings : dict or None
        Those of the fit; None = as the model remembers them.
    """

    columns: Columns
    y: Any
    weight: Any = None
    exposure: Any = None
    settings: dict | None = None

    def judged(self, model: TreeModel) -> JudgedRows:
        """The same, to be judged."""
        target = target_of(model.tree.response, self.y, self.weight, self.exposure)
        check_lengths(self.columns.n, len(target.y))
        return JudgedRows(self.columns, target)


@dataclass(frozen=True)
class Replay:
    """What came of a log that was replayed.

    Attributes
    ----------
    taken : int
        Number of edits that were applied.
    findings : tuple of Finding
        What no longer fits; print one for a sentence.
    """

    taken: int
    findings: tuple[Finding, ...] = ()

    def __str__(self) -> str:
        first = f"{self.taken} edit{'s' * (self.taken != 1)} taken"
        return "\n".join([f"{first}; all fit." if not self.findings else f"{first}.", *map(str, self.findings)])


@dataclass(eq=False)
class Editor:
    """An editing session of a fitted tree; get one from ``model.edit(X, y)``.

    Attributes
    ----------
    model : TreeModel
        The model as edited so far.
    """

    model: TreeModel
    rows: RowsOfFit
    holdout: RowsOfFit | None = None
    publish: Callable[[TreeModel], None] = lambda model: None
    _before: list[TreeModel] = field(default_factory=list)
    _undone: list[tuple[TreeModel, Edit]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.model.need_constant_leaves("edit")
        refuse_pruned(self.model)

    def price(self, verb: Verb, *, folds: int | None = None) -> Price:
        """The price of a verb, which is not taken.

        Parameters
        ----------
        verb : Verb
            Of :mod:`boxwood.edits`.
        folds : int, optional
            Also judge by so many folds: in each, the tree is fitted and edited without the rows it is judged by.

        Raises
        ------
        ParameterError
            The verb cannot be applied.
        DataError
            The rows are not those of the fit.
        """
        edit = Edit(self._checked(verb), who="-", why="-", force=True)
        return self._price(self.model, applied(edit, self._site(self.model.tree)))

    def take(
        self, verb: Verb, *, who: str | None = None, when: str | None = None, why: str | None = None,
        force: bool = False,
    ) -> Price:  # fmt: skip
        """Apply a verb and log it.

        Parameters
        ----------
        verb : Verb
            Of :mod:`boxwood.edits`.
        who, when, why : str, optional
            For the log, as they are given; ``Overrule`` needs ``why`` and ``Sign`` needs ``who``.
        force : bool
            Also change branches in which a node was signed or overruled.

        Returns
        -------
        Price

        Raises
        ------
        ParameterError
            The verb cannot be applied.
        DataError
            The rows are not those of the fit.
        """
        return self._take(checked_edit(Edit(self._checked(verb), who=who, when=when, why=why, force=force)))

    def undo(self) -> None:
        """Take the last edit back.

        Raises
        ------
        ParameterError
            There is none.
        """
        if not self.model.edits:
            raise ParameterError("there is no edit to undo.")
        *kept, last = edits_from_json(list(self.model.edits))
        undone = self.model
        if self._before:
            before = self._before.pop()
        else:
            before = original(self.model)
            session = Editor(before, self.rows, self.holdout)
            for edit in kept:
                session._take(edit)
            before = session.model
        self._undone.append((undone, last))
        self._publish(before)

    def redo(self) -> None:
        """Do again what was undone last.

        Raises
        ------
        ParameterError
            Nothing was undone since the last edit.
        """
        if not self._undone:
            raise ParameterError("there is no edit to do again.")
        self._before.append(self.model)
        model, _ = self._undone.pop()
        self._publish(model)

    @property
    def log(self) -> dict[str, Any]:
        """The log as plain JSON values; docs/edit.md describes them."""
        return {"format": FORMAT, "version": VERSION, "edits": list(self.model.edits)}

    def replay(self, log: Any) -> Replay:
        """Apply all edits of a log to this model.

        Each verb keeps its intention: nodes are found by the conditions that lead to them. An edit that fits no longer
        is left out.

        Parameters
        ----------
        log : dict, list or str
            As ``log`` or the attribute ``edits_`` has it, or its JSON text.

        Returns
        -------
        Replay

        Raises
        ------
        ParameterError
            This is no log of edits.
        """
        taken, findings = 0, []
        for number, edit in enumerate(read_log(log), 1):
            found, notes = relocated(edit, self.model.tree, number)
            findings += notes
            if found is None:
                continue
            try:
                self._take(found)
            except ParameterError as error:
                findings.append(Finding(number, edit.verb.name_of, "left out", str(error)))
                continue
            taken += 1
            findings += changed_effect(found, self.model.tree, number, edit)
        return Replay(taken, tuple(findings))

    def _checked(self, verb: Verb) -> Verb:
        if not isinstance(verb, Verb) or type(verb) is Verb:
            raise ParameterTypeError(must_be("verb", "one of boxwood.edits, such as Split(3, \"age <= 14\")", verb))
        return checked_verb(verb)

    def _take(self, edit: Edit) -> Price:
        site = self._site(self.model.tree)
        edit = described(edit, site)
        after = applied(edit, site)
        price = self._price(self.model, after)
        edit = replace(edit, price=price.to_json())
        edit = replace(edit, effect=effect_of(after, edit.verb.node) if isinstance(edit.verb, Split) else ())
        self._before.append(self.model)
        self._undone.clear()
        self._publish(edited(self.model, after, edit))
        return price

    def _publish(self, model: TreeModel) -> None:
        self.model = model
        self.publish(model)

    def _price(self, model: TreeModel, tree: Tree) -> Price:
        kept = vars(self).get("_standing")
        if kept is None or kept[0] is not model.tree:
            kept = self._standing = model.tree, standing(model, model.tree, self._judged)
        return Price(kept[1], standing(model, tree, self._judged))

    @cached_property
    def _judged(self) -> dict[str, JudgedRows]:
        found = {"training": self.rows.judged(self.model)}
        return found if self.holdout is None else found | {"holdout": self.holdout.judged(self.model)}

    @cached_property
    def _of_fit(self) -> tuple:
        """How the model was grown, and from which rows."""
        return self._grown_by(REGISTRY[self.model.algorithm], self.rows.settings)

    def _grown_by(self, algorithm: Any, settings: dict | None) -> tuple:
        rows = self.rows
        return algorithm._of_fit(self.model, rows.columns, rows.y, settings, rows.weight, rows.exposure)

    def _by_recipe(self, recipe: dict) -> tuple:
        """The growth of another recipe, and the rows as it reads them."""
        name = recipe.get("algorithm", self.model.algorithm)
        algorithm = REGISTRY.get(name)
        grows = [each for each in REGISTRY if hasattr(REGISTRY[each], "grow_below")]
        if algorithm is None or name not in grows or self.model.task not in algorithm.parameters:
            raise ParameterError(must_be("algorithm", f"one of {', '.join(grows)} that does {self.model.task}", name))
        settings = {name: value for name, value in recipe.items() if name != "algorithm"}
        growth, grown_from = self._grown_by(algorithm, settings)
        return growth, for_recipe(self._of_fit[1], grown_from)

    def _site(self, tree: Tree) -> Site:
        return Site(tree, *self._of_fit, self._by_recipe)


def described(edit: Edit, site: Site) -> Edit:
    """The edit with the conditions of its node, and its split in words, so that it can be replayed elsewhere."""
    verb, tree = edit.verb, site.tree
    known_node(tree, verb.node)
    levels = path_levels(tree, verb.node)
    if isinstance(verb, Split):
        words = verb.condition or site.competitor(verb.node, verb.competitor)
        verb = replace(verb, condition=words)
        levels = levels | division(words, tree.schema, edit.levels).levels
    for t in verb.nodes_beside():
        known_node(tree, t)
    others = tuple(path_of(tree, t)[-1] for t in verb.nodes_beside() if t)
    return replace(edit, verb=verb, path=path_of(tree, verb.node), others=others, levels=levels)


def edited(model: TreeModel, tree: Tree, edit: Edit) -> TreeModel:
    """The model with the tree after an edit, and the edit in its log."""
    before = model.to_bytes() if model.unedited is None else model.unedited
    number = len(model.edits) + 1
    note = f"Edit {number}: node {edit.verb.node} {edit.verb.words}."
    found = None if edit.verb.structural else marked_in_place(model, tree, edit.verb.node)
    changed = with_tree(model, readable(tree), note) if found is None else replace(found, notes=(*model.notes, note))
    return replace(changed, edits=(*model.edits, edit.to_json()), unedited=before)


def original(model: TreeModel) -> TreeModel:
    """The model before its edits."""
    return replace(TreeModel.from_bytes(model.unedited), threads=model.threads) if model.edits else model


def refuse_pruned(model: TreeModel) -> None:
    """Refuse a model that was pruned after its edits, which its log does not hold.

    Raises
    ------
    ParameterError
    """
    if not model.edits:
        return
    structural = any(edit.verb.structural for edit in edits_from_json(list(model.edits)))
    base = original(model)
    same = model.alpha == base.alpha and model.tree.n_nodes == base.tree.n_nodes
    if not (model.tree.n_nodes == model.full_tree.n_nodes if structural else same):
        raise ParameterError(
            "this model was pruned after its edits, and its log does not hold that; ",
            remedy("edit the model from before, and prune its nodes by the verb prune."),
        )  # fmt: skip


def read_log(log: Any) -> tuple[Edit, ...]:
    """The edits of a log: its entries, or with its head, or as JSON text.

    Raises
    ------
    ParameterError, DataTypeError
    """
    if isinstance(log, (str, bytes)):
        try:
            log = json.loads(log)
        except (ValueError, RecursionError) as error:
            raise ParameterError(Setting("log"), f" is not JSON: {error}.") from error
    if isinstance(log, dict):
        if log.get("format") != FORMAT or log.get("version") != VERSION:
            raise ParameterError(
                Setting("log"), f" must have the format {FORMAT!r} and the version {VERSION}."
            )
        log = log.get("edits")
    if isinstance(log, tuple):
        log = list(log)
    if not isinstance(log, list):
        raise DataTypeError(must_be("log", "a log of edits, or a list of edits", log))
    return edits_from_json(log)


def changed_effect(taken: Edit, tree: Tree, number: int, logged: Edit) -> Sequence[Finding]:
    """What a split does otherwise than when it was logged: an empty branch, or predictions in another order."""
    verb = taken.verb
    if not isinstance(verb, Split):
        return ()
    found, first = [], int(tree.first_child[verb.node])
    children = range(first, first + int(tree.n_children[verb.node]))
    found += [Finding(number, verb.name_of, "empty branch", f"no row comes to node {t}.") for t in children if tree.rows[t] == 0]
    now = effect_of(tree, verb.node)
    if len(now) == len(logged.effect) == 2 and (now[0] - now[1]) * (logged.effect[0] - logged.effect[1]) < 0:
        words = f"the first branch now predicts {'less' if now[0] < now[1] else 'more'} than the second."
        found.append(Finding(number, verb.name_of, "effect reversed", words))
    return found

