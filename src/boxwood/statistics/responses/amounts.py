"""Amounts y of at least 0: a node predicts their mean, measured by the gamma or a Tweedie deviance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ..._messages import FromZero, Message, Remedy, Row, Setting, Value
from ...data.frames.target import LARGEST, TINIEST
from ...errors import ResponseError
from ..class_measures import measure_name
from ..exact import Exact, exact_terms
from ..fixed_point import AMOUNT_BITS, psi_of, rate_terms
from ..intervals import mean_interval
from ..tweedie import Tweedie
from .rates import Rates
from .response import Response

#: A deviance up to this share of sum w t mean^(2 - p) is rounding: all y are equal (kernel/response/deviance.hpp).
_NOISE = 1e-12


@dataclass(frozen=True)
class Gammas(Response):
    """Amounts y > 0 by the gamma deviance; moments are (sum w, sum w t, sum w t y, sum w t psi(y)), psi(y) = -ln y.

    With exposures e, y is divided by e, and t is e^(2 - p) for the power p = 2 of the deviance; without, t is 1.
    The deviance is the sum of 2 w t (psi(y) - psi(m) - psi'(m) (y - m)), which is least for the mean m.
    """

    kind = "gamma"
    measures = ("gamma",)
    losses = MappingProxyType({"gamma": "mean gamma deviance"})
    risks = MappingProxyType({"gamma": "gamma", "deviance": "gamma"})
    n_terms = 3
    takes_exposure = True
    in_kernel = True
    described = "a positive number"
    evaluated = "positive numbers"
    moment_names = ("weight", "exposure", "sum")

    power = 2.0
    joined_ends = Rates.joined_ends

    name: str = "y"

    def check(self, y: np.ndarray) -> None:
        others = Message(
            Setting("criterion", "tweedie"), " takes zeros, ", Setting("criterion", "variance"), " any number"
        )
        self._refuse(y, y < TINIEST, "must be above 0", others)

    def _refuse(self, y: np.ndarray, wrong: np.ndarray, rule: str, others: Message) -> None:
        """Refuse amounts that are wrong, or too large to add up."""
        divide = Message("divide y by a number such as this")
        for some, fact, advice in ((wrong, rule, others), (y > LARGEST, "must be of moderate size", divide)):
            if some.any():
                row = int(np.argmax(some))
                raise ResponseError(
                    f"y {fact} for ", Setting("criterion", self.kind), "; ", Row(row), FromZero(), " holds ",
                    Value(y[row].item()), "; ", Remedy(advice), ".",
                )  # fmt: skip

    # Rows.

    def terms(self, y: np.ndarray, exposure: np.ndarray) -> tuple[np.ndarray, ...]:
        return rate_terms(exposure, y, self.power)

    def exact(self, y: np.ndarray, weight: np.ndarray | None, exposure: np.ndarray | None) -> Exact:
        exposure = np.ones(len(y)) if exposure is None else exposure
        return exact_terms(self.kind, self.terms(y, exposure), weight, AMOUNT_BITS)

    def for_kernel(self) -> dict:
        return {"kind": Rates.kind, "power": self.power}

    def with_exposure(self, y: np.ndarray, exposure: np.ndarray | None) -> np.ndarray:
        """t and t y in two columns."""
        return np.column_stack(self.terms(y, np.ones(len(y)) if exposure is None else exposure)[:2])

    def split(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        time, left = y[:, 0], 2.0 - self.power
        exposure = time ** (1.0 / left) if left > 0 else time
        return y[:, 1] / time * exposure, exposure

    # Moments of nodes.

    def rest(self, whole: np.ndarray, parts: np.ndarray) -> np.ndarray:
        rest = whole - parts.sum(axis=0)
        return np.append(np.maximum(rest[:-1], 0.0), rest[-1])

    def is_mixed(self, moments: np.ndarray) -> np.ndarray:
        return self.deviance(moments) > 0

    def spread(self, moments: np.ndarray) -> np.ndarray:
        """Standard deviation of y where the variance is the mean deviance times mean^p; shape (T,)."""
        mean = moments[:, 2] / np.maximum(moments[:, 1], TINIEST)
        return np.sqrt(self.deviance(moments) / np.maximum(moments[:, 0], TINIEST) * mean**self.power)

    def interval(self, moments: np.ndarray, scale: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
        """Student's interval of ln mean, whose variance is mean^(p - 2) / T times deviance / (n - 1); as means."""
        n, time, known = moments[:, 0] * scale, moments[:, 1], moments[:, 2] > 0
        mean = np.divide(moments[:, 2], time, out=np.ones(len(time)), where=known)
        per = np.divide(self.deviance(moments), time, out=np.zeros(len(time)), where=known)
        ends = mean_interval(np.column_stack((n, np.log(mean), n * per * mean ** (self.power - 2.0))), level)
        low, high = (np.where(known, np.exp(end), np.nan) for end in ends)
        return low, high

    def deviance(self, moments: np.ndarray) -> np.ndarray:
        """2 (sum w t psi(y) - T psi(m)) of each node about its mean m, T = sum w t."""
        time = moments[:, 1]
        mean = moments[:, 2] / time
        psi = np.where(mean > 0, psi_of(np.where(mean > 0, mean, 1.0), self.power), 0.0)
        found = 2.0 * (moments[:, 3] - time * psi)
        return np.where(found > _NOISE * time * self._size(psi), found, 0.0)

    def _size(self, psi: np.ndarray) -> np.ndarray | float:
        """How large a deviance of one unit of weight is that matters."""
        return 1.0

    def row_losses(self, y: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        """Gamma deviance 2 t (ln(m / y) + y / m - 1) of each row."""
        time, share = y[:, 0], y[:, 1] / y[:, 0] / predicted
        return 2.0 * time * np.maximum(share - 1.0 - np.log(share), 0.0)

    def decrease(self, measure: str, children: np.ndarray, parent: np.ndarray) -> np.ndarray:
        """2 sum T_c m^(2 - p) (psi(m_c / m) less its tangent at 1) per unit of weight, where nothing large cancels."""
        time, amount = children[..., 1], children[..., 2]
        mean = parent[2] / parent[1]
        expected = time * mean
        off = np.divide(amount - expected, expected, out=np.zeros_like(amount), where=expected > 0)
        gained = (time * self.beyond(off)).sum(axis=1) * (mean ** (2.0 - self.power) if mean > 0 else 0.0)
        return np.maximum(2.0 * gained / parent[0], 0.0)

    def beyond(self, off: np.ndarray) -> np.ndarray:
        """psi(1 + off) less the tangent at 1."""
        return off - np.log1p(off)


@dataclass(frozen=True)
class Tweedies(Gammas):
    """Amounts y >= 0 by the Tweedie deviance of a power 1 < p < 2; psi(y) = y^(2 - p) / ((1 - p) (2 - p)).

    Attributes
    ----------
    name : str
    power : float
    """

    kind = "tweedie"
    measures = ("tweedie",)
    losses = MappingProxyType({"tweedie": "mean Tweedie deviance"})
    risks = MappingProxyType({"tweedie": "tweedie", "deviance": "tweedie"})
    described = "a number of at least 0"
    evaluated = "numbers of at least 0"

    name: str = "y"
    power: float = 1.5

    def __post_init__(self) -> None:
        Tweedie(self.power)

    @classmethod
    def from_settings(cls, name: str, settings: Mapping) -> Response:
        return cls(name, float(measure_name(settings["criterion"]).partition(":")[2]))

    def check(self, y: np.ndarray) -> None:
        wrong = (y < 0) | ((y > 0) & (y < TINIEST))
        others = Message(Setting("criterion", "variance"), " takes any number")
        self._refuse(y, wrong, "must be at least 0", others)

    def fits(self, measure: str | None) -> bool:
        return super().fits(measure) or measure == str(Tweedie(self.power))

    @property
    def _divisor(self) -> float:
        return (1.0 - self.power) * (2.0 - self.power)

    def _size(self, psi: np.ndarray) -> np.ndarray | float:
        return np.abs(psi)

    def row_losses(self, y: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        """2 t (psi(y) - psi(m) - psi'(m) (y - m)) of each row; infinite where m is 0 and y is not."""
        time, rate, p = y[:, 0], y[:, 1] / y[:, 0], self.power
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.where(rate > 0, rate * predicted ** (1.0 - p), 0.0) / (1.0 - p)
        found = psi_of(rate, p) - slope + predicted ** (2.0 - p) / (2.0 - p)
        return 2.0 * time * np.maximum(found, 0.0)

    def beyond(self, off: np.ndarray) -> np.ndarray:
        left = 2.0 - self.power
        with np.errstate(divide="ignore"):
            return (np.expm1(left * np.log1p(off)) - left * off) / self._divisor
