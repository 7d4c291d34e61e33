"""Links programs and libraries, and runs commands in which nothing is lowered, with what is checked of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..base.diagnostics import report
from ..base.paths import include_dir
from ..base.records import dataclass
from ..base.work_folder import WorkFolder
from ..render.registration_text import render_registration
from ..tools.runtimes import link_flags, without_openmp_runtimes
from ..tools.targets import backends_of, check_link_flags, select_runtime
from .calls import call
from .command_line import CommandLine
from .device_link import linked_registration, may_need_link, without_records
from .foreign_objects import check_linked, check_objects, check_output, explain_failed_link, linked_files
from .objects import ObjectSettings, common_object

_EMPTY_REGISTRATION = """\
/* rex-build: libomptarget has to have seen a registration before the first omp_* call. Weak: a program that does not
   use it is not made to need it. */
struct rex_descriptor { int images; void *first, *begin, *end; };
extern void __tgt_register_lib(struct rex_descriptor *) __attribute__((weak));
static struct rex_descriptor rex_empty;
static void rex_register_empty(void)
{
    if (__tgt_register_lib)
        __tgt_register_lib(&rex_empty);
}
/* Ahead of all constructors of the program. */
__attribute__((section(".init_array.00100"), used)) static void (*rex_first)(void) = rex_register_empty;
"""


@dataclass(frozen=True)
class Link:
    """A command line that may link, with a folder for the files in between.

    ``variables`` are those that tell gcc where to write what a source depends on.
    """

    compiler: Sequence[str]
    line: CommandLine
    settings: ObjectSettings
    colour: str
    work: WorkFolder
    variables: Mapping[str, str]

    def run_unchanged(self, command: Sequence[str], links: bool) -> int:
        """Run a command in which nothing is lowered. If it ``links`` what brings the runtime, device code is linked."""
        line, settings = self.line, self.settings
        if links and "-r" not in line.words:
            report(check_linked(command, line, settings.on_unsupported), self.colour)
        linked: list[str] = []
        if settings.link_device_code and line.links and may_need_link(linked_files(line)[0]):
            folder, compilers = self.work.path, settings.image_compilers
            linked = linked_registration(command, [], self.compiler[-1:], compilers, folder, settings.keep_in)
        status = self._run([*command, *linked], bool(linked))
        if status and links:
            report(explain_failed_link(command, line, {}), self.colour)
        if not status and line.compiles_only and line.uses_openmp and settings.on_unsupported == "error":
            check_objects({line.object_of(source): source for source in line.sources})
        return status

    def link_objects(
        self, objects: dict[int, str], has_regions: bool, adds_runtime: bool, without_openmp: bool
    ) -> int:
        """Link objects that were made of the sources at these positions, and the other files of the command line."""
        line, settings = self.line, self.settings
        words = line.link_words(objects)
        if without_openmp:
            words = without_openmp_runtimes(words)
            words += ["-fno-openmp"] if line.uses_openmp else []
        runtime = self._runtime_flags(has_regions) if adds_runtime else []
        wrapping = check_link_flags(backends_of(settings.image_targets)) if adds_runtime else []
        front = [*self.compiler, *wrapping, *words]
        command = [*front, *runtime]
        named = {objects[file.position]: file.name for file in line.inputs if file.position in objects}
        known = check_linked(command, line, settings.on_unsupported, named)
        report(known, self.colour)
        linked: list[str] = []
        if adds_runtime and may_need_link([*objects.values(), *linked_files(line)[0]]):
            compilers = settings.image_compilers
            linked = linked_registration(front, runtime, self.compiler[-1:], compilers, self.work.path)
            command = [*front, *linked, *runtime]
        status = self._run(command, bool(linked))
        if status:
            report(explain_failed_link(command, line, named), self.colour)
        else:
            report(check_output(command, line, named, settings.on_unsupported, known), self.colour)
        return status

    def _run(self, command: Sequence[str], has_records: bool) -> int:
        status = call(command, variables=self.variables)
        if has_records and not status:
            without_records(Path(self.line.output or "a.out"))
        return status

    def _runtime_flags(self, has_regions: bool) -> list[str]:
        """The arguments that a link gets in addition: the runtime, of which only the parts in use are linked."""
        settings = self.settings
        backends = backends_of(settings.image_targets)
        runtime = select_runtime(backends, (), settings.llvm_root)
        text = render_registration([]) if settings.starts_devices and not has_regions else _EMPTY_REGISTRATION
        command = [self.compiler[-1], "-x", "c", "-fPIC", f"-I{include_dir()}", "-c"]
        first = common_object(text, command, self.work.path)
        rest = link_flags(runtime)
        return [str(first), "-Wl,--push-state,--as-needed", *rest, "-Wl,--pop-state"]
