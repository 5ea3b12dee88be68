"""The faults that scripts/mutate can plant in C code: where each one fits, and what it writes there."""

import dataclasses
import re


@dataclasses.dataclass(frozen=True, order=True)
class Fault:
    path: str
    start: int  # offsets in the file's text: [start, end) becomes `new`
    end: int
    operator: str
    new: str

    def apply(self, text):
        return text[: self.start] + self.new + text[self.end :]


# Comments, strings, characters, and lines of the preprocessor.
NO_CODE = re.compile(
    r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | ^[ \t]*\#(?:\\\n|[^\n])*""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


def code_of(text):
    """The text with blanks for what is no code, and for what is outside of functions."""
    text = NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    kept, depth, is_function = [], 0, False
    for position, char in enumerate(text):
        if char == "{":
            if depth == 0:
                is_function = text[:position].rstrip().endswith(")")
            depth += 1
        elif char == "}":
            depth -= 1
        kept.append(char if char == "\n" or (depth and is_function) else " ")
    return "".join(kept)


def operand_end(code, position):
    """The end of the operand of && or || that begins at `position`."""
    depth = 0
    while position < len(code):
        char = code[position]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (char in ";,?:" or code[position : position + 2] in ("&&", "||")):
            break
        position += 1
    return position


def operand_start(code, position):
    """The start of the operand of && or || that ends at `position`."""
    depth = 0
    while position > 0:
        char = code[position - 1]
        if char in ")]}":
            depth += 1
        elif char in "([{":
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (
            char in ";,?:"
            or code[position - 2 : position] in ("&&", "||")
            or (char == "=" and code[position - 2 : position - 1] not in "=!<>" and code[position] != "=")
            or re.search(r"\breturn$", code[max(0, position - 8) : position])
        ):
            break
        position -= 1
    return position


def dropped_conditions(code):
    """a && b becomes a, and b; likewise a || b."""
    for match in re.finditer(r"&&|\|\|", code):
        end = operand_end(code, match.end())
        start = operand_start(code, match.start())
        yield match.start(), end, "right operand dropped", ""
        yield start, match.end(), "left operand dropped", " "


def call_end(code, position):
    """The offset after the parenthesis that closes the one at `position`."""
    depth = 0
    for offset in range(position, len(code)):
        depth += {"(": 1, ")": -1}.get(code[offset], 0)
        if depth == 0:
            return offset + 1
    return len(code)


KEYWORDS = "if|for|while|switch|return|sizeof|do|else|goto|case|_Static_assert"


def dropped_calls(code):
    """f(x); as a statement becomes nothing."""
    for match in re.finditer(rf"^[\t ]*(?:\(void\))?(?!(?:{KEYWORDS})\b)[A-Za-z_]\w*\(", code, re.MULTILINE):
        end = call_end(code, match.end() - 1)
        if code[end : end + 1] == ";":
            yield match.start(), end, "call dropped", "\t(void)0"


def dropped_assignments(code):
    """a->b = c; becomes nothing. (Without its first value, a variable would not compile.)"""
    place = r"\*?[A-Za-z_][\w.]*(?:->[\w.]+|\[[^\]\n]*\]|\.\w+)*"
    for match in re.finditer(rf"^[\t ]*{place} (?:[-+|&]?=) [^;=]*;", code, re.MULTILINE):
        yield match.start(), match.end() - 1, "assignment dropped", "\t(void)0"


SWAPS = [
    (r"(?<![<>=!+\-*/|&^%])<(?![<=])(?=\s)", "<="),
    (r"<=", "<"),
    (r"(?<![-<>])>(?![>=])(?=\s)", ">="),
    (r"(?<![<>-])>=", ">"),
    (r"(?<![<>=!+\-*/|&^%])==", "!="),
    (r"!=", "=="),
    (r"\breturn true\b", "return false"),
    (r"\breturn false\b", "return true"),
    (r"(?<=[(\s!])!(?=[A-Za-z_(])", ""),
    (r" [+-] 1\b(?!\.)", ""),
]


def swapped_tokens(code):
    for pattern, new in SWAPS:
        for match in re.finditer(pattern, code):
            yield match.start(), match.end(), f"{match.group().strip()} became {new.strip() or 'nothing'}", new


def weakened_orders(code):
    for match in re.finditer(r"(?<!__atomic_signal_fence\()__ATOMIC_(RELEASE|ACQUIRE|ACQ_REL|SEQ_CST)\b", code):
        yield match.start(), match.end(), f"{match.group(1).lower()} became relaxed", "__ATOMIC_RELAXED"


LOGIC = (dropped_conditions, dropped_calls, dropped_assignments, swapped_tokens)


def faults_in(path, text, kinds=LOGIC):
    """Every fault that fits the file, in its order."""
    code = code_of(text)
    found = {Fault(path, *place) for kind in kinds for place in kind(code)}
    return sorted(fault for fault in found if fault.apply(text) != text)
