"""Context selectors: which variant of a ``metadirective`` or function applies at a place (OpenMP 5.2, chapter 7).

The device counts as an NVIDIA GPU for all images, because they share one text. The host is x86-64 with gcc. Only
``user`` conditions that are numbers can be decided here; the front end has made numbers of constant expressions. A
metadirective with other conditions becomes several whose conditions are numbers (see
c/rewrite/dynamic_metadirectives.py). Calls of functions with such variants ask a function that evaluates the condition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import dataclass, replace
from ..tools.backends import CUDA
from .arguments import outside_brackets
from .clauses import DIRECTIVES
from .model import Clause, Directive, TextClause

_SECTION = "OpenMP 5.2, section 7.1 (OpenMP contexts)"
_DEVICE = {
    "kind": {"any", "nohost", "gpu"},
    "arch": {"nvptx", "nvptx64", "nvptx32"},
    "vendor": {"nvidia", "llvm"},
}
_HOST = {"kind": {"any", "host", "cpu"}, "arch": {"x86_64", "x86", "i386"}, "vendor": {"gnu"}}
_WITH_PROPERTIES = ("kind", "arch", "isa", "vendor", "extension", "condition", "device_num")
_WEIGHTS = {"kind": 1, "arch": 2, "isa": 4}
_NUMBER = regex(r"0|[1-9]\d*")


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
    """The score with which the context selector ``text`` matches, or None if it does not (OpenMP 5.2, section 7.3).

    Raises InputError for malformed selectors, and for conditions that only the run decides.
    """
    total = _constructs_value(constructs_of(text, clause), context.constructs)
    traits = _traits(text, clause)
    extensions = {word for t in traits if t.name == "extension" for word in t.words}
    here = all(t.group in ("device", "implementation", "user") for t in traits)
    if here and extensions in ({"match_any"}, {"match_none"}):
        return _matched_as(extensions.pop(), traits, context, clause)
    for trait in traits if total is not None else ():
        matched = _match(trait, context, clause)
        if matched is None or total is None:
            return None
        total += trait.score if trait.score is not None else matched
    return None if total is None else 1 + total


def _matched_as(extension: str, traits: Sequence[Trait], context: Context, clause: Clause) -> int | None:
    """The score of a selector with clang's extensions, with which any or none of its properties must match."""
    each = [replace(t, words=(word,)) for t in traits if t.name != "extension" for word in t.words]
    values = [t.score or value for t in each if (value := _match(t, context, clause)) is not None]
    return None if bool(values) != (extension == "match_any") else 1 + sum(values)


def constructs_of(text: str, clause: Clause) -> tuple[str, ...]:
    """The constructs that a context selector requires around the place, outermost first."""
    return tuple(t.name for t in _traits(text, clause) if t.group == "construct")


def is_of_vectors(text: str, clause: Clause) -> bool:
    """Whether a context selector requires a function with vector arguments.

    It has ``simd`` with properties of ``declare simd``. Only a compiler that vectorises a loop calls such a function.
    """
    return any(t.group == "construct" and t.name == "simd" and t.words for t in _traits(text, clause))


def best_of(selectors: Sequence[tuple[str, Clause]], context: Context) -> int | None:
    """The number of the context selector that fits best. Each stands with its clause.

    The highest score wins, and the first of equal ones. A selector that is a subset of another one that also fits does
    not count (OpenMP 5.2, section 7.3).
    """
    values = {i: value for i, (s, c) in enumerate(selectors) if (value := score_of(s, context, c)) is not None}
    traits = {i: {(t.group, t.name, t.words) for t in _traits(*selectors[i])} for i in values}
    left = [i for i in values if not any(traits[i] < traits[j] for j in values)]
    return max(left, key=lambda i: (values[i], -i)) if left else None


def _constructs_value(wanted: Sequence[str], around: Sequence[str]) -> int | None:
    """The score of the construct selectors. The constructs have to be around the place in this order.

    The innermost of p constructs counts 2 to the power of p - 1.
    """
    value, place = 0, len(around)
    for name in reversed(wanted):
        place = next((p for p in range(place - 1, -1, -1) if around[p] == name), -1)
        if place < 0:
            return None
        value += 1 << place
    return value


def dynamic_conditions(directive: Directive) -> list[str]:
    """The conditions of a metadirective that only the run decides, as they are written."""
    found = []
    for clause in directive.clauses:
        if isinstance(clause, TextClause) and clause.name == "when":
            selector, _ = _cut_once(clause.text.partition("(")[2].rpartition(")")[0].strip())
            found += undecided(selector, clause)
    return list(dict.fromkeys(found))


def with_condition(text: str, condition: str, value: int) -> str:
    """The text of a directive or context selector with ``value`` in place of ``condition``."""
    tokens = r"\s*".join(map(re.escape, re.findall(r"\w+|\S", condition)))
    written = re.compile(r"\bcondition\s*\((\s*score\s*\([^()]*\)\s*:)?\s*" + tokens + r"\s*\)")
    return written.sub(lambda m: f"condition({m[1] or ''}{value})", text)


def undecided(selector: str, clause: Clause) -> list[str]:
    """The conditions in a context selector that only the run decides."""
    traits = (t for t in _traits(selector, clause) if (t.group, t.name) == ("user", "condition"))
    return [t.words[0] for t in traits if _constant(t.words[0]) is None]


_DEVICE_SET = regex(r"\bdevice\s*=\s*\{([^{}]*\bisa\b[^{}]*)\}")


def with_isa_conditions(text: str, clause: Clause) -> str:
    """The text of a directive or context selector with conditions in place of the instruction sets that it names.

    Only the compilers of the lowered text know which instruction sets there are.
    """

    def asked(match: re.Match[str]) -> str:
        tests = []
        for word in (word for t in _traits(match[0], clause) if t.name == "isa" for word in t.words):
            macro = re.sub(r"\W", "_", word.upper())  # host compilers define it if they use the instruction set
            tests.append(f"__builtin_rex_isa({CUDA.capability(word) or 0}, __{macro}__)")
        return f"{match[0]}, user={{condition({' && '.join(tests)})}}" if tests else match[0]

    return _DEVICE_SET.sub(asked, text)


_TARGET_DEVICE = regex(r"\btarget_device\s*=\s*\{((?:[^{}]|\{[^{}]*\})*)\}")


def with_device_conditions(text: str, clause: Clause) -> str:
    """A metadirective's text with conditions about the devices of ``target_device`` selector sets.

    Only the run knows whether a ``device_num`` is the host's number, and whether the host is the default device.
    """

    def asked(match: re.Match[str]) -> str:
        traits = _traits(match[0], clause)
        number = next((t.words[0] for t in traits if t.name == "device_num"), None)
        of_host, of_device = (all(_fits(t, known) for t in traits) for known in (_HOST, _DEVICE))
        if not of_host and (number is None or not of_device):
            return match[0]  # the default device is a GPU, if there is one
        device, host = f"rex_device_number({number})" if number else "rex_default_device()", "rex_initial_device()"
        condition = f"{device} == {host}"
        if of_device:
            condition = f"{device} >= 0 && {device} {'<=' if of_host else '<'} {host}"
        others = [part for part in listed(match[1]) if not part.startswith("device_num")]
        left = f"target_device={{{', '.join(others)}}}, " if of_device and others else ""
        return f"{left}user={{condition({condition})}}"

    return _TARGET_DEVICE.sub(asked, text)


def _fits(trait: Trait, known: Mapping[str, set[str]]) -> bool:
    """Whether a device of this kind has a trait."""
    if trait.name == "isa":
        return known is _DEVICE and all(map(CUDA.capability, trait.words))
    return trait.name not in known or set(trait.words) <= known[trait.name]


def conditions_alone(directive: Directive) -> dict[str, int]:
    """The conditions that are all that their clause selects by, with their scores. Repeated conditions are left out."""
    found: dict[str, list[int | None]] = {}
    for clause in directive.clauses:
        if isinstance(clause, TextClause) and clause.name == "when":
            selector, _ = _cut_once(clause.text.partition("(")[2].rpartition(")")[0].strip())
            traits = _traits(selector, clause)
            for trait in traits:
                if (trait.group, trait.name) == ("user", "condition"):
                    found.setdefault(trait.words[0], []).append(trait.score or 0 if len(traits) == 1 else None)
    return {condition: scores[0] for condition, scores in found.items() if len(scores) == 1 and scores[0] is not None}


def variants_of(directive: Directive) -> list[str]:
    """The directives that a metadirective may stand for, as text."""
    found = []
    for clause in directive.clauses:
        if isinstance(clause, TextClause):
            argument = clause.text.partition("(")[2].rpartition(")")[0].strip()
            found.append(_cut_once(argument)[1] if clause.name == "when" else argument)
    return [text for text in found if text]


def chosen_variant(directive: Directive, context: Context) -> str:
    """The text of the directive that a metadirective stands for, which is empty for ``nothing``."""
    otherwise = ""
    selectors: list[tuple[str, Clause]] = []
    variants: list[str] = []
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
        selectors.append((selector, clause))
        variants.append(variant)
    best = best_of(selectors, context)
    found = variants[best] if best is not None else otherwise
    return "" if found == "nothing" else found


def _cut_once(text: str) -> tuple[str, str]:
    at = next(iter(outside_brackets(text, ":")), len(text))
    return text[:at].strip(), text[at + 1 :].strip()


def listed(text: str) -> list[str]:
    commas = outside_brackets(text, ",")
    parts = (text[low + 1 : high].strip() for low, high in pairwise([-1, *commas, len(text)]))
    return [part for part in parts if part]


def _traits(text: str, clause: Clause) -> list[Trait]:
    found = []
    for part in listed(text):
        match = re.fullmatch(r"(\w+)\s*=\s*\{(.*)\}", part, re.DOTALL)
        if not match:
            raise error_at(clause.span, f"malformed context selector '{part}'", _SECTION)
        for trait in listed(match[2]):
            one = re.fullmatch(r"(\w+)\s*(?:\((.*)\))?", trait, re.DOTALL)
            if not one:
                raise error_at(clause.span, f"malformed trait '{trait}'", _SECTION)
            argument, score = one[2] or "", None
            scored = re.match(r"\s*score\s*\(\s*(\d+)\s*\)\s*:", argument)
            if re.match(r"\s*score\s*\(", argument) and scored is None:
                raise error_at(clause.span, "'score' takes a constant that is not negative", _SECTION)
            if scored:
                score, argument = int(scored[1]), argument[scored.end() :]
            if one[1] in _WITH_PROPERTIES and not argument.strip():
                raise error_at(clause.span, f"expected a property of the trait '{one[1]}'", _SECTION)
            values = tuple(v.strip('" ') for v in listed(argument)) if one[1] != "condition" else (argument.strip(),)
            if match[1] == "construct" and one[1] not in DIRECTIVES:
                raise error_at(clause.span, f"'{one[1]}' in a construct selector is not a construct", _SECTION)
            found.append(Trait(match[1], one[1], values, score))
    return found


def _match(trait: Trait, context: Context, clause: Clause) -> int | None:
    on_device = context.on_device or trait.group == "target_device"
    known = _DEVICE if on_device else _HOST
    if trait.group == "construct":
        return 0  # they are checked together
    if trait.group == "user" and trait.name == "condition":
        return 0 if _condition(trait.words[0], clause) else None
    weight = _WEIGHTS.get(trait.name, 0) << len(context.constructs)
    if trait.group in ("device", "target_device") and trait.name in ("kind", "arch"):
        return weight if set(trait.words) <= known[trait.name] else None
    if trait.group == "target_device" and trait.name == "device_num":
        return 0
    if trait.group in ("device", "target_device") and trait.name == "isa":  # which of its kind: with_isa_conditions
        return weight if all((CUDA.capability(word) is not None) == on_device for word in trait.words) else None
    if trait.group == "implementation":
        if trait.name == "vendor":
            return 0 if set(trait.words) <= known["vendor"] else None
        if trait.name == "extension":
            return 0 if trait.words == ("match_all",) else None
        return 0  # it is a requirement of the unit
    raise error_at(clause.span, f"context selector '{trait.group}={{{trait.name}}}' is not supported", _SECTION)


def _condition(text: str, clause: Clause) -> bool:
    value = _constant(text)
    if value is None:
        raise error_at(clause.span, f"the condition '{text}' is not constant, which is not supported here", _SECTION)
    return value


def _constant(text: str) -> bool | None:
    """Whether a condition that is a number holds, or None if only the run decides.

    Constant expressions are numbers already, because c/sema/directive_constants.py has replaced them by their values.
    """
    return int(text) != 0 if _NUMBER.fullmatch(text) else None
