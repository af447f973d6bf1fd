"""Colours that are distinguishable with any kind of colour vision, on light and on dark backgrounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tree.tree import Tree

#: The palette of Okabe and Ito (2008), the two that differ most first, without its black, which would vanish on dark
#: ground; a grey in its place would look like the purple to people without green cones.
OKABE_ITO = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
#: Fills that distinguish classes when the colours are used up: plain, stripes, dots.
HATCHES = 3
#: Ink of the classes beyond that, which are drawn together.
OTHERS = "others"

#: What each role looks like on light and on dark ground.
ROLES = {
    "ground": ("#ffffff", "#15181c"),
    "panel": ("#f6f7f9", "#20252b"),
    "strip": ("#e9ecf0", "#2c333b"),
    "line": ("#9aa2ac", "#5d6772"),
    "edge": ("#b7bec7", "#4d5660"),
    "text": ("#16191d", "#eef1f4"),
    "faint": ("#5a636e", "#a3adb8"),
    "mark": ("#16191d", "#eef1f4"),
    "others": ("#c9cfd6", "#454e58"),
    "spread": ("#8cc1e2", "#2f6f99"),
    "dot": ("#00507d", "#9ed4f5"),
}


def paint(ink: str, dark: bool = False) -> str:
    """The colour of an ink: a role, or a colour that is the same on any ground."""
    return ink if ink.startswith("#") else ROLES[ink][dark]


@dataclass(frozen=True)
class ClassInk:
    """Fill of a class: an ink, and the number of its hatch (0 = plain)."""

    ink: str
    hatch: int = 0


def class_inks(tree: Tree) -> list[ClassInk]:
    """One fill per class, in class order; of very many classes only the heaviest at the root have one of their own."""
    count = len(tree.response.labels)
    most = len(OKABE_ITO) * HATCHES
    own = range(count)
    if count > most:
        own = sorted(np.argsort(-tree.probability[0], kind="stable")[: most - 1].tolist())
    inks = [ClassInk(OTHERS)] * count
    for place, k in enumerate(own):
        inks[k] = ClassInk(OKABE_ITO[place % len(OKABE_ITO)], place // len(OKABE_ITO))
    return inks


#: Ends of the scale of leaves that predict a number: pale to deep, one hue, so that lightness shows the order.
_PALE, _DEEP = (0xD6, 0xE9, 0xF5), (0x00, 0x45, 0x75)


def shade(share: float) -> str:
    """The colour of a number by its place between the least (0) and the largest (1)."""
    share = min(max(share, 0.0), 1.0)
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(_PALE, _DEEP, strict=True))
