"""A tree as R source that needs nothing but R."""

from __future__ import annotations

from functools import partial

from ..views.words import plain
from .answers import Answers
from .column_words import codes_words
from .conditions import Between, Condition, IsMissing, OneOf
from .model_plan import ModelPlan, NodePlan
from .nested import Nest, Signs, nest
from .r_kinds import R_KINDS
from .r_text import ascii_only, literal, vector
from .raw_rows import RawRows
from .values import refuse_wide_cuts, type_of_values
from .wording import decision_costs

_NUMBER = """\
# A column of numbers; truth values count as 0 and 1, and NA and NaN are missing.
number <- function(value, name) {
  if (!is.numeric(value) && !is.logical(value)) stop(name, " must be a column of numbers")
  as.numeric(value)
}
"""
_TEXT_NUMBER = """\
# A column of texts that all are numbers, as numbers; any other column as it is.
text_number <- function(value) {
  if (is.factor(value)) value <- as.character(value)
  if (!is.character(value) || !all(is.na(value) | is_number(value))) return(value)
  as.numeric(value)
}
is_number <- function(text) {
  grepl("^[[:space:]]*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?[[:space:]]*$", text)
}
"""
_WRITTEN_NUMBER = """\
# A column of texts of a form as texts of plain numbers; other texts, and any other column, as they are.
written_number <- function(value, pattern, units, decimal) {
  if (is.factor(value)) value <- as.character(value)
  if (!is.character(value)) return(value)
  text <- gsub("[\\u2212\\u25b3]", "-", gsub("[\\u00a0\\u202f\\u2009]", " ", enc2utf8(value)))
  text <- trimws(gsub("\\u2019", "'", text))
  text[text %in% c("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None")] <- NA
  bare <- text
  for (unit in units) bare <- gsub(unit, "", bare, fixed = TRUE)
  digits <- sub(decimal, ".", gsub(paste0("[^0-9", decimal, "]"), "", bare), fixed = TRUE)
  ifelse(grepl(pattern, text), paste0(ifelse(grepl("[-(]", bare), "-", ""), digits), text)
}
"""
_KNOWN = """\
# A column whose codes for missing values are missing; blanks at the ends of a text do not count.
known <- function(value, texts, numbers) {
  if (is.factor(value)) value <- as.character(value)
  if (is.character(value)) {
    is_code <- trimws(value) %in% texts
    like <- !is_code & is_number(value)
    is_code[like] <- as.numeric(value[like]) %in% numbers
    value[is_code] <- NA
  } else if (is.numeric(value)) {
    value[value %in% numbers] <- NA
  }
  value
}
"""
_TIME = """\
# A column of dates or times as whole numbers; Date, POSIXct and difftime are converted. Datetimes without a time zone
# are read off the clock, whatever the time zone of the column.
time <- function(value, name, seconds, clock) {
  if (inherits(value, "POSIXct")) {
    if (clock) value <- as.POSIXct(format(value, "%Y-%m-%d %H:%M:%OS6"), tz = "UTC")
    value <- as.numeric(value)
  } else if (inherits(value, "Date")) {
    value <- as.numeric(value) * 86400
  } else if (inherits(value, "difftime")) {
    value <- as.numeric(value, units = "secs")
  } else {
    return(number(value, name))
  }
  floor(round(value * 1e6) / (seconds * 1e6))
}
"""
_LEVEL = """\
# A column of levels; what is of another type than they are was not shown to the tree.
level <- function(value, name, is_level, other) {
  if (is.null(value)) stop("there is no column ", name)
  if (is.factor(value)) value <- as.character(value)
  if (is_level(value)) value else ifelse(is.na(value), NA, other)
}
"""
_ENDS = """\
# The nodes in which parts of a row end, each with the share of the row.
ends <- function(x) {
  found <- list()
  waiting <- list(c(0, 1))
  while (length(waiting) > 0) {
    last <- waiting[[length(waiting)]]
    waiting[[length(waiting)]] <- NULL
    part <- PARTS[[as.character(last[1])]]
    at <- if (is.null(part)) last[1] else part(x)
    if (at >= 0) {
      found[[length(found) + 1]] <- c(at, last[2])
    } else {
      for (child in rev(SHARES[[as.character(-at - 1)]])) {
        waiting[[length(waiting) + 1]] <- c(child[1], last[2] * child[2])
      }
    }
  }
  found
}

# The number of the node in which a row ends; of a row that is shared out, the one with the largest share.
end <- function(x) {
  best <- -1
  most <- 0
  for (one in ends(x)) {
    gap <- one[2] - most
    if (gap > 1e-12 || (gap >= -1e-12 && one[1] < best)) {
      best <- one[1]
      most <- one[2]
    }
  }
  best
}

# The predictions of the ends of a row, averaged by shares.
prediction <- function(x) {
  total <- 0 * VALUES[[1]]
  for (one in ends(x)) total <- total + one[2] * VALUES[[as.character(one[1])]]
  total
}
"""
_EACH = """\
# A function of every row of a data frame.
each <- function(data, f, type) {
  columns <- values(data)
  vapply(seq_len(nrow(data)), function(i) f(lapply(columns, function(column) column[[i]])), type)
}
"""


def write(plan: NodePlan, options: dict) -> str:
    """Source of ``tree$node(data)``, ``tree$predict(data)`` and, for classes, ``tree$probability(data)``."""
    refuse_wide_cuts(plan, "R")
    parts = nest(plan, _signs(plan))
    lines = [*_attributes(plan), "", *values_function(plan)]
    for root in sorted(parts.roots):
        lines += [f"node_{root} <- function(x) {{", *(f"  {line}" for line in parts.part(root)), "}", ""]
    lines += [*_entrance(plan, parts), *_functions(plan)]
    functions = ["labels = LABELS", "probability = probability"] if plan.has_classes else []
    return closure(plan, lines, "tree", ["node = node", "predict = predict", *functions])


def closure(plan: ModelPlan, lines: list[str], name: str, members: list[str]) -> str:
    """The whole source: a list of functions that share the rest."""
    body = "\n".join([*lines, f"list({', '.join(members)})"]).replace("\n", "\n  ").replace("\n  \n", "\n\n")
    head = f"# {ascii_only(plan.heading())}\n# {name}$predict(data) predicts the rows of a data frame.\n"
    return f"{head}{name} <- local({{\n  {body}\n}})\n"


def _list(name: str, items: dict[int, str]) -> list[str]:
    lines = [f'  "{key}" = {value},' for key, value in items.items()]
    return [f"{name} <- list(", *lines[:-1], lines[-1].removesuffix(","), ")"]


def _attributes(plan: NodePlan) -> list[str]:
    """Predictions of the nodes, and how rows are shared out."""
    lines = []
    if plan.has_classes:
        type_of_values(plan.labels, plan.response_name, "R")
        lines.append(f"LABELS <- {vector(plan.labels)}")
        lines += _list("CLASS_OF", {t: str(int(plan.value[t]) + 1) for t in plan.ends})
        lines += _list("VALUES", {t: vector(plan.probability[t].tolist()) for t in plan.ends})
    else:
        lines += _list("VALUES", {t: literal(plan.prediction(t)) for t in plan.ends})
    if plan.shares:
        each = {t: ", ".join(f"c({c}, {literal(part)})" for c, part in parts) for t, parts in plan.shares.items()}
        lines += _list("SHARES", {t: f"list({parts})" for t, parts in each.items()})
    return lines


def values_function(plan: ModelPlan) -> list[str]:
    """The functions that read a data frame, refuse what the policies refuse, and go through its rows."""
    calls = " ".join(R_KINDS.of(plan.schema[j]).read(plan.schema[j], "", "") for j in plan.features)
    calls += "text_number(" * ("known(" in calls) + "number(" * ("time(" in calls)
    lines = [text for name, text in _READERS.items() if f"{name}(" in calls]
    lines += ["# The columns that are compared.", "values <- function(data) {", "  x <- list()"]
    for j in plan.features:
        feature = plan.schema[j]
        name = literal(feature.name)
        kind = R_KINDS.of(feature)
        lines.append(f"  # {ascii_only(plain(feature.name))}: {kind.held(feature)}{ascii_only(codes_words(feature))}")
        lines.append(f"  x[[{name}]] <- {kind.read(feature, f'data[[{name}]]', name)}")
        refused = []
        if plan.refuse_missing:
            refused.append((f"is.na(x[[{name}]])", "is missing"))
        if plan.refused_levels(j):
            known = f"is.na(x[[{name}]]) | x[[{name}]] %in% {vector(feature.levels)}"
            refused.append((f"!({known})", f"has a level that the {plan.what} was not shown"))
        if plan.refuse_infinite and (test := kind.is_infinite(f"x[[{name}]]")):
            refused.append((test, "is infinite"))
        lines += [f"  if (any({test})) stop({name}, {literal(f' {why}')})" for test, why in refused]
    return [*lines, "  x", "}", "", _EACH]


_READERS = {
    "number": _NUMBER, "text_number": _TEXT_NUMBER, "written_number": _WRITTEN_NUMBER,
    "known": _KNOWN, "time": _TIME, "level": _LEVEL,
}  # fmt: skip


def condition(plan: ModelPlan, c: Condition) -> str:
    """A condition on the values of a row."""
    feature = plan.schema[c.feature]
    x = f"x[[{literal(feature.name)}]]"
    if isinstance(c, IsMissing):
        return f"is.na({x})"
    if isinstance(c, Between):
        tests = [f"{x} {sign} {literal(cut)}" for sign, cut in ((">", c.above), ("<=", c.upto)) if cut is not None]
        return f"({' && '.join([f'!is.na({x})', *tests])})" if tests else f"!is.na({x})"
    test = f"{x} %in% {vector([feature.levels[v] for v in c.levels])}"
    if isinstance(c, OneOf):
        return test
    return f"(!is.na({x}) && !({test}))" if c.levels else f"!is.na({x})"


def _signs(plan: NodePlan) -> Signs:
    signs = ("if ({}) {{", "}} else if ({}) {{", "}} else {{", "}", "return({})", "return(node_{}(x))")
    return Signs(partial(condition, plan), "||", "&&", *signs, _choose)


def _choose(cases: list[tuple[str, int]], last: int) -> list[str]:
    lines = [f"  if ({test}) {number} else" for test, number in cases]
    return ["branch <-", *lines, f"  {last}"]


def _entrance(plan: NodePlan, parts: Nest) -> list[str]:
    """The functions that send a row down."""
    if plan.shares:
        lines = [*_list("PARTS", {root: f"node_{root}" for root in sorted(parts.roots)}), "", _ENDS]
    else:
        goes = f"node_{plan.root}(x)" if plan.steps else str(plan.root)
        lines = [f"end <- function(x) {goes}", "prediction <- function(x) VALUES[[as.character(end(x))]]", ""]
    return [*lines, "# The number of the node in which each row ends.", "node <- function(data) each(data, end, 0)", ""]


def _functions(plan: NodePlan) -> list[str]:
    """The functions that return predictions."""
    if not plan.has_classes:
        return ["predict <- function(data) each(data, prediction, 0)", ""]
    width = len(plan.labels)
    lines = ["# The probability of each class: a row for each row of the data, a column for each of the labels."]
    lines += [
        f"probability <- function(data) matrix(each(data, prediction, numeric({width})), ncol = {width}, byrow = TRUE)"
    ]
    lines += ["", "predict <- function(data) each(data, function(x) {"]
    costs, gap = decision_costs(plan)
    if not plan.shares:
        lines.append("  LABELS[[CLASS_OF[[as.character(end(x))]]]]")
    elif costs is None:
        lines += ["  p <- prediction(x)", f"  LABELS[[which(p >= max(p) - {literal(gap)})[[1]]]]"]
    else:
        columns = ", ".join(vector([row[k] for row in costs]) for k in range(width))
        lines += [
            "  p <- prediction(x)",
            f"  expected <- vapply(list({columns}), function(cost) Reduce(`+`, p * cost), 0)",
        ]
        lines.append(f"  LABELS[[which(expected <= min(expected) + {literal(gap)})[[1]]]]")
    return [*lines, "}, LABELS[1])", ""]


def run(content: str, plan: ModelPlan, rows: RawRows, options: dict) -> tuple[Answers, str]:
    """The predictions of R for rows."""
    from .r_engine import predict_in_r

    return predict_in_r(content, plan, rows)
