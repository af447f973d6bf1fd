"""The function of exported C that finds the place of a text among the levels of a feature."""

from __future__ import annotations

from ..errors import ParameterError
from .codes import spelled
from .model_plan import ModelPlan

_IS_CODE = """\
/* whether a text, without blanks at its ends, is one of some codes for a missing value */
static int is_code(const char *text, const char *const *codes, int count) {
  const char *const blanks = " \\t\\n\\r\\f\\v";
  size_t size;
  int i;
  text += strspn(text, blanks);
  size = strlen(text);
  while (size > 0 && strchr(blanks, text[size - 1]) != NULL) --size;
  for (i = 0; i < count; ++i)
    if (strlen(codes[i]) == size && memcmp(text, codes[i], size) == 0) return 1;
  return 0;
}
"""
_LEVEL = """\
/* The place of a text level of x[feature]: -1 for NULL (missing){codes}, -2 for a text that training did not have. */
double {prefix}level(int feature, const char *text) {{
{texts}
  const char *const *known_texts = NULL;
  int count = 0, i;
  if (text == NULL) return -1.0;
  switch (feature) {{
{cases}
  }}
  for (i = 0; i < count; ++i)
    if (strcmp(text, known_texts[i]) == 0) return i;
  return -2.0;
}}
"""


def level_function(plan: ModelPlan, prefix: str) -> list[str]:
    """The function that finds the place of a text."""
    levels = {j: plan.schema[j].levels for j in plan.features}
    levels = {j: known for j, known in levels.items() if known and all(isinstance(v, str) for v in known)}
    if not levels:
        return []
    texts = [
        f"  static const char *const texts_{j}[{len(known)}] = {{{', '.join(map(_text, known))}}};"
        for j, known in levels.items()
    ]
    codes = {j: spelled(plan.schema[j]).texts for j in levels}
    codes = {j: found for j, found in codes.items() if found}
    texts += [
        f"  static const char *const codes_{j}[{len(found)}] = {{{', '.join(map(_text, found))}}};"
        for j, found in codes.items()
    ]
    cases = []
    for j, known in levels.items():
        if j in codes:
            cases += [f"    case {j}:", f"      if (is_code(text, codes_{j}, {len(codes[j])})) return -1.0;"]
            cases += [f"      known_texts = texts_{j};", f"      count = {len(known)};", "      break;"]
        else:
            cases.append(f"    case {j}: known_texts = texts_{j}; count = {len(known)}; break;")
    of_codes = " and for codes" * bool(codes)
    level = _LEVEL.format(prefix=prefix, texts="\n".join(texts), cases="\n".join(cases), codes=of_codes)
    return [_IS_CODE, level] if codes else [level]


def _text(text: str) -> str:
    """A text in quotation marks, in the bytes of UTF-8; signs that are not plain are written by number."""
    if "\0" in text:
        raise ParameterError(f"C cannot hold the level {text!r}: a text ends at the character NUL.")
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise ParameterError(f"the level {text!r} holds half of a surrogate pair, which has no UTF-8.") from error
    return '"' + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in data) + '"'
