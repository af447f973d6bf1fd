"""Several responses of a tree: checked, and as plain JSON values."""

from __future__ import annotations

from collections.abc import Callable

from ..statistics.responses.response import Response
from ..statistics.responses.several import Several

#: Weights of responses are at most this: 1 over the least variance.
_MOST_WEIGHT = 1e300


def several_to_json(response: Response, write: Callable[[Response], dict]) -> dict:
    """The responses of which a response is made, with their weights; nothing of one that is single."""
    if not response.responses:
        return {}
    return {"responses": list(map(write, response.responses)), "weights": list(map(float, response.weights))}


def read_several(fields: dict, read: Callable[[object], Response]) -> None:
    """Put the responses of which a response is made in the place of their JSON values."""
    if "responses" in fields:
        fields["responses"] = tuple(map(read, fields["responses"]))


def several_fields(kind: type[Response]) -> tuple[str, ...]:
    """The fields that only several responses have."""
    return ("responses", "weights") if issubclass(kind, Several) else ()


def check_several(response: Response, check: Callable[[Response], None], refuse: Callable[[str, str], None]) -> None:
    """Several responses are sound each, of the kind that belongs to them, with a weight each.

    ``check`` a single one; ``refuse`` with the place and the fact.
    """
    if not isinstance(response, Several):
        return
    kind, weights = response.part, response.weights
    if len(response.responses) < 2 or not all(type(one) is kind for one in response.responses):
        refuse("the response", f"two responses or more are needed, each of kind {kind.kind}")
    if len(set(response.names)) != len(response.responses):
        refuse("the response", "two responses have the same name")
    for one in response.responses:
        check(one)
    if len(weights) != len(response.responses) or not all(0.0 <= w <= _MOST_WEIGHT for w in weights):
        refuse("the response", "each response needs a weight of at least 0")
