"""A crew of workers as the engine of a sharded source, and as the finisher of its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial, reduce

import numpy as np

from ...errors import ClusterError
from ...tree.tree import Tree
from ..parts import bin_counts
from ..parts.finishing import Weighed, Weighting, merged
from ..parts.survey import Survey
from ..sharded.messages import question_to_bytes, to_message, tree_to_bytes
from ..sharded.shares import Shares
from ..sharded.sums import added
from ..sharded.view import EVERYTHING, View
from .crew import Crew
from .summaries import (
    Order,
    look_to_bytes,
    order_to_bytes,
    survey_from_bytes,
    weighed_from_json,
    weighting_to_bytes,
)

_EMPTY = to_message("nothing")


class CrewEngine:
    """Shards that workers hold.

    Parameters
    ----------
    crew : Crew
        Told how its parts become final.
    kind : {"classes", "mean", "rate"}
        Of the response.
    """

    def __init__(self, crew: Crew, kind: str):
        self._crew, self._kind = crew, kind

    def send(self, tree: Tree | None, shares: Shares | None = None, view: View = EVERYTHING) -> None:
        """Every row goes to its node in the tree so far; None: a tree begins, and all are at its root."""
        self._crew.tell("send", tree_to_bytes(tree, shares, view))

    def ask(self, question: str, asked: dict) -> dict[str, np.ndarray]:
        """The answers of all workers to a question (:meth:`.Shard.answer`), added up as they come."""
        replies = self._crew.replies("ask", question_to_bytes(question, asked))
        answers = (reply.arrays for reply in replies if reply.arrays is not None)
        return reduce(lambda one, other: added(question, self._kind, one, other), answers)

    def rows(self, asked: dict) -> Iterator[dict[str, np.ndarray]]:
        """The answers of all shards to "rows", one after the other; in a worker's reply names begin with the shard."""
        for reply in self._crew.replies("ask", question_to_bytes("rows", asked)):
            of_shard: dict[str, dict[str, np.ndarray]] = {}
            for name, array in (reply.arrays or {}).items():
                shard, _, name = name.partition(".")
                of_shard.setdefault(shard, {})[name] = array
            yield from of_shard.values()


class CrewFinisher:
    """Puts the parts of all workers into final numbers (as :class:`boxwood.sources.parts.finishing.Finisher`).

    Parameters
    ----------
    crew : Crew
        Has drafted all pieces.

    Attributes
    ----------
    survey : Survey
        Of all rows.
    """

    def __init__(self, crew: Crew):
        self._crew = crew
        self.survey: Survey | None = None
        for reply in crew.ask("survey", _EMPTY):
            found = survey_from_bytes(reply.arrays["survey"].tobytes())
            if self.survey is None:
                self.survey = found
            else:
                self.survey.merge(found)

    def weighed(self, weighting: Weighting, labels: tuple) -> Weighed | None:
        """What is known of the weights of all rows; None when they have none."""
        replies = self._crew.ask("weigh", weighting_to_bytes(weighting, labels))
        return merged(weighed_from_json(r.plain["weighed"]) for r in replies if "weighed" in r.plain)

    def multiples(self, weighting: Weighting, labels: tuple, units: Sequence[float]) -> list[bool]:
        """Whether all weights of all rows are whole multiples of each unit."""
        replies = self._crew.ask("weigh", weighting_to_bytes(weighting, labels, list(units)))
        return [all(answers) for answers in zip(*(reply.plain["fits"] for reply in replies), strict=True)]

    def look(self, question: str, asked: dict, weighting: Weighting, labels: tuple) -> dict:
        """What all rows tell of where columns are cut into bins (:mod:`boxwood.sources.parts.bin_counts`)."""
        replies = self._crew.replies("look", look_to_bytes(question, asked, weighting, labels))
        answers = (reply.arrays for reply in replies if reply.arrays is not None)
        return reduce(partial(bin_counts.added, question), answers)

    def finish(self, order: Order) -> tuple[bool, int]:
        """Write the final numbers of all parts; whether any value is missing in them, and how many rows they have."""
        replies = self._crew.tell("finish", order_to_bytes(order))
        if not replies:
            raise ClusterError("no worker holds any row.")
        return any(r.plain["has_missing"] for r in replies), sum(r.plain["rows"] for r in replies)
