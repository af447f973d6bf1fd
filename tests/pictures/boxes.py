"""Where the words of a scene are, and which of them touch."""

from __future__ import annotations

from boxwood.pictures.measure import text_width
from boxwood.pictures.scene import Group, Path, Scene, every_label


def word_boxes(scene: Scene) -> list[tuple[float, float, float, float, str]]:
    """Left, top, right, bottom and text of every label."""
    boxes = []
    for x, y, label in every_label(scene.items):
        width = text_width(label.text, label.size, label.bold)
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
        boxes.append((left, y - 0.8 * label.size, left + width, y + 0.22 * label.size, label.text))
    return boxes


def touching(boxes: list[tuple], slack: float = 0.01) -> list[tuple[str, str]]:
    """Pairs of boxes that overlap, by a sweep from left to right."""
    found, open_boxes = [], []
    for box in sorted(boxes):
        open_boxes = [other for other in open_boxes if other[2] > box[0] + slack]
        found += [
            (other[4], box[4])
            for other in open_boxes
            if min(other[3], box[3]) - max(other[1], box[1]) > slack
            and min(other[2], box[2]) - max(other[0], box[0]) > slack
        ]
        open_boxes.append(box)
    return found


def outside(scene: Scene, boxes: list[tuple]) -> list[str]:
    """Texts that stick out of the picture."""
    return [b[4] for b in boxes if b[0] < 0 or b[1] < 0 or b[2] > scene.width or b[3] > scene.height]


def edges(items, x: float = 0.0, y: float = 0.0):
    """Points along every line between two nodes."""
    for item in items:
        if isinstance(item, Group):
            yield from edges(item.items, x + item.x, y + item.y)
        elif isinstance(item, Path) and item.stroke == "edge":
            (_, *start), (_, *bend), (_, *curve), *rest = item.steps
            knots = [bend, curve[0:2], curve[2:4], curve[4:6]]
            line = [(start[0] + t * (bend[0] - start[0]), start[1] + t * (bend[1] - start[1])) for t in _SHARES]
            line += [
                tuple(
                    (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t * t * (1 - t) * c + t**3 * d
                    for a, b, c, d in zip(*knots, strict=True)
                )
                for t in _SHARES
            ]
            # The straight end of a line to a leaf that is in a row with all others.
            for _, *goal in rest:
                line += [tuple((1 - t) * a + t * b for a, b in zip(curve[4:6], goal, strict=True)) for t in _SHARES]
            yield [(x + px, y + py) for px, py in line]


_SHARES = [i / 20 for i in range(21)]


def crossed_words(scene: Scene) -> list[str]:
    """Texts that a line between nodes runs through."""
    boxes = word_boxes(scene)
    return [
        text
        for line in edges(scene.items)
        for left, top, right, bottom, text in boxes
        if any(left < px < right and top + 0.5 < py < bottom - 0.5 for px, py in line)
    ]
