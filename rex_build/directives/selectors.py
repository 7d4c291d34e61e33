"""Context selectors: which variant of a ``metadirective`` or function is meant where (OpenMP 5.2, chapter 7).

The device is taken for an NVIDIA GPU whatever image a program runs, since one text serves all of them; the host for
x86-64 and gcc. Of ``user`` conditions only those that are constant can be decided here.
"""

from __future__ import annotations

import re

from ..diagnostics import InputError, error_at
from ..records import dataclass
from .model import Clause, Directive, TextClause

_SECTION = "OpenMP 5.2, section 7.1 (OpenMP contexts)"
_DEVICE = {
    "kind": {"any", "nohost", "gpu"},
    "arch": {"nvptx", "nvptx64", "nvptx32"},
    "vendor": {"nvidia", "llvm"},
}
_HOST = {"kind": {"any", "host", "cpu"}, "arch": {"x86_64", "x86", "i386"}, "vendor": {"gnu"}}
_WEIGHTS = {"kind": 1, "arch": 2, "isa": 4}
_ARITHMETIC = re.compile(r"[\d\s()+\-*/%<>=!&|^~]*")


@dataclass(frozen=True)
class Context:
    """``constructs`` are the leaf constructs around the place, outermost first."""

    on_device: bool
    constructs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trait:
    """One trait of a selector set: ``kind(gpu, nohost)`` in ``device={...}``."""

    group: str
    name: str
    words: tuple[str, ...]
    score: int | None


def score_of(text: str, context: Context, clause: Clause) -> int | None:
    """How well the context selector ``text`` matches, None when it does not.

    Raises InputError for malformed selectors and conditions that only running the program decides.
    """
    total = 1
    for trait in _traits(text, clause):
        matched = _match(trait, context, clause)
        if matched is None:
            return None
        total += trait.score if trait.score is not None else matched
    return total


def chosen_variant(directive: Directive, context: Context) -> str:
    """The directive that a metadirective stands for, as text; empty for ``nothing``."""
    best, best_score, otherwise = "", 0, ""
    for clause in directive.clauses:
        if not isinstance(clause, TextClause):
            continue
        argument = clause.text.partition("(")[2].rpartition(")")[0].strip()
        if clause.name in ("default", "otherwise"):
            otherwise = argument
            continue
        if clause.name != "when":
            continue
        selector, variant = _cut_once(argument)
        score = score_of(selector, context, clause)
        if score is not None and score > best_score:
            best, best_score = variant, score
    found = best if best_score else otherwise
    return "" if found == "nothing" else found


def _cut_once(text: str) -> tuple[str, str]:
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == ":" and depth == 0:
            return text[:at].strip(), text[at + 1 :].strip()
    return text.strip(), ""


def _split(text: str) -> list[str]:
    parts, depth = [""], 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def _traits(text: str, clause: Clause) -> list[Trait]:
    found = []
    for part in _split(text):
        match = re.fullmatch(r"(\w+)\s*=\s*\{(.*)\}", part, re.DOTALL)
        if not match:
            raise error_at(clause.span, f"malformed context selector '{part}'", _SECTION)
        for trait in _split(match[2]):
            one = re.fullmatch(r"(\w+)\s*(?:\((.*)\))?", trait, re.DOTALL)
            if not one:
                raise error_at(clause.span, f"malformed trait '{trait}'", _SECTION)
            argument, score = one[2] or "", None
            scored = re.match(r"\s*score\s*\(\s*(\d+)\s*\)\s*:", argument)
            if scored:
                score, argument = int(scored[1]), argument[scored.end() :]
            values = tuple(v.strip('" ') for v in _split(argument)) if one[1] != "condition" else (argument.strip(),)
            found.append(Trait(match[1], one[1], values, score))
    return found


def _match(trait: Trait, context: Context, clause: Clause) -> int | None:
    on_device = context.on_device or trait.group == "target_device"
    known = _DEVICE if on_device else _HOST
    if trait.group == "construct":
        return 8 if trait.name in context.constructs else None
    if trait.group == "user" and trait.name == "condition":
        return 16 if _condition(trait.words[0], clause) else None
    if trait.group in ("device", "target_device") and trait.name in ("kind", "arch"):
        return _WEIGHTS[trait.name] if set(trait.words) <= known[trait.name] else None
    if trait.group == "target_device" and trait.name == "device_num":
        return 0
    if trait.group == "device" and trait.name == "isa":
        return _WEIGHTS["isa"] if on_device and all(v.startswith("sm_") for v in trait.words) else None
    if trait.group == "implementation":
        if trait.name == "vendor":
            return 0 if set(trait.words) <= known["vendor"] else None
        if trait.name == "extension":
            return None
        return 0  # a requirement of the unit
    raise error_at(clause.span, f"context selector '{trait.group}={{{trait.name}}}' is not supported", _SECTION)


def _condition(text: str, clause: Clause) -> bool:
    """A constant condition. Only what is plain arithmetic on integer literals is one here."""
    plain = re.sub(r"\btrue\b", "1", re.sub(r"\bfalse\b", "0", text))
    plain = re.sub(r"(\d)[uUlL]+\b", r"\1", plain)
    if not _ARITHMETIC.fullmatch(plain):
        raise _dynamic(text, clause)
    plain = plain.replace("&&", " and ").replace("||", " or ").replace("/", "//")
    plain = re.sub(r"!(?!=)", " not ", plain)
    try:
        return bool(eval(plain, {"__builtins__": {}}))  # noqa: S307 digits and operators only
    except (SyntaxError, ArithmeticError, TypeError):
        raise _dynamic(text, clause) from None


def _dynamic(text: str, clause: Clause) -> InputError:
    return error_at(clause.span, f"the condition '{text}' is not constant, which is not supported", _SECTION)
