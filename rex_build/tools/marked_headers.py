"""Makes functions for both sides of those that libstdc++'s headers define, in text that was preprocessed for nvcc.

nvcc makes device functions only of what is ``constexpr``. Most of ``<random>``, and much of ``<bitset>``, ``<memory>``
and others is not. The marks are attributes in front of declarations. nvcc ignores them where they mean nothing.
"""

from __future__ import annotations

import re

# What nvcc says of marks that mean nothing: at declarations of other kinds, at defaulted functions. The last is about
# long double, with which devices compute as with double.
DIAGNOSTICS = ("1835", "1847", "1098", "20012", "20011", "20013", "20015", "20208")
_NEEDED = re.compile(
    r"__host__ (?:__device__ )?function\(\"(?:std|__gnu_cxx)::"
    r"|uses (?:[\w:<>* ]+ )?(?:std|__gnu_cxx)::|throws an exception|identifier \"(?:std|__gnu_cxx)::"
)
_OBJECT = "__attribute__((device)) "
_MARK = f"__attribute__((host)) {_OBJECT}"
_TRAP = "::rex_std_trap()"  # of include/std/rex_std_builtins.h
_TOKEN = re.compile(
    r'(?P<line>^\#.*)|(?P<text>\bR"([^(\n]*)\((?:.|\n)*?\)\3"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\')'
    r"|(?P<word>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[\w.']|[eEpP][+-])*)|(?P<mark>::|->|<<=?|>=|<=|==|!=|&&|\|\||\.\.\.|\S)",
    re.MULTILINE,
)
_MARKER = re.compile(r'# \d+ "(.*)"')
_LIBRARY = re.compile(r"/c\+\+/\d[\d.]*/")
_WORD = re.compile(r"[A-Za-z_]\w*$")
# Headers with classes for the host alone, whose virtual functions classes of the user's override.
_HOSTS = (
    "ios", "basic_ios", "istream", "ostream", "iostream", "fstream", "sstream", "streambuf", "locale", "codecvt",
    "messages_members", "time_members",
    "exception", "nested_exception", "new.", "typeinfo", "stdexcept", "system_error", "thread", "mutex", "std_mutex",
    "std_thread", "future", "condition_variable", "regex", "filesystem", "fs_", "memory_resource", "shared_ptr",
)  # fmt: skip
# Behind these words, parentheses are no parameters.
_NO_NAMES = frozenset(
    """decltype noexcept alignas __attribute__ static_assert sizeof explicit typeof __typeof__ __decltype asm __asm__
    requires throw""".split()  # noqa: SIM905
)
_NEVER = frozenset("using typedef static_assert virtual override asm __asm__ concept template".split())  # noqa: SIM905
_CLASSES = frozenset(("class", "struct", "union"))
_PARTS = {"__real__": 0, "__imag__": 1}
_CLOSING = {"(": ")", "{": "}", "[": "]"}


def needs_marks(said: str) -> bool:
    """Whether nvcc refused a unit for a function of the library."""
    return _NEEDED.search(said) is not None


def marked(text: str) -> str:
    """The text with the functions of the library's headers marked for host and device."""
    pieces, position = [], 0
    for start, end, new in sorted(set(_Declarations(text).edits)):
        if start >= position:
            pieces += [text[position:start], new]
            position = end
    return "".join([*pieces, text[position:]])


def is_for_hosts(file: str) -> bool:
    """Whether a file is one of libstdc++'s headers whose functions only the host has."""
    return _LIBRARY.search(file) is not None and f"{file.rpartition('/')[2]}.".startswith(_HOSTS)


class _Declarations:
    """The declarations of a preprocessed text, and the edits that mark them. Offsets of tokens are numbers of them."""

    def __init__(self, text: str) -> None:
        self.edits: list[tuple[int, int, str]] = []
        self.words: list[str] = []
        self.places: list[tuple[int, int]] = []
        self.ours: list[bool] = []  # whether a token stands in a header of the library
        ours = False
        for match in _TOKEN.finditer(text):
            if match.lastgroup != "line":
                self.words.append(match[0])
                self.places.append(match.span())
                self.ours.append(ours)
            elif marker := _MARKER.match(match[0]):
                ours = _LIBRARY.search(marker[1]) is not None and not is_for_hosts(marker[1])
        self.words += [";"] * 8  # so that what follows a token can be asked for
        self.scopes: list[str] = []  # "namespace", "class", or "template": a class whose members are templates
        at, end = 0, len(self.places)
        while at < end:
            word = self.words[at]
            if word == "}" and self.scopes:
                self.scopes.pop()
            if word in ("}", ";"):
                at += 1
            elif word in ("public", "private", "protected") and self.words[at + 1] == ":":
                at += 2
            else:
                at = self._declaration(at)

    def _behind(self, at: int) -> int:
        """What stands behind the bracket that closes the one at a token."""
        opening, depth = self.words[at], 0
        end = _CLOSING[opening]
        for number in range(at, len(self.places)):
            word = self.words[number]
            depth += (word == opening) - (word == end)
            if depth == 0:
                return number + 1
        return len(self.places)

    def _behind_angle(self, at: int) -> int:
        """The same for a ``<``, where other ones may compare numbers."""
        depth, last = 0, at + 1
        while self.words[at] not in ("{", ";"):
            word = self.words[at]
            if word == "(":
                at = self._behind(at)
                continue
            depth += (word == "<") - (word == ">")
            at += 1
            last = at if word == ">" else last
            if depth == 0:
                return at
        return last

    def _behind_initialisers(self, at: int) -> int:
        """The same for a constructor's initialisers, which begin at a token: the brace that opens its body."""
        while self.words[at] not in (";", "}"):
            while self.words[at] not in ("(", "{", ";"):
                at = self._behind_angle(at) if self.words[at] == "<" else at + 1
            at = self._behind(at) if self.words[at] != ";" else at
            at += self.words[at] == "..."
            if self.words[at] != ",":
                break
            at += 1
        return at

    def _declaration(self, start: int) -> int:
        """Mark the declaration at a token. Returns what stands behind it, or behind the brace of its scope."""
        at, is_template = start, False
        while self.words[at] == "template" and self.words[at + 1] == "<":
            at, is_template = self._behind_angle(at + 1), True
        place = at
        while self.words[place] == "[" and self.words[place + 1] == "[":
            place = self._behind(place)
        seen: list[str] = []
        parameters = 0  # where those of a function open
        has_body = False
        while at < len(self.places):
            word, before = self.words[at], self.words[at - 1] if at > start else ""
            assigned = "=" in seen
            if word in (";", "}"):
                at += word == ";"
                break
            if word == "(":
                is_name = seen[-1:] == ["operator"] or _WORD.match(before) is not None or before in (">", "]")
                if not parameters and not assigned and is_name and before not in _NO_NAMES:
                    parameters = at
                at = self._behind(at)
            elif word == "operator":
                seen.append(word)
                at = self._behind(at + 1) if self.words[at + 1] in ("(", "[") else at + 1
                while self.words[at] not in ("(", ";"):
                    at += 1
            elif word == "<" and _WORD.match(before) and not assigned:
                at = self._behind_angle(at)
            elif word == "[":
                at = self._behind(at)
            elif word == ":" and parameters:
                at = self._behind_initialisers(at + 1)
            elif word == "{" and parameters and not assigned:
                has_body = True
                at = self._behind(at)
                break
            elif word == "{" and (scope := self._scope(seen, is_template)):
                self.scopes.append(scope)
                return at + 1
            elif word == "{":
                at = self._behind(at)
            else:
                seen.append(word)
                at += 1
        if self.ours[start]:
            if parameters:
                self._converted(parameters, at)
                # nvcc leaves out arithmetic of gcc's complex numbers, and would say nothing of it in a marked function.
                is_complex = "__rep" in self.words[parameters:at]
                if not is_complex and self._is_markable(place, parameters, seen, is_template, has_body):
                    self._function(place, parameters, at)
            elif seen[:2] == ["inline", "constexpr"] and not is_template:  # a function object, such as ranges::sort
                self._put(place, place, _OBJECT, inside=False)
        return at

    def _scope(self, seen: list[str], is_template: bool) -> str:
        """The kind of scope that a brace opens behind these words, or an empty text."""
        if seen and (seen[0] in ("namespace", "extern") or seen[:2] == ["inline", "namespace"]):
            return "namespace"
        if "=" in seen or "enum" in seen or _CLASSES.isdisjoint(seen):
            return ""
        return "template" if is_template or "template" in self.scopes else "class"

    def _is_markable(self, place: int, parameters: int, seen: list[str], is_template: bool, has_body: bool) -> bool:
        """Whether all declarations of a function can be for both sides: those whose code the headers have."""
        if not _NEVER.isdisjoint(seen) or seen[:1] in (["extern"], ["requires"]):
            return False
        if not (has_body or is_template or "template" in self.scopes):
            return False
        at = parameters - 1
        while at > place and self.words[at] != "operator" and not _WORD.match(self.words[at]):
            at -= 1
        at -= self.words[at - 1] == "~"
        if self.words[at - 1] == "::" and not is_template:  # defined outside of its class
            return False
        in_class = bool(self.scopes) and self.scopes[-1] != "namespace"
        return in_class or "->" not in seen or "auto" in seen or "operator" in seen  # no deduction guide

    def _function(self, place: int, parameters: int, end: int) -> None:
        self._put(place, place, _MARK, inside=False)
        for number in range(parameters, end):
            if self.words[number : number + 2] == ["throw", "("] and self.words[number + 2] != ")":
                self._put(number, self._behind(number + 1) - 1, _TRAP)

    def _converted(self, start: int, end: int) -> None:
        """Write conversions of complex numbers in constructors, and assignments of their parts, with real numbers.

        nvcc calls functions for the first that devices do not have.
        """
        for at in range(start, end):
            if self.words[at : at + 2] == ["_M_value", "("] and self.words[at + 3 : at + 5] == [".", "__rep"]:
                parts = (f"static_cast<value_type>({self.words[at + 2]}.{part}())" for part in ("real", "imag"))
                self._put(at + 1, at + 7, f"{{{', '.join(parts)}}}")
            elif self.words[at] in _PARTS and self.words[at + 1 : at + 3] == ["_M_value", "="]:
                self._put(at, at + 1, f"reinterpret_cast<value_type *>(&_M_value)[{_PARTS[self.words[at]]}]")

    def _put(self, first: int, last: int, text: str, inside: bool = True) -> None:
        """A text in place of some tokens, or in front of them."""
        start, end = self.places[first][0], self.places[last][1]
        self.edits.append((start, end if inside else start, text))
