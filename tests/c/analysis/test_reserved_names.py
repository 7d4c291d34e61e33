"""Names that programs may share with generated text: which give way, and which are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from rex_build.base.diagnostics import InputError, source_lines
from rex_build.pipeline import lower, lower_text
from rex_build.request import LowerRequest

REGION = "int f(int n)\n{\n#pragma omp target map(tofrom: n)\n    n += 1;\n    return n;\n}\n"


def request(folder: Path, text: str, *cflags: str) -> LowerRequest:
    (folder / "unit.c").write_text(text)
    source_lines.cache_clear()  # as in another process
    return LowerRequest(source=folder / "unit.c", out_dir=folder, cflags=cflags)


def host(folder: Path, text: str, *cflags: str) -> str:
    return lower_text(request(folder, text, *cflags)).host


def test_generated_names_give_way_to_macros(tmp_path: Path) -> None:
    assert "*__args[]" in host(tmp_path, REGION)
    assert "*__args_2[]" in host(tmp_path, "#define __args 1\n" + REGION)
    assert "*__args_2[]" in host(tmp_path, "#define __args(x) x\n" + REGION)
    assert "*__args_2[]" in host(tmp_path, REGION, "-D__args=1")
    assert "*__args_3[]" in host(tmp_path, "int __args_2;\n" + REGION, "-D", "__args")


def test_headers_of_other_libraries_are_the_users(tmp_path: Path) -> None:
    (tmp_path / "system").mkdir()
    header = tmp_path / "system" / "library.h"
    header.write_text("#define __args 1\nextern int __args_2;\n")
    text = "#include <library.h>\n" + REGION
    assert "*__args_3[]" in host(tmp_path, text, "-isystem", str(header.parent))
    header.write_text("#define rex_row 1\n")
    with pytest.raises(InputError, match="'rex_row' has a name") as caught:
        host(tmp_path, text, "-isystem", str(header.parent))
    assert caught.value.diagnostics[0].span is not None
    assert caught.value.diagnostics[0].span.file == str(header)


def test_names_of_the_headers_for_missing_functions(tmp_path: Path) -> None:
    text = "#include <omp.h>\nint g(omp_interop_t object) { return object != omp_interop_none; }\n" + REGION
    host(tmp_path, text)
    for wrong in ("static int rex_no_property(int x) { return x; }\n", "typedef int rex_no_property;\n"):
        with pytest.raises(InputError, match="'rex_no_property'") as caught:
            host(tmp_path, text + wrong)
        assert caught.value.diagnostics[0].span is not None
        assert caught.value.diagnostics[0].span.line == 9


def test_names_of_the_host_header_may_be_declared_and_called(tmp_path: Path) -> None:
    text = "#include <rex_kmp.h>\nvoid rex_offload_init(void);\nvoid g(void) { rex_offload_init(); }\n"
    text += "#ifdef WITHOUT\n#define rex_offload_init()\n#define rex_blocks 1\n#endif\n"
    include = Path(__file__).parents[3] / "rex_build/include"
    assert "__tgt_target_kernel(" in host(tmp_path, text + REGION, f"-I{include}")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("typedef int rex_int64;\n", 1),
        ("int rex_team_limits;\n", 1),
        ("void rex_offload_init(void);\nstruct rex_extent { int low; };\n", 2),
        ("\n#define rex_row(x) x\n", 2),
    ],
)
def test_other_meanings_are_refused(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(InputError, match="generated code") as caught:
        host(tmp_path, text + REGION)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.line == line


def test_a_macro_that_changes_no_text_is_not_missed_by_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE", "on")
    monkeypatch.setenv("REX_BUILD_CACHE_DIR", str(tmp_path / "cache"))
    header = tmp_path / "macros.h"
    header.write_text("#define OTHER 1\n")
    asked = request(tmp_path, '#include "macros.h"\n' + REGION)
    assert "*__args[]" in lower(asked).host.read_text()
    header.write_text("#define __args 1\n")
    source_lines.cache_clear()
    assert "*__args_2[]" in lower(asked).host.read_text()
