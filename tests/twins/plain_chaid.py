"""CHAID in plain Python, straight from its description, with scipy's tails: the twin of the kernel's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from scipy.stats import chi2, f

NA = -1


@dataclass(frozen=True)
class Options:
    """Settings of the merge step and the tests."""

    exhaustive: bool = False
    alpha_merge: float = 0.05
    alpha_cut: float | None = None
    likelihood_ratio: bool = False
    bonferroni: bool = True
    biggs: bool = False


@dataclass(frozen=True, eq=False)
class Cases:
    """Category (-1 = missing), response and whole weight of some rows; response of classes as codes."""

    category: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    n_classes: int  # 0 = a mean


def p_of_groups(cases: Cases, groups: list[list[int]], options: Options) -> tuple[float, float]:
    """Statistic and log p of a list of groups."""
    masks = [np.isin(cases.category, group) for group in groups]
    if cases.n_classes == 0:
        return f_test([(cases.y[m], cases.weight[m]) for m in masks])
    counts = np.array([np.bincount(cases.y[m], cases.weight[m], cases.n_classes) for m in masks])
    counts = counts[:, counts.sum(axis=0) > 0]
    if counts.shape[1] < 2:
        return 0.0, 0.0
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    if options.likelihood_ratio:
        ratio = np.where(counts > 0, counts / expected, 1.0)
        statistic = 2 * float((counts * np.log(ratio)).sum())
    else:
        statistic = float(((counts - expected) ** 2 / expected).sum())
    return statistic, float(chi2.logsf(max(statistic, 0.0), (counts.shape[0] - 1) * (counts.shape[1] - 1)))


def f_test(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[float, float]:
    """One-way analysis of variance of weighted groups."""
    n = sum(w.sum() for _, w in parts)
    df, df2 = len(parts) - 1, n - len(parts)
    means = [float((y * w).sum() / w.sum()) for y, w in parts]
    whole = sum((y * w).sum() for y, w in parts) / n
    within = sum(float((w * (y - m) ** 2).sum()) for (y, w), m in zip(parts, means, strict=True))
    between = sum(float(w.sum()) * (m - whole) ** 2 for (_, w), m in zip(parts, means, strict=True))
    if df2 <= 0 or between <= 1e-20:
        return 0.0, 0.0
    if within <= 1e-20:
        return math.inf, -math.inf
    statistic = between / df / (within / df2)
    return statistic, float(f.logsf(statistic, df, df2))


def above(later: float, best: float) -> bool:
    """The tie rule: better by more than rounding."""
    if math.isinf(later) or math.isinf(best):
        return later > best
    return later > best + 1e-12 * max(1.0, abs(best))


def merge(cases: Cases, ordered: bool, options: Options) -> list[list[int]]:
    """The groups of the present categories, in the order of branches."""
    known = sorted(set(cases.category.tolist()) - {NA})
    missing = [NA] if NA in cases.category else []
    start = [[c] for c in known + ([] if ordered else missing)]
    groups = best_stage(start, cases, ordered, options) if options.exhaustive else alike(start, cases, ordered, options)
    return place_missing(groups, cases, options) if ordered and missing else groups


def similar(groups: list[list[int]], cases: Cases, ordered: bool, options: Options) -> tuple[float, int, int]:
    """The most similar pair that may merge, the first on ties: log p and positions."""
    if ordered:
        by_value = sorted(range(len(groups)), key=lambda g: min(groups[g]))
        pairs = list(pairwise(by_value))
    else:
        pairs = list(combinations(range(len(groups)), 2))
    best = None
    for a, b in pairs:
        log_p = p_of_groups(cases, [groups[a], groups[b]], options)[1]
        if best is None or above(log_p, best[0]):
            best = (log_p, min(a, b), max(a, b))
    return best


def joined(groups: list[list[int]], a: int, b: int) -> list[list[int]]:
    return [sorted(group + groups[b]) if g == a else group for g, group in enumerate(groups) if g != b]


def alike(groups: list[list[int]], cases: Cases, ordered: bool, options: Options) -> list[list[int]]:
    cuts_left = len(groups)
    while len(groups) > 2:
        log_p, a, b = similar(groups, cases, ordered, options)
        if log_p <= math.log(options.alpha_merge) + 1e-12:
            break
        groups = joined(groups, a, b)
        if options.alpha_cut is None or cuts_left == 0 or len(groups[a]) < 3:
            continue
        cut = best_cut(groups[a], cases, ordered, options)
        if cut is not None and cut[0] <= math.log(options.alpha_cut) + 1e-12:
            groups = [*groups[:a], cut[1], *groups[a + 1 :], cut[2]]
            cuts_left -= 1
    return groups


def best_cut(group: list[int], cases: Cases, ordered: bool, options: Options):
    """The most significant cut of a group in two: log p and the parts."""
    group = sorted(group, key=lambda c: (c == NA, c))
    if ordered:
        halves = [(group[:i], group[i:]) for i in range(1, len(group))]
    else:
        halves = []
        for size in range(1, len(group) // 2 + 1):
            for part in combinations(group, size):
                if 2 * size < len(group) or group[0] in part:
                    halves.append((list(part), [c for c in group if c not in part]))
    best = None
    for stay, go in halves:
        log_p = p_of_groups(cases, [stay, go], options)[1]
        if best is None or above(-log_p, -best[0]):
            best = (log_p, stay, go)
    return best


def best_stage(groups: list[list[int]], cases: Cases, ordered: bool, options: Options) -> list[list[int]]:
    if len(groups) < 2:
        return groups
    best, best_log_p = groups, p_of_groups(cases, groups, options)[1]
    while len(groups) > 2:
        _, a, b = similar(groups, cases, ordered, options)
        groups = joined(groups, a, b)
        log_p = p_of_groups(cases, groups, options)[1]
        if above(-log_p, -best_log_p):
            best, best_log_p = groups, log_p
    return best


def place_missing(groups: list[list[int]], cases: Cases, options: Options) -> list[list[int]]:
    if len(groups) < 2:
        return [*groups, [NA]]
    logs = [p_of_groups(cases, [group, [NA]], options)[1] for group in groups]
    star = 0
    for g in range(1, len(groups)):
        if above(logs[g], logs[star]):
            star = g
    together = [[*group, NA] if g == star else group for g, group in enumerate(groups)]
    apart = [*groups, [NA]]
    if above(-p_of_groups(cases, apart, options)[1], -p_of_groups(cases, together, options)[1]):
        return apart
    return together


def log_multiplier(n: int, r: int, kind: str, options: Options) -> float:
    """Kass's and Biggs's multipliers in whole numbers."""
    if not options.bonferroni:
        return 0.0
    if options.exhaustive:
        mergers = n * (n * n - 1) // (6 if options.biggs else 2) if kind == "nominal" else n * (n - 1) // 2
    elif kind == "ordinal":
        mergers = math.comb(n - 1, r - 1)
    elif kind == "floating":
        mergers = math.comb(n - 2, r - 2) + r * math.comb(n - 2, r - 1)
    else:
        mergers = sum((-1) ** v * (r - v) ** n * math.comb(r, v) for v in range(r)) // math.factorial(r)
    return math.log(mergers)
