"""Random edits of C programs with directives, most of which a compiler still accepts.

Everything works on tokens. A program is cut into its declarations, of which a mutant gets one function and what that
mentions, so that it is small.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_TOKEN = re.compile(
    r"""(?P<space>(?:[^\S\n]|\\\n|/\*.*?\*/|//[^\n]*)+)|(?P<line>\n)
    |(?P<string>(?:u8|[LuU])?"(?:\\.|[^"\\\n])*"|(?:[LuU])?'(?:\\.|[^'\\\n])*')
    |(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)|(?P<word>[^\W\d]\w*)
    |(?P<mark>\.\.\.|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|\#\#|.)""",
    re.DOTALL | re.VERBOSE,
)
_DIRECTIVE = re.compile(r"[^\S\n]*\#(?:\\\n|/\*.*?\*/|[^\n])*", re.DOTALL)
_PRAGMA = re.compile(r"(\s*#\s*pragma\s+omp\s+)(.*)", re.DOTALL)
_KEYWORDS = frozenset((
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed",
    "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "_Bool",
    "_Complex", "_Alignof", "_Alignas", "_Atomic", "_Generic", "_Noreturn", "_Static_assert", "_Thread_local",
    "__attribute__", "__extension__",
))  # fmt: skip
_TYPES = (
    "int", "double", "float", "char", "unsigned", "long", "short", "long long", "unsigned char", "unsigned long",
    "_Bool", "signed char", "unsigned short", "size_t", "long double", "__int128", "float _Complex", "_Float16",
)  # fmt: skip
_OPERATORS = (
    ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"), ("<", ">", "<=", ">=", "==", "!="), ("&&", "||", ","),
    ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="), ("++", "--"), ("!", "~", "-", "+"),
    (".", "->"),
)  # fmt: skip
_NUMBERS = (
    "0", "1", "2", "-1", "3", "7", "8", "64", "255", "1024", "0x7fffffff", "4294967295u", "1u", "1L", "0ull", "1.0",
    "0.5f", "1e10", "0x1p3", "'a'", "07", "(1)", "9223372036854775807", "0b101", "1.0L", "2i",
)  # fmt: skip
# Names that generated code, C++, CUDA or the runtime have.
_NAMES = (
    "_num_blocks_", "__args", "__arg_sizes", "class", "new", "template", "this", "operator", "threadIdx", "blockIdx",
    "private", "namespace", "and", "typename", "n__rex_value", "s__rex_partial", "omp_in", "rex_value", "__rex_x",
    "bool", "true", "min", "max", "warpSize", "i", "n", "a", "main", "M_PI", "grid", "half", "dim3", "std", "nullptr",
)  # fmt: skip
_PREFIXES = (
    "#pragma omp parallel\n", "#pragma omp critical\n", "#pragma omp target\n", "#pragma omp single\n",
    "#pragma omp task\n", "#pragma omp taskgroup\n", "#pragma omp masked\n", "#pragma omp target data map(tofrom: n)\n",
    "#pragma omp parallel for\n", "#pragma omp simd\n", "#pragma omp teams\n", "#pragma omp atomic\n",
    "#pragma omp target teams distribute parallel for\n", "#pragma omp loop bind(thread)\n", "#pragma omp unroll\n",
    "#pragma omp tile sizes(4)\n", "#pragma omp metadirective when(user={condition(1)}: parallel) otherwise(nothing)\n",
    "#pragma omp scope\n", "#pragma omp ordered\n", "#pragma omp sections\n", "#pragma omp barrier\n;",
    "#pragma omp taskwait\n;", "#pragma omp flush\n;", "#pragma omp distribute\n", "#pragma GCC ivdep\n",
    "#pragma unroll\n", "#pragma omp taskloop\n", "#pragma omp master\n", "#pragma omp cancel parallel\n;",
)  # fmt: skip
_CLAUSES = (
    "nowait", "if(1)", "if(n)", "device(0)", "num_threads(4)", "thread_limit(64)", "num_teams(2)", "collapse(2)",
    "schedule(static, 4)", "schedule(dynamic)", "schedule(guided)", "dist_schedule(static, 8)", "default(none)",
    "default(shared)", "defaultmap(tofrom: scalar)", "defaultmap(none)", "private(i)", "firstprivate(n)",
    "lastprivate(i)", "shared(n)", "reduction(+: n)", "reduction(max: n)", "map(tofrom: n)", "map(to: n)",
    "map(alloc: n)", "map(always, from: n)", "depend(inout: n)", "is_device_ptr(a)", "use_device_ptr(a)", "safelen(8)",
    "simdlen(4)", "linear(i)", "aligned(a: 16)", "ordered", "ordered(1)", "order(concurrent)", "proc_bind(close)",
    "copyin(n)", "hint(0)", "untied", "mergeable", "final(0)", "priority(1)", "grainsize(4)", "num_tasks(2)",
    "in_reduction(+: n)", "allocate(n)", "nontemporal(a)", "bind(parallel)", "seq_cst", "update", "capture",
)  # fmt: skip
_ATTRIBUTES = (
    "__attribute__((unused))", "const", "volatile", "register", "static", "_Atomic", "__attribute__((aligned(16)))",
    "__extension__", "__attribute__((may_alias))", "restrict", "inline", "extern", "__attribute__((packed))",
    "__attribute__((noinline))", "_Alignas(32)", "__attribute__((vector_size(16)))", "_Thread_local", "signed",
)  # fmt: skip
_AROUND = (
    ("{ ", " }"), ("if (1) ", ""), ("if (0) ; else ", ""), ("do { ", " } while (0);"), ("for (;;) { ", " break; }"),
    ("switch (1) { default: ", " }"), ("fuzz_label: ", ""), ("while (0) ", ""), ("({ ", " });"),
    ("{ int fuzz_x = 1; ", " }"),
    ("for (int fuzz_i = 0; fuzz_i < 2; fuzz_i++) ", ""), ("switch (1) { case 0: case 1: ", " break; }"),
    ("{ typedef double fuzz_t; ", " }"), ("{ enum { fuzz_e = 3 }; ", " }"), ("{ extern int fuzz_ext; ", " }"),
    ("{;{", "};}"),
)  # fmt: skip
_INSIDE = (
    ("(", ")"), ("((int)", ")"), ("(1 ? (", ") : 0)"), ("(0, ", ")"), ("(+", ")"), ("({ ", "; })"), ("(double)(", ")"),
    ("sizeof(", ")"), ("!(", ")"), ("-(", ")"), ("*&(", ")"), ("__builtin_expect((", "), 1)"),
    ("(__typeof__(", ")){0}"),
    ("_Generic(0, int: ", ")"), ("(unsigned char)(", ")"), ("(", ") + 1"), ("(long)(", ")"), ("__extension__ (", ")"),
)  # fmt: skip

Edit = Callable[["Program", random.Random], None]


class Program:
    """A program that is edited: pieces of text, each a token, white space or a whole preprocessing directive."""

    def __init__(self, text: str) -> None:
        self.pieces: list[str] = []
        at, fresh = 0, True  # fresh: at the start of a line
        while at < len(text):
            match = (_DIRECTIVE.match(text, at) if fresh else None) or _TOKEN.match(text, at)
            assert match is not None
            piece = match[0]
            fresh = piece.endswith("\n") or (fresh and not piece.strip())
            self.pieces.append(piece)
            at = match.end()

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def places(self, wanted: Callable[[str], bool]) -> list[int]:
        return [at for at, piece in enumerate(self.pieces) if wanted(piece)]

    def closing(self, at: int) -> int | None:
        """The place of the bracket that closes the one at ``at``."""
        depth = 0
        for here in range(at, len(self.pieces)):
            if self.pieces[here] in ("(", "[", "{"):
                depth += 1
            elif self.pieces[here] in (")", "]", "}"):
                depth -= 1
                if depth == 0:
                    return here
        return None

    def statements(self) -> list[tuple[int, int]]:
        """(first, last) pieces of statements: what ends with a semicolon, and blocks."""
        found, stack, start, depth = [], [], 0, 0
        for at, piece in enumerate(self.pieces):
            if piece == "(":
                depth += 1
            elif piece == ")":
                depth -= 1
            elif depth:
                continue
            elif piece == "{":
                stack.append((at, start))
                start = at + 1
            elif piece == "}" and stack:
                opened, begun = stack.pop()
                found.append((begun if stack else opened, at))
                start = at + 1
            elif piece == ";":
                if stack:
                    found.append((start, at))
                start = at + 1
        return [(self._solid(first, last), last) for first, last in found]

    def _solid(self, first: int, last: int) -> int:
        while first < last and not self.pieces[first].strip():
            first += 1
        return first


# Cutting


def split(text: str) -> list[str]:
    """The declarations, definitions and directives at file scope, in order."""
    parts, start, depth = [], 0, 0
    pieces = Program(text).pieces
    for at, piece in enumerate(pieces):
        stripped = piece.lstrip()
        if depth == 0 and (stripped.startswith("#") and not start < at - _blanks(pieces, start, at)):
            parts.append("".join(pieces[start : at + 1]))
            start = at + 1
        elif piece in ("{", "(", "["):
            depth += 1
        elif piece in ("}", ")", "]"):
            depth -= 1
        ends = depth == 0 and (piece == ";" or (piece == "}" and _ends_function(pieces, at)))
        if ends:
            parts.append("".join(pieces[start : at + 1]))
            start = at + 1
    return [*parts, "".join(pieces[start:])]


def _blanks(pieces: Sequence[str], start: int, end: int) -> int:
    return sum(1 for piece in pieces[start:end] if not piece.strip() or piece.lstrip().startswith(("//", "/*")))


def _ends_function(pieces: Sequence[str], at: int) -> bool:
    following = next((piece for piece in pieces[at + 1 :] if piece.strip()), "")
    is_name = following.isidentifier() and following not in _KEYWORDS
    return following not in (";", ",", "=") and not (is_name and _is_tag(pieces, at))


def _is_tag(pieces: Sequence[str], at: int) -> bool:
    depth = 0
    for here in range(at, -1, -1):
        if pieces[here] == "}":
            depth += 1
        elif pieces[here] == "{":
            depth -= 1
            if depth == 0:
                before = [piece for piece in pieces[max(0, here - 6) : here] if piece.strip()]
                return bool({"struct", "union", "enum"} & set(before[-2:]))
    return False


_FUNCTION = re.compile(r"\b(\w+)\s*\([^;{}]*\)\s*\{", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*")


def slice_of(parts: Sequence[str], choose: random.Random) -> str:
    """One function with directives, and every other part but functions that nothing of it mentions."""
    code = {at: part for at, part in enumerate(parts) if not part.lstrip().startswith("#")}
    names = {at: match[1] for at, part in code.items() if (match := _FUNCTION.search(part))}
    candidates = [at for at in names if "#pragma omp" in parts[at] or "_Pragma" in parts[at]] or list(names)
    if not candidates:
        return "".join(parts)
    kept = {choose.choice(candidates)} | (set(range(len(parts))) - set(names))
    by_name: dict[str, list[int]] = {}
    for at, name in names.items():
        by_name.setdefault(name, []).append(at)
    waiting = list(kept)
    while waiting:
        for word in set(_WORD.findall(parts[waiting.pop()])):
            for at in by_name.get(word, ()):
                if at not in kept:
                    kept.add(at)
                    waiting.append(at)
    return "".join(part for at, part in enumerate(parts) if at in kept)


# Edits


def _replace(wanted: Callable[[str], bool], make: Callable[[str, random.Random], str]) -> Edit:
    def edit(program: Program, choose: random.Random) -> None:
        if places := program.places(wanted):
            at = choose.choice(places)
            program.pieces[at] = make(program.pieces[at], choose)

    return edit


def _is_word(piece: str) -> bool:
    return piece.isidentifier() and piece not in _KEYWORDS


def _is_type(piece: str) -> bool:
    return piece in ("int", "double", "float", "char", "unsigned", "long", "short", "size_t")


def _is_pragma(piece: str) -> bool:
    return _PRAGMA.match(piece) is not None


def _sibling(piece: str, choose: random.Random) -> str:
    group = next(group for group in _OPERATORS if piece in group)
    return choose.choice(group)


def _operator(program: Program, choose: random.Random) -> None:
    known = {piece for group in _OPERATORS for piece in group}
    _replace(lambda piece: piece in known, _sibling)(program, choose)


def _other_word(program: Program, choose: random.Random) -> None:
    places = program.places(_is_word)
    if places:
        near = choose.choice(places)
        others = [at for at in places if abs(at - near) < 200]
        program.pieces[near] = program.pieces[choose.choice(others)]


def _rename(program: Program, choose: random.Random) -> None:
    places = program.places(_is_word)
    if places:
        old, new = program.pieces[choose.choice(places)], choose.choice(_NAMES)
        word = re.compile(rf"\b{re.escape(old)}\b")
        program.pieces = [
            word.sub(new, piece) if piece == old or _is_pragma(piece) else piece for piece in program.pieces
        ]


def _copy_statement(program: Program, choose: random.Random) -> None:
    if found := program.statements():
        (first, last), (there, _) = choose.choice(found), choose.choice(found)
        if choose.random() < 0.5:
            there = last + 1
        program.pieces[there:there] = ["\n", *program.pieces[first : last + 1], "\n"]


def _delete_statement(program: Program, choose: random.Random) -> None:
    if found := program.statements():
        first, last = choose.choice(found)
        program.pieces[first : last + 1] = [";"]


def _swap_statements(program: Program, choose: random.Random) -> None:
    found = program.statements()
    if len(found) > 1:
        a, b = sorted(choose.sample(found, 2))
        if a[1] < b[0]:
            one, two = program.pieces[a[0] : a[1] + 1], program.pieces[b[0] : b[1] + 1]
            program.pieces[b[0] : b[1] + 1] = one
            program.pieces[a[0] : a[1] + 1] = two


def _around_statement(program: Program, choose: random.Random) -> None:
    if found := program.statements():
        first, last = choose.choice(found)
        before, after = choose.choice(_AROUND)
        program.pieces[last + 1 : last + 1] = [after]
        program.pieces[first:first] = [before]


def _directive_before(program: Program, choose: random.Random) -> None:
    if found := program.statements():
        first, _ = choose.choice(found)
        program.pieces[first:first] = ["\n", choose.choice(_PREFIXES)]


def _operand(program: Program, choose: random.Random) -> tuple[int, int] | None:
    """An expression: what stands in parentheses, a name or a number."""
    opened = list(program.places(lambda piece: piece in ("(", "[")))
    if opened and choose.random() < 0.6:
        at = choose.choice(opened)
        end = program.closing(at)
        if end is not None and end > at + 1 and ";" not in program.pieces[at:end]:
            return at + 1, end - 1
    places = program.places(lambda piece: _is_word(piece) or piece[:1].isdigit())
    return (at := choose.choice(places), at) if places else None


def _around_operand(program: Program, choose: random.Random) -> None:
    if found := _operand(program, choose):
        before, after = choose.choice(_INSIDE)
        program.pieces[found[1] + 1 : found[1] + 1] = [after]
        program.pieces[found[0] : found[0]] = [before]


def _copy_operand(program: Program, choose: random.Random) -> None:
    one, two = _operand(program, choose), _operand(program, choose)
    if one and two:
        program.pieces[two[0] : two[1] + 1] = ["(", *program.pieces[one[0] : one[1] + 1], ")"]


def _macro(program: Program, choose: random.Random) -> None:
    found = _operand(program, choose) if choose.random() < 0.5 else choose.choice(program.statements() or [None])
    if found:
        part = program.pieces[found[0] : found[1] + 1]
        if not any(piece.lstrip().startswith("#") for piece in part):
            program.pieces[found[0] : found[1] + 1] = [" FUZZ_MACRO "]
            text = re.sub(r"//[^\n]*", "", "".join(part)).replace("\n", " ")
            program.pieces.insert(0, f"#define FUZZ_MACRO {text}\n")


def _redeclare(program: Program, choose: random.Random) -> None:
    opened, words = program.places(lambda piece: piece == "{"), program.places(_is_word)
    if opened and words:
        at = choose.choice(opened)
        name, kind = program.pieces[choose.choice(words)], choose.choice(_TYPES)
        what = choose.choice((
            f"{kind} {name} = 1;", f"{kind} {name}[4];", f"typedef {kind} {name};", f"{kind} *{name} = 0;",
            f"enum {{ {name} }};", f"struct {name} {{ {kind} {name}; }} {name};", f"extern {kind} {name};",
            f"static {kind} {name};", f"{kind} {name}(void);", f"{kind} {name};",
        ))  # fmt: skip
        program.pieces.insert(at + 1, " " + what)


def _attribute(program: Program, choose: random.Random) -> None:
    if places := program.places(_is_type):
        at = choose.choice(places)
        program.pieces.insert(at + choose.randrange(2), f" {choose.choice(_ATTRIBUTES)} ")


def _token(program: Program, choose: random.Random) -> None:
    places = program.places(lambda piece: bool(piece.strip()) and not piece.lstrip().startswith("#"))
    if places:
        at, other = choose.choice(places), choose.choice(places)
        match choose.randrange(4):
            case 0:
                del program.pieces[at]
            case 1:
                program.pieces.insert(at, program.pieces[other])
            case 2:
                program.pieces[at], program.pieces[other] = program.pieces[other], program.pieces[at]
            case _:
                blank = choose.choice((" /* fuzz */ ", " \\\n ", "\n", " // fuzz\n", "\f", "\t", "\r\n"))
                program.pieces.insert(at, blank)


def _bytes(program: Program, choose: random.Random) -> None:
    text = program.text
    at = choose.randrange(max(1, len(text)))
    match choose.randrange(5):
        case 0:
            text = text[:at] + chr(choose.randrange(1, 256)) + text[at + 1 :]
        case 1:
            text = text[:at] + text[at + choose.randrange(1, 40) :]
        case 2:
            text = text[:at] + choose.choice("(){}[];,#\"'\\\n<>=*&%: ") + text[at:]
        case 3:
            text = text[: len(text) // 2 + at // 2]
        case _:
            lines = text.split("\n")
            here, there = choose.randrange(len(lines)), choose.randrange(len(lines))
            lines.insert(here, lines[there])
            text = "\n".join(lines)
    program.pieces = Program(text).pieces


# Directives


def clauses_of(words: str) -> tuple[str, list[str]]:
    """A directive's text as its name and its clauses."""
    cut, depth, parts, start = [], 0, [], 0
    for at, character in enumerate(words):
        depth += character in "([{"
        depth -= character in ")]}"
        if depth == 0 and character in " \t,\n":
            cut.append(at)
    for at in [*cut, len(words)]:
        if part := words[start:at].strip(" \t,\\\n"):
            parts.append(part)
        start = at + 1
    merged: list[str] = []
    for part in parts:
        if part.startswith("(") and merged:
            merged[-1] += part
        else:
            merged.append(part)
    count = next((at for at, part in enumerate(merged) if "(" in part or part == "nowait"), len(merged))
    return " ".join(merged[:count]), merged[count:]


class Directives:
    """Edits of directives. Names and clauses come from all programs."""

    def __init__(self, texts: Sequence[str]) -> None:
        names, clauses = set(), set(_CLAUSES)
        for text in texts:
            for piece in Program(text).pieces:
                if match := _PRAGMA.match(piece):
                    name, more = clauses_of(match[2])
                    names.add(name)
                    clauses.update(more)
        self.names, self.clauses = sorted(names), sorted(clauses)

    def edit(self, program: Program, choose: random.Random) -> None:
        places = program.places(_is_pragma)
        if not places:
            return
        at = choose.choice(places)
        match = _PRAGMA.match(program.pieces[at])
        assert match is not None
        if choose.random() < 0.1:
            program.pieces[at] = self._respelled(match[2], choose)
            return
        name, clauses = clauses_of(match[2])
        for _ in range(choose.choice((1, 1, 2))):
            self._change(clauses, choose)
        if choose.random() < 0.15:
            name = choose.choice(self.names)
        program.pieces[at] = f"{match[1]}{name} {choose.choice((' ', ', ')).join(clauses)}"

    def _change(self, clauses: list[str], choose: random.Random) -> None:
        kind = choose.randrange(6)
        if kind == 0 and clauses:
            clauses.pop(choose.randrange(len(clauses)))
        elif kind == 1:
            choose.shuffle(clauses)
        elif kind == 2 and clauses:
            clauses.append(choose.choice(clauses))
        elif kind == 3 and clauses:
            at = choose.randrange(len(clauses))
            inner = Program(clauses[at])
            choose.choice((_operator, _other_word, _around_operand, _token, _number))(inner, choose)
            clauses[at] = inner.text.replace("\n", " ")
        elif kind == 4:
            clauses.append(choose.choice(_CLAUSES))
        else:
            clauses.append(choose.choice(self.clauses))

    @staticmethod
    def _respelled(words: str, choose: random.Random) -> str:
        plain = re.sub(r"\\\n", " ", words)
        quoted = plain.replace("\\", "\\\\").replace('"', '\\"')
        end = choose.choice((" // end", " /* end */", ","))
        return choose.choice((
            f'_Pragma("omp {quoted}")', f"%:pragma omp {plain}", f"#pragma omp \\\n {plain}",
            f"# /* x */ pragma omp {plain}", f"#pragma omp {plain}{end}",
            f"#define FUZZ_O omp\n#pragma FUZZ_O {plain}",
        ))  # fmt: skip


_number = _replace(lambda piece: piece[:1].isdigit(), lambda _, choose: choose.choice(_NUMBERS))
_type = _replace(_is_type, lambda _, choose: choose.choice(_TYPES))


def _line(program: Program, choose: random.Random) -> None:
    places = program.places(lambda piece: piece == "\n")
    if places:
        name = choose.choice(('"<stdout>"', '"-x.c"', "", '"a b.h"', '"<stdin>"', '"/no/such.c"', '""'))
        number = choose.choice(("1", "7", "100000", "2147483647"))
        program.pieces.insert(choose.choice(places), f"\n#line {number} {name}")


def mutant(parts: Sequence[str], directives: Directives, choose: random.Random) -> str:
    """A random program from the parts of one, with one to four edits."""
    program = Program(slice_of(parts, choose))
    edits: list[tuple[int, Edit]] = [
        (6, directives.edit), (3, _operator), (3, _number), (3, _type), (2, _other_word), (3, _rename),
        (3, _copy_statement), (2, _delete_statement), (2, _swap_statements), (4, _around_statement),
        (3, _directive_before), (3, _around_operand), (2, _copy_operand),
        (2, _macro), (3, _redeclare), (2, _attribute), (1, _token), (1, _bytes), (0.3, _line),
    ]  # fmt: skip
    count = choose.choice((1, 1, 1, 1, 2, 2, 3))
    for edit in choose.choices([edit for _, edit in edits], [weight for weight, _ in edits], k=count):
        edit(program, choose)
    return program.text
