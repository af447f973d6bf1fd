"""A tree as C99 source: one file, no dependency but the C library, nothing allocated."""

from __future__ import annotations

import math
import re

from .._messages import Column, must_be, remedy
from ..data.columns.kinds.kind import ByKind
from ..errors import ParameterError
from ..tree.shares import branch_shares
from ..views.words import plain
from .answers import Answers
from .c_answers import answers, sizes
from .c_texts import level_function
from .column_words import codes_words
from .conditions import Between, Condition, IsMissing, OneOf
from .kinds import EXPORTED
from .model_plan import ModelPlan, NodePlan
from .nested import Nest, braces, nest
from .raw_rows import RawRows

#: Up to so many levels are compared one by one; more are looked up in a text of zeros and ones.
_FEW = 4
#: Longest text of C99.
_LONGEST = 4000

_KNOWN = """\
/* whether a level is known, seen in training or not */
static int known(double code) { return !isnan(code) && code != -1.0; }
"""
_HAS = """\
/* whether the level is one of those marked by a 1 */
static int has(const char *marks, int count, double code) {
  return code >= 0.0 && code < count && code == floor(code) && marks[(int)code] == '1';
}
"""
_ENDS = """\
/* Where the parts of a row end; returns how many, at most {most}. */
static int ends(const double *x, int *end, double *share) {{
  int waiting[{deep}], n = 1, found = 0;
  double part[{deep}];
  waiting[0] = 0;
  part[0] = 1.0;
  while (n > 0) {{
    const int at = go_on(waiting[--n], x);
    const double size = part[n];
    if (at >= 0) {{
      end[found] = at;
      share[found++] = size;
    }} else {{
      const int first = FIRST[-at - 1];
      int child;
      for (child = first + COUNT[-at - 1] - 1; child >= first; --child)
        if (SHARES[child] > 0.0) {{
          waiting[n] = child;
          part[n++] = size * SHARES[child];
        }}
    }}
  }}
  return found;
}}
"""
_LARGEST = """\
/* {comment}; of a row that is shared out, the one with the largest share */
int {prefix}node(const double *x) {{
  int end[{most}], best = -1, i, found;
  double share[{most}], size = 0.0;
{guard}  found = ends(x, end, share);
  for (i = 0; i < found; ++i) {{
    const double gap = share[i] - size;
    if (gap > 1e-12 || (gap >= -1e-12 && end[i] < best)) {{
      best = end[i];
      size = share[i];
    }}
  }}
  return best;
}}
"""
_NODE_COMMENT = "the number of the node in which a row ends"


#: Whether a number is a missing value: where a level that is new goes with it, and where it does not.
_NUMBER, _LEVEL = ("isnan({})", "isnan({})"), ("!known({})", "isnan({0}) || {0} == -1.0")
_MISSING = ByKind(numeric=_NUMBER, ordinal=_LEVEL, nominal=_LEVEL, temporal=_NUMBER)


def write(plan: NodePlan, options: dict) -> str:
    """Source of ``node``, ``predict`` and, for classes, ``predict_proba``; with ``level`` for levels that are texts."""
    prefix = options["prefix"]
    _refuse_wide(plan)
    parts = nest(plan, braces(lambda c: condition(plan, c), "const int"))
    body = "\n".join([_parts(parts), *_entrance(plan, parts, prefix)])
    return "\n".join([*head(plan, prefix, body, _tables(plan)), body, *answers(plan, prefix)])


def head(plan: ModelPlan, prefix: str, body: str, tables: list[str]) -> list[str]:
    """The comments, the tables, and the functions that read the values of a row, as far as a body calls them.

    Raises
    ------
    ParameterError
        The prefix cannot begin a name.
    """
    if prefix and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", prefix):
        raise ParameterError(must_be("prefix", "letters, digits and _, as in names of C", prefix))
    texts = level_function(plan, prefix)
    lines = [*_comments(plan), "#include <math.h>", *(["#include <string.h>"] if texts else []), "", *tables]
    lines += [_KNOWN] * ("known(" in body) + [_HAS] * ("has(" in body)
    known = [line for j in plan.features for line in reading(plan, j)[1]]
    return [*lines, *texts, *known]


def _refuse_wide(plan: NodePlan) -> None:
    for c in plan.conditions:
        if isinstance(c, Between) and int in (type(c.above), type(c.upto)):
            raise ParameterError(
                "C takes doubles, which do not keep the whole numbers of ", Column(plan.schema[c.feature].name),
                " apart beyond 2**53; ", remedy("export to python, js or sql instead"), ".",
            )  # fmt: skip


def _comments(plan: ModelPlan) -> list[str]:
    """What goes in and what comes out."""
    lines = [plan.heading()]
    for j in plan.features:
        feature = plan.schema[j]
        levels = ", ".join(f"{v} = {plain(str(level))}" for v, level in enumerate(feature.levels))
        what = f"{levels}, -1 or NaN = missing, else another" if levels else "NaN = missing"
        what = ", ".join(filter(None, (EXPORTED.of(feature).counts(feature), what)))
        lines.append(f"x[{j}]: {plain(feature.name)} ({what}{codes_words(feature)})")
    if plan.has_classes:
        labels = ", ".join(f"{k} = {plain(str(label))}" for k, label in enumerate(plan.labels))
        lines.append(f"classes: {labels}")
    return [comment(line) for line in lines]


def comment(text: str) -> str:
    """A text as a comment."""
    return f"/* {text.replace('*/', '* /').replace('/*', '/ *')} */"


def _tables(plan: NodePlan) -> list[str]:
    """Predictions of nodes, by number; and how they share rows out."""
    size = len(plan.value)
    lines = []
    if plan.has_classes:
        if not plan.shares:
            lines += [f"static const int CLASS_OF[{size}] = {{{_joined(plan.value.tolist())}}};"]
        rows = ",\n".join(f"  {{{_joined(row)}}}" for row in plan.probability.tolist())
        lines += [f"static const double PROBABILITIES[{size}][{len(plan.labels)}] = {{\n{rows}}};"]
    else:
        lines += [f"static const double VALUES[{size}] = {{{_joined(plan.value.tolist())}}};"]
    if plan.shares:
        tree = plan.tree
        lines += [f"static const int FIRST[{size}] = {{{_joined(tree.first_child.tolist())}}};"]
        lines += [f"static const int COUNT[{size}] = {{{_joined(tree.n_children.tolist())}}};"]
        lines += [f"static const double SHARES[{size}] = {{{_joined(branch_shares(tree).tolist())}}};"]
    return [*lines, ""]


def _joined(values: list) -> str:
    """Numbers with a line end now and then."""
    words = list(map(repr, values))
    return ",\n  ".join(", ".join(words[i : i + 10]) for i in range(0, len(words), 10))


def reading(plan: ModelPlan, j: int) -> tuple[str, list[str]]:
    """A number of a row as it is compared; and the function that takes its codes for missing values."""
    feature = plan.schema[j]
    numbers = EXPORTED.of(feature).code_numbers(feature)
    if not numbers:
        return f"x[{j}]", []
    test = " || ".join(f"x[{j}] == {number(float(code))}" for code in numbers)
    lines = [f"/* x[{j}], missing where it is a code */", f"static double known_{j}(const double *x) {{"]
    return f"known_{j}(x)", [*lines, f"  return {test} ? NAN : x[{j}];", "}", ""]


def condition(plan: ModelPlan, c: Condition) -> str:
    """A condition on the values of a row."""
    (x, _), feature = reading(plan, c.feature), plan.schema[c.feature]
    if isinstance(c, IsMissing):
        return _MISSING.of(feature)[0].format(x)
    if isinstance(c, Between):
        return _between(x, c)
    if isinstance(c, OneOf):
        return _member(x, c.levels, len(feature.levels))
    return f"(known({x}) && !({_member(x, c.levels, len(feature.levels))}))" if c.levels else f"known({x})"


def _member(x: str, levels: tuple[int, ...], count: int) -> str:
    if len(levels) <= _FEW or count > _LONGEST:
        return " || ".join(f"{x} == {v}.0" for v in levels)
    marks = "".join("1" if v in set(levels) else "0" for v in range(count))
    return f'has("{marks}", {count}, {x})'


def _between(x: str, c: Between) -> str:
    tests = [f"{x} {sign} {number(cut)}" for sign, cut in ((">", c.above), ("<=", c.upto)) if cut is not None]
    return (f"({' && '.join(tests)})" if len(tests) > 1 else tests[0]) if tests else f"!isnan({x})"


def number(value: float) -> str:
    """A double that is read back as the same."""
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(value)


def _parts(parts: Nest) -> str:
    """The functions of the nodes, the deepest first, so that each is known where it is called."""
    lines = []
    for root in sorted(parts.roots, reverse=True):
        body = parts.part(root)
        unused = ["(void)x;"] * (not any("x[" in line or "(x)" in line for line in body))
        lines += [f"static int node_{root}(const double *x) {{", *(f"  {line}" for line in unused + body), "}", ""]
    return "\n".join(lines)


def guard(plan: ModelPlan) -> str:
    """The condition under which the policies refuse a row; "" without any."""
    tests = []
    for j in plan.features:
        feature = plan.schema[j]
        if plan.refuse_missing:
            tests.append(_MISSING.of(feature)[1].format(reading(plan, j)[0]))
        if plan.refused_levels(j):
            everything = IsMissing(j), OneOf(j, tuple(range(len(feature.levels))))
            known = " || ".join(condition(plan, c) for c in everything)
            tests.append(f"!({known})")
        if plan.refuse_infinite and not feature.levels:
            tests.append(f"isinf(x[{j}])")
    return " || ".join(tests)


def _entrance(plan: NodePlan, parts: Nest, prefix: str) -> list[str]:
    """The functions that send a row down."""
    refused = guard(plan)
    test = f"  if ({refused}) return -1;\n" if refused else ""
    words = _NODE_COMMENT + "; -1 when the row is refused" * bool(refused)
    if not plan.shares:
        goes = f"{test}  return node_{plan.root}(x);\n" if plan.steps else f"  (void)x;\n  return {plan.root};\n"
        return [f"{comment(words)}\nint {prefix}node(const double *x) {{\n{goes}}}\n"]
    cases = "\n".join(f"    case {root}: return node_{root}(x);" for root in sorted(parts.roots))
    step = f"static int go_on(int node, const double *x) {{\n  switch (node) {{\n{cases}\n  }}\n  return node;\n}}\n"
    most, deep = sizes(plan)
    attributes = {"prefix": prefix, "guard": test, "comment": words, "most": most, "deep": deep}
    return [step, _ENDS.format(**attributes), _LARGEST.format(**attributes)]


def run(content: str, plan: ModelPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """Predictions of the compiled functions."""
    from .c_engine import run_compiled

    return run_compiled(content, plan, rows, options["prefix"])
