"""An editing session: verbs are priced and taken, undone and done again, and logged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..._messages import must_be
from ...errors import ParameterError, ParameterTypeError
from ...learning.learning_set import LearningSet
from ...model.edit_log import Edit, checked_edit, edits_from_json
from ...model.edits import SplitNode, Verb, checked_verb
from ...model.tree_model import TreeModel
from ...tree.join_leaves import join_leaves
from ...tree.tree import Tree
from .. import REGISTRY
from ..fitting.growing_below import for_recipe
from ..fitting.refreshing import refuse_other_rows
from .apply import applied
from .edited import described, edited, original, refuse_pruned
from .figures import EditPrice, KnownRows, effect_of, figures_of
from .folds import with_folds
from .log import Replay, changed_effect, log_of, read_log
from .relocated import Misfit, relocated
from .rows_of_fit import RowsOfFit
from .site import Site


@dataclass(eq=False)
class Editor:
    """An editing session of a fitted tree; get one from ``model.edit(X, y)``.

    Attributes
    ----------
    model : TreeModel
        The model as edited so far.
    rows : RowsOfFit
    holdout : RowsOfFit or None
        Rows that the tree was not grown from.
    publish : callable
        Called with the model after each change.
    """

    model: TreeModel
    rows: RowsOfFit
    holdout: RowsOfFit | None = None
    publish: Callable[[TreeModel], None] = lambda model: None
    _before: list[TreeModel] = field(default_factory=list)
    _undone: list[TreeModel] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.model.need_constant_leaves("edit")
        self.model.tree.response.need_sums("edit")
        refuse_pruned(self.model)

    def price(self, verb: Verb, *, folds: int | None = None) -> EditPrice:
        """The price of a verb, which is not taken.

        Parameters
        ----------
        verb : Verb
            Of :mod:`boxwood.edits`.
        folds : int, optional
            Also evaluate by so many folds: in each, the tree is fitted and edited without the rows that evaluate it.

        Raises
        ------
        ParameterError
            The verb cannot be applied.
        DataError
            The rows are not those of the fit.
        """
        edit = Edit(self._checked(verb), who="-", why="-", force=True)
        routed = tuple(rows.columns for rows in self._known.values())
        price = self._price(self.model, _joined(edit, applied(edit, replace(self.site, routed=routed))))
        return price if folds is None else with_folds(price, self, described(edit, self.site), folds, Editor)

    def take(
        self, verb: Verb, *, who: str | None = None, when: str | None = None, why: str | None = None,
        force: bool = False,
    ) -> EditPrice:  # fmt: skip
        """Apply a verb and log it.

        Parameters
        ----------
        verb : Verb
            Of :mod:`boxwood.edits`.
        who, when, why : str, optional
            For the log, as they are given; ``OverruleLeaf`` needs ``why`` and ``SignNode`` needs ``who``.
        force : bool
            Also change branches in which a node was signed or overruled.

        Returns
        -------
        EditPrice

        Raises
        ------
        ParameterError
            The verb cannot be applied.
        DataError
            The rows are not those of the fit.
        """
        return self._take(checked_edit(Edit(self._checked(verb), who=who, when=when, why=why, force=force)))[0]

    def undo(self) -> None:
        """Take the last edit back.

        Raises
        ------
        ParameterError
            There is none.
        """
        if not self.model.edits:
            raise ParameterError("there is no edit to undo.")
        kept = edits_from_json(list(self.model.edits))[:-1]
        undone = self.model
        if self._before:
            before = self._before.pop()
        else:
            before = original(self.model)
            session = Editor(before, self.rows, self.holdout)
            for edit in kept:
                session._take(edit)
            before = session.model
        self._undone.append(undone)
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
        self._publish(self._undone.pop())

    @property
    def log(self) -> dict[str, Any]:
        """The log as plain JSON values; docs/edit.md describes them."""
        return log_of(self.model)

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
                after = self._take(found)[1]
            except (ParameterError, ParameterTypeError) as error:
                findings.append(Misfit(number, edit.verb.name_of, "left out", str(error)))
                continue
            taken += 1
            findings += changed_effect(found, after, number, edit)
        return Replay(taken, tuple(findings))

    def _checked(self, verb: Verb) -> Verb:
        if not isinstance(verb, Verb) or type(verb) is Verb:
            raise ParameterTypeError(must_be("verb", "one of boxwood.edits, such as SplitNode(3, 'age <= 14')", verb))
        return checked_verb(verb)

    def _take(self, edit: Edit) -> tuple[EditPrice, Tree]:
        """The price of an edit that was taken, and the tree whose nodes have the numbers that it names."""
        site = self.site
        edit = described(edit, site)
        after = applied(edit, site)
        joined = _joined(edit, after)
        price = self._price(self.model, joined)
        edit = replace(edit, price=price.to_json())
        edit = replace(edit, effect=effect_of(after, edit.verb.node) if isinstance(edit.verb, SplitNode) else ())
        self._before.append(self.model)
        self._undone.clear()
        self._publish(edited(self.model, joined, edit))
        return price, after

    def _publish(self, model: TreeModel) -> None:
        self.model = model
        self.publish(model)

    def _price(self, model: TreeModel, tree: Tree) -> EditPrice:
        kept = vars(self).get("_figures_kept")
        if kept is None or kept[0] is not model.tree:
            kept = self._figures_kept = model.tree, figures_of(model, model.tree, self._known)
        return EditPrice(kept[1], figures_of(model, tree, self._known))

    @cached_property
    def _known(self) -> dict[str, KnownRows]:
        found = {"training": self.rows.known(self.model)}
        return found if self.holdout is None else found | {"holdout": self.holdout.known(self.model)}

    @cached_property
    def _of_fit(self) -> tuple:
        """How the model was grown, and from which rows; other rows are refused, whatever the verb."""
        algorithm = REGISTRY[self.model.algorithm]
        growth, grown_from = self._grown_by(algorithm, self.rows.settings)
        refuse_other_rows(algorithm, self.model, self.rows, growth.recipe, grown_from)
        return growth, grown_from

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

    @property
    def site(self) -> Site:
        """Where verbs work."""
        return Site(self.model.tree, *self._of_fit, self._by_recipe)

    @property
    def learning(self) -> LearningSet:
        """The rows of the fit."""
        found: LearningSet = self._of_fit[1].learning
        return found


def _joined(edit: Edit, tree: Tree) -> Tree:
    """The tree after an edit as a model file holds it: leaves of a monotone tree that share a value are joined."""
    return join_leaves(tree) if edit.verb.structural else tree
