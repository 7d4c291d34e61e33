"""Context selectors: what matches where, and which variant wins."""

from __future__ import annotations

import pytest

from rex_build.base.diagnostics import InputError, SourceSpan
from rex_build.directives.__main__ import parse_expression
from rex_build.directives.parser import parse_directive
from rex_build.directives.selectors import Context, chosen_variant, score_of


def metadirective(text):
    return parse_directive(
        f"metadirective {text}", lambda start, end: SourceSpan("x.c", 1, start + 1, end - start), parse_expression
    )


CHOICES = [
    ("when(device={kind(gpu)}: teams) default(parallel)", "teams", "parallel"),
    ("when(device={kind(host)}: simd) otherwise(nothing)", "", "simd"),
    ("when(device={kind(fpga)}: simd) otherwise()", "", ""),
    ("when(device={kind(fpga)}: simd) default()", "", ""),
    ('when(device={arch("nvptx64")}: teams) when(implementation={vendor(gnu)}: parallel)', "teams", "parallel"),
    ("when(user={condition(0)}: single) when(user={condition(1)}: masked)", "masked", "masked"),
    ("when(device={kind(any)}: single) when(device={kind(any), arch(nvptx)}: teams)", "teams", "single"),
    ("when(target_device={kind(nohost)}: target) default()", "target", "target"),
    ("when(target_device={isa(sm_90)}: target) default()", "target", "target"),
    ("when(target_device={kind(any), isa(avx2)}: target) default(simd)", "simd", "simd"),
    ("when(user={condition(1)}: single) when(device={kind(any)}: masked)", "masked", "masked"),
    ("when(device={kind(any)}: single) when(user={condition(1)}, device={kind(any)}: masked)", "masked", "masked"),
    ("when(device={kind(any)}: single) when(user={condition(score(3): 1)}: masked)", "masked", "masked"),
    ("when(implementation={vendor(score(9): llvm)}: masked) when(device={kind(gpu)}: single)", "masked", ""),
    ("when(device={arch(nvptx, amdgcn)}, implementation={extension(match_any)}: teams)", "teams", ""),
    ("when(device={kind(cpu), arch(nvptx)}, implementation={extension(match_any)}: single)", "single", "single"),
    ("when(device={kind(cpu, fpga)}, implementation={extension(match_none)}: single)", "single", ""),
    ("when(device={kind(cpu), arch(nvptx)}, implementation={extension(match_all)}: single)", "", ""),
    ("when(device={kind(any)}, implementation={extension(unheard_of)}: single)", "", ""),
    ('when(implementation={vendor("a}: b", "nvidia")}: masked) otherwise(single)', "single", "single"),
]


@pytest.mark.parametrize(("text", "device", "host"), CHOICES)
def test_choice(text, device, host):
    assert chosen_variant(metadirective(text), Context(True)) == device
    assert chosen_variant(metadirective(text), Context(False)) == host


def test_constructs():
    clause = metadirective("when(construct={target, parallel}: simd)").clauses[0]
    assert score_of("construct={target, parallel}", Context(True, ("target", "teams")), clause) is None
    assert score_of("construct={target, parallel}", Context(True, ("target", "parallel", "for")), clause)


def test_constructs_count_by_their_depth():
    around = Context(True, ("target", "teams", "parallel"))
    text = "when(construct={{target, teams}}: single) when({}: masked)"
    assert chosen_variant(metadirective(text.format("construct={parallel}")), around) == "masked"
    assert chosen_variant(metadirective(text.format("construct={target}")), around) == "single"
    assert chosen_variant(metadirective(text.format("device={kind(gpu)}")), around) == "masked"
    assert chosen_variant(metadirective("when(construct={teams, target}: single)"), around) == ""


@pytest.mark.parametrize(
    "selector",
    ["user={condition(n > 2)}", "user={condition(score(n): 1)}", "device=gpu", "implementation={vendor(gnu}"],
)
def test_what_cannot_be_decided_is_an_error(selector):
    clause = metadirective("default(nothing)").clauses[0]
    with pytest.raises(InputError):
        score_of(selector, Context(False), clause)
