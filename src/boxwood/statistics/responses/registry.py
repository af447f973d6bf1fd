"""The kinds of y by the names that model files have; a new kind is a file beside this one and its name here."""

from __future__ import annotations

from collections.abc import Mapping

from ..class_measures import measure_name
from .amounts import Gammas, Tweedies
from .classes import Classes
from .means import Means
from .quantiles import Medians, Quantiles
from .rates import Rates
from .response import Response
from .several import SeveralClasses, SeveralNumbers

CLASSES, MEAN, RATE = Classes.kind, Means.kind, Rates.kind

#: The kinds of numbers by stored name.
NUMBERS: dict[str, type[Response]] = {kind.kind: kind for kind in (Means, Rates, Gammas, Tweedies, Medians, Quantiles)}


def kinds() -> dict[str, type[Response]]:
    """All kinds by stored name."""
    return {kind.kind: kind for kind in (Classes, *NUMBERS.values(), SeveralNumbers, SeveralClasses)}


def measures() -> tuple[str, ...]:
    """Names of the measures of impurity of all kinds, but for those with a parameter."""
    return tuple(dict.fromkeys(measure for kind in kinds().values() for measure in kind.measures))


def response_of_power(power: float | None, name: str = "y") -> Response:
    """The response of numbers by a deviance of this power; None = means.

    Examples
    --------
    >>> response_of_power(2.0).kind, response_of_power(None).kind
    ('gamma', 'mean')
    """
    plain = {None: Means, 1.0: Rates, 2.0: Gammas}.get(power)
    return Tweedies(name, power) if plain is None else plain(name)


def number_kind(measure: object) -> type[Response]:
    """The kind of numbers that a measure of impurity belongs to; means where it belongs to none.

    Examples
    --------
    >>> number_kind("poisson").kind, number_kind("variance").kind
    ('rate', 'mean')
    """
    name = (measure_name(measure) or str(measure)).partition(":")[0]
    return next((kind for kind in NUMBERS.values() if name in kind.measures), Means)


def loss_of(settings: Mapping) -> dict[str, float | None]:
    """What an evaluation reads of the loss by which the settings of a fit measure y: a power, or a level.

    Examples
    --------
    >>> loss_of({"criterion": "poisson"}), loss_of({"criterion": "quantile:0.9,0.1"})
    ({'power': 1.0, 'level': None}, {'power': None, 'level': 0.9})
    """
    kind = number_kind(settings.get("criterion"))
    level = kind.from_settings("y", settings).level if issubclass(kind, Quantiles) else None
    return {"power": power_of(settings), "level": level}


def power_of(settings: Mapping) -> float | None:
    """The power of the deviance by which the settings of a fit measure y; None = classes or means."""
    kind = number_kind(settings.get("criterion"))
    if not kind.takes_exposure:
        return None
    return (kind.from_settings("y", settings) if kind is Tweedies else kind("y")).for_kernel()["power"]
