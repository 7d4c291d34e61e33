"""Makes the outputs for a unit that has nothing to lower: the user's unchanged text."""

from __future__ import annotations

from ... import __version__
from ...base.comments import in_comment
from ...base.line_directives import line_directive
from .scan import main_body


def passthrough_host(text: bytes, file: str, name: str, anchor: str | None, own_name: str, init: bool) -> str:
    """The user's text with a reference to the anchor, if there is one.

    With ``init``, ``rex_offload_init()`` is called at the head of ``main``, if the program has one: it comes with the
    registration of other units."""
    head = [f"/* rex-build {__version__}: lowered from {in_comment(name)}; unit {'0' * 16}; entries 0 */"]
    at = main_body(text) if init else None
    if at is not None:
        head += ["#ifdef __cplusplus", 'extern "C"', "#endif"]
        head.append('void rex_offload_init(void) __attribute__((__weak__, __visibility__("hidden")));')
        call = b"if (rex_offload_init) rex_offload_init(); 0;"
        ready = b" int __rex_ready __attribute__((__unused__)) = __extension__({ " + call + b" });"
        text = text[:at] + ready + text[at:]  # it is a declaration, as more declarations may follow
    body = text.decode("utf-8", "surrogateescape")
    lines = [*head, line_directive(1, file), body.rstrip("\n")]
    if anchor is not None:
        count = sum(line.count("\n") + 1 for line in lines)
        lines.append(line_directive(count + 2, own_name))
        lines.append(f'__attribute__((__visibility__("hidden"))) extern const char {anchor};')
        lines.append(f"__attribute__((__used__)) static const char *const __rex_keep_{anchor} = &{anchor};")
    return "\n".join(lines) + "\n"


def passthrough_device(name: str) -> str:
    return f"/* rex-build {__version__}: no device code in {in_comment(name)} */\n"
