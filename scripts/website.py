#!/usr/bin/env python3
"""Build the documentation as a site, with search. It needs `pip install rex-build[docs]`.

    scripts/website.py [-o DIR]       writes to DIR (build/website)
    python3 -m http.server -d build/website

The pages can be opened from a disk, too, but browsers search only what a server gives them. They are the Markdown files
of the repository, so that they can be read there as well. What they link to comes along: files as they are, and folders
as a page that shows their files.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONFIGURATION = ROOT / "docs" / "website.yml"
_LINK = re.compile(r"(\]\()([^)#:]+)(#[^)]*)?(\))")
_LANGUAGES = {".c": "c", ".h": "c", ".cpp": "cpp", ".py": "python", ".toml": "toml", ".txt": "cmake"}


def pages() -> list[Path]:
    """The pages that the site's list names, below the repository's root."""
    return [Path(name) for name in re.findall(r"^ *- (\S+\.md)$", CONFIGURATION.read_text(), re.MULTILINE)]


def collect(folder: Path) -> None:
    """Copy the pages into a folder, with what they link to."""
    open_pages, done = pages(), set[Path]()
    while open_pages:
        page = open_pages.pop()
        if page in done:
            continue
        done.add(page)
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        text = _of_folder(page.parent) if not (ROOT / page).exists() else (ROOT / page).read_text("utf-8")

        def linked(match: re.Match[str], page: Path = page) -> str:
            path = (ROOT / page.parent / match[2]).resolve()
            name = path.relative_to(ROOT.resolve())
            if path.is_dir():
                open_pages.append(name / "README.md")
                return f"{match[1]}{match[2].rstrip('/')}/README.md{match[3] or ''}{match[4]}"
            if path.suffix == ".md" and path.exists():
                open_pages.append(name)
            elif path.exists():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, folder / name)
            return match[0]  # the generator says where a link leads nowhere

        target.write_text(_outside_code(text, linked), "utf-8")


def _outside_code(text: str, linked: Callable[[re.Match[str]], str]) -> str:
    """The text with its links replaced, except in blocks of code."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if number % 2 else _LINK.sub(linked, part) for number, part in enumerate(parts))


def _of_folder(folder: Path) -> str:
    """A page that shows the files of a folder."""
    listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True)
    parts = [f"# {folder}"]
    for name in listed.stdout.splitlines():
        text = (ROOT / name).read_text("utf-8").rstrip("\n")
        parts.append(
            f"## {Path(name).relative_to(folder)}\n\n````{_LANGUAGES.get(Path(name).suffix, 'text')}\n{text}\n````"
        )
    return "\n\n".join(parts) + "\n"


def build(output: Path) -> int:
    """Write the site to a folder. Returns the generator's exit status, which is not 0 if a link leads nowhere."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        collect(work / "pages")
        shutil.copy(CONFIGURATION, work / "mkdocs.yml")
        command = (sys.executable, "-m", "zensical", "build", "--strict", "--config-file", "mkdocs.yml")
        done = subprocess.run(command, cwd=work, capture_output=True, text=True)
        if done.returncode:
            print(done.stdout + done.stderr, file=sys.stderr)
        else:
            shutil.copytree(work / "site", output, dirs_exist_ok=True)
        return done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "website", metavar="DIR")
    output = parser.parse_args().output
    status = build(output)
    if status == 0:
        print(output / "index.html")
    return status


if __name__ == "__main__":
    sys.exit(main())
