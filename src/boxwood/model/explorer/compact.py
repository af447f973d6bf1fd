"""Scripts and styles of the page, without comments, indentation and superfluous blanks."""

from __future__ import annotations

import re

#: Signs beside which a blank has no meaning. Plus and minus are not among them: "a - -b" is not "a--b".
_TIGHT = set("{}()[],;:=<>?&|*!%")
#: After these a slash opens a pattern, and is not a division.
_BEFORE_PATTERN = set("(,=:[!&|?{};\n")
_PATTERN = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'')
_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_WORD = re.compile(r"[\w$]+")
#: The rest of a template literal up to its end, or to the next code in it.
_TEMPLATE = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)


def compact_style(source: str) -> str:
    """A style sheet without needless blanks.

    Examples
    --------
    >>> from boxwood.model.explorer.compact import compact_style
    >>> compact_style("a, b {\\n  color: red; /* why */\\n}\\n")
    'a,b{color:red}'
    """
    source = re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL)
    source = re.sub(r"\s*([{};,])\s*", r"\1", re.sub(r":\s+", ":", source))
    return source.replace(";}", "}").strip()


def compact_script(source: str) -> str:
    """A script without needless blanks; quotes, templates and patterns stay as they are.

    Line ends stay, so that no statement runs into the next.

    Examples
    --------
    >>> from boxwood.model.explorer.compact import compact_script
    >>> compact_script("// why\\nconst a = `x ${ [1, 2] } , y`;\\n  let b = /a , b/g; // what\\n")
    'const a=`x ${[1,2]} , y`;\\nlet b=/a , b/g;\\n'
    """
    out: list[str] = []
    depths: list[int] = []  # open braces within the code of each template that is not yet closed
    at = 0
    while at < len(source):
        piece = _piece(source, at, _last(out))
        at += len(piece)
        if _BLANK.fullmatch(piece):
            _put_blank(out, "\n" if "\n" in piece else " ")
            continue
        if len(piece) == 1 and piece in _TIGHT and out and out[-1] == " ":
            out.pop()
        if depths and piece in "{}":
            depths[-1] += 1 if piece == "{" else -1
            if depths[-1] < 0:
                depths.pop()
                piece = "`"
                rest = _TEMPLATE.match(source, at).group()
                out.append("}" + rest)
                at += len(rest)
                if rest.endswith("${"):
                    depths.append(0)
                continue
        out.append(piece)
        if piece[0] == "`" and piece.endswith("${"):
            depths.append(0)
    return "".join(out)


def _piece(source: str, at: int, last: str) -> str:
    """The next blank, word, text, pattern, opening of a template, or sign."""
    kinds = [_BLANK, _WORD, _TEXT]
    if last == "return" or last[-1] in _BEFORE_PATTERN:
        kinds.append(_PATTERN)
    for kind in kinds:
        found = kind.match(source, at)
        if found:
            return found.group()
    if source[at] == "`":
        return "`" + _TEMPLATE.match(source, at + 1).group()
    return source[at]


def _last(out: list[str]) -> str:
    """The last piece that is not a blank; a line end at the very beginning."""
    for piece in reversed(out):
        if piece not in (" ", "\n"):
            return piece
    return "\n"


def _put_blank(out: list[str], blank: str) -> None:
    """A line end, or a blank where it keeps two words apart."""
    last = out[-1] if out else "\n"
    if last.endswith("\n") or (blank == " " and (last in _TIGHT or last.endswith("${"))):
        return
    if last == " ":
        out.pop()
    out.append(blank)
