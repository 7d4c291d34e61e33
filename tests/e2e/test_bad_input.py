"""Mistakes in the input: a diagnostic with its place, the right exit status, no traceback, and nothing left behind.

The files of tests/bad_input say in their last lines what must be reported, in order:

    // expect: error LINE:COLUMN "part of the message"

with FILE: before the line where the mistake is in a header.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from execution import TESTS, Outcome, rex_build

FILES = sorted((TESTS / "bad_input").glob("*.c"))
# What C++ units refuse with the same words at the same places. Others are no C++, or not refused there yet.
_IN_BOTH = """
ancestor_in_region assembly_operand_acts atomic_misaligned atomic_of_loose_type atomic_of_value bad_reduction_operator
begin_without_end bit_field_mapped bound_is_floating bound_is_private bound_is_private_in_region break_out_of_loop
break_out_of_region clauses_contradict collapse_not_constant const_arrays const_copies default_none_inside
default_none_unlisted directive_as_attribute directive_as_attribute_malformed directive_without_statement
end_without_begin error_directive first_and_last_of_teams goto_out_of_region in_a_header in_a_macro inline_assembly
is_device_ptr_of_a_scalar iterator_with_side_effects iterator_without_step line_markers line_without_name line_zero
linear_imperfect_nest linear_reference long_double_variable malformed_in_region map_type_of_another_directive
mapper_hidden_name mapper_of_scalar mapper_unknown metadirective_case metadirective_conditions metadirective_twice
nesting misplaced_clause misplaced_clause_on_update misplaced_directive missing_header nested_target newer_in_region
newer_openmp no_map_type reduction_bits reduction_of_a_pointer reduction_of_parts_of_rows
reduction_reads_original_in_tasks repeated_clause repeated_items return_from_data_region return_from_region
section_empty_parts section_malformed section_negative section_not_contiguous section_of_a_scalar
section_of_void_pointer section_stride_zero section_too_long section_with_stride section_without_length
structure_in_itself subscript_is_floating threadprivate_in_region two_errors unclosed_clause undeclared_behind_pragma
undeclared_in_clause undeclared_in_region undefined_function_deeper unknown_clause unknown_combination
unknown_directive unmapped_pointer_member unsupported_directive unsupported_in_region update_without_motion
variable_in_two_clauses variants_in_variants
"""
BOTH = [TESTS / "bad_input" / f"{name}.c" for name in _IN_BOTH.split()]

_EXPECT = re.compile(r'^// expect: error (?:([\w/.]+):)?(\d+):(\d+) "(.*)"$', re.MULTILINE)
_ERROR = re.compile(r"^(.+?):(\d+):(\d+): error: (.*)$", re.MULTILINE)

GOOD = "int f(int n)\n{\n#pragma omp target map(tofrom: n)\n    n += 1;\n    return n;\n}\n"


def lower(source: Path, out: Path, *options: str | Path) -> Outcome:
    command = ("lower", source, "--out-dir", out, "--depfile", out / "unit.d", *options)
    standard = "-std=gnu++17" if source.suffix == ".cpp" else "-std=gnu11"
    return rex_build(*command, "--", standard, f"-I{TESTS / 'bad_input'}")


def assert_clean(outcome: Outcome, status: int) -> None:
    assert outcome.status == status, outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert "internal error" not in outcome.stderr
    assert outcome.stdout == ""


def assert_nothing_left(folder: Path) -> None:
    assert [path for path in folder.rglob("*") if path.is_file()] == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("source", FILES, ids=[path.stem for path in FILES])
def test_bad_input(source: Path, tmp_path: Path) -> None:
    check(source, tmp_path)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("source", BOTH, ids=[path.stem for path in BOTH])
def test_bad_input_in_cxx(source: Path, tmp_path: Path) -> None:
    copy = tmp_path / "source" / f"{source.stem}.cpp"
    copy.parent.mkdir()
    copy.write_bytes(source.read_bytes())
    (tmp_path / "lowered").mkdir()
    check(copy, tmp_path / "lowered")


def check(source: Path, tmp_path: Path) -> None:
    """The file is refused as its last lines say, and nothing is written."""
    text = source.read_text()
    expected = [(name or source.name, int(line), int(column)) for name, line, column, _ in _EXPECT.findall(text)]
    assert expected, "the file does not say what is wrong with it"

    outcome = lower(source, tmp_path / "out")

    assert_clean(outcome, 1)
    reported = [(file, int(line), int(column)) for file, line, column, _ in _ERROR.findall(outcome.stderr)]
    assert [place[1:] for place in reported] == [place[1:] for place in expected], outcome.stderr
    for (file, *_), (name, *_) in zip(reported, expected, strict=True):
        assert file.endswith(name)
    for (*_, message), (*_, part) in zip(_ERROR.findall(outcome.stderr), _EXPECT.findall(text), strict=True):
        assert part in message
    # The line itself and a caret below it.
    assert re.search(r"^ *\d+ \| .*\n +\| \s*\^", outcome.stderr, re.MULTILINE), outcome.stderr
    assert_nothing_left(tmp_path)
    way = "--on-unsupported=host"
    assert way not in outcome.stderr or lower(source, tmp_path / "host", way).status == 0, "the way out leads nowhere"


def test_every_error_of_a_file_is_reported_at_once(tmp_path: Path) -> None:
    assert lower(TESTS / "bad_input" / "two_errors.c", tmp_path).stderr.count(": error: ") == 2


def test_a_loop_that_is_not_canonical_has_a_form_that_is(tmp_path: Path) -> None:
    outcome = lower(TESTS / "bad_input" / "not_canonical_condition.c", tmp_path)
    assert "note: write it as 'for (int i = first; i < end; i += step)'" in outcome.stderr


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_a_loop_variable_that_the_body_changes_has_a_cure(suffix: str, tmp_path: Path) -> None:
    source = tmp_path / f"rows{suffix}"
    directive = "#pragma omp target teams distribute parallel for map(a[0:2 * n])"
    loop = "for (int i = 0; i < n; ++i) {{\n        {copy}\n        a[{row}] = 1;\n    }}"
    text = f"void f(int n, int *a)\n{{{{\n{directive}\n    {loop}\n}}}}\n"

    source.write_text(text.format(copy="i = 2 * i;", row="i"))
    refused = lower(source, tmp_path / "out")
    assert ":5:9: error: the loop variable 'i' is changed in the loop" in refused.stderr
    assert "note: change a copy of it, which the loop's body declares" in refused.stderr

    source.write_text(text.format(copy="int row = 2 * i;", row="row"))
    assert lower(source, tmp_path / "out").status == 0


# What is wrong around the input


@pytest.fixture
def good(tmp_path: Path) -> Path:
    source = tmp_path / "src" / "good.c"
    source.parent.mkdir()
    source.write_text(GOOD)
    return source


def test_missing_file(tmp_path: Path) -> None:
    outcome = lower(tmp_path / "none.c", tmp_path / "out")
    assert_clean(outcome, 1)
    assert "none.c" in outcome.stderr
    assert "no such file" in outcome.stderr.lower()
    assert_nothing_left(tmp_path)


def test_file_that_cannot_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "folder.c"
    folder.mkdir()
    outcome = lower(folder, tmp_path / "out")
    assert_clean(outcome, 1)
    assert "folder.c" in outcome.stderr
    assert_nothing_left(tmp_path)


def test_output_folder_that_cannot_be_written(good: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where a folder is wanted")
    outcome = lower(good, tmp_path / "taken" / "out")
    assert_clean(outcome, 3)
    assert "taken" in outcome.stderr
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {"good.c", "taken"}


def test_compiler_that_is_not_there(good: Path, tmp_path: Path) -> None:
    outcome = lower(good, tmp_path / "out", "--cc", "no-such-compiler-anywhere")
    assert outcome.status in {2, 3}
    assert "no-such-compiler-anywhere" in outcome.stderr
    assert_nothing_left(tmp_path / "out")


def test_a_failed_run_keeps_the_last_good_output(good: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert lower(good, out).status == 0
    before = {path: path.read_bytes() for path in out.iterdir()}
    good.write_text(GOOD.replace("tofrom", "tofron"))
    assert_clean(lower(good, out), 1)
    assert {path: path.read_bytes() for path in out.iterdir()} == before


@pytest.mark.compile
def test_device_compiler_that_fails_on_generated_code(good: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert lower(good, out).status == 0
    device_file = out / "rex_lib_good.cu"
    text = device_file.read_text()
    assert "+= 1" in text
    device_file.write_text(text.replace("+= 1", "+= no_such_name"))
    outcome = rex_build("device", device_file, "--arch", "cpu", "-o", out / "good.cpu.so")
    assert_clean(outcome, 3)
    assert re.search(r"good\.c:4:\d+: error: .*no_such_name", outcome.stderr), outcome.stderr
    assert not (out / "good.cpu.so").exists()


@pytest.mark.compile
def test_cc_leaves_no_program_behind(tmp_path: Path) -> None:
    program = tmp_path / "program"
    outcome = rex_build("cc", "--device", "cpu", "-o", program, TESTS / "bad_input" / "unknown_clause.c")
    assert_clean(outcome, 1)
    assert_nothing_left(tmp_path)


def test_usage(good: Path) -> None:
    for arguments in ([], ["lower"], ["lower", good], ["lower", good, "--no-such-option"], ["no-such-command"]):
        outcome = rex_build(*arguments)
        assert_clean(outcome, 2)
