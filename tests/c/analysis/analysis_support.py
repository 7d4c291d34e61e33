"""Plans of short C texts."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from rex_build.c.front_end import read_unit
from rex_build.pipeline import lower_text, make_plan, preprocessed
from rex_build.plan.rows import Capture
from rex_build.plan.unit import TargetRegion, TranslationUnitPlan
from rex_build.request import Lowered, LowerRequest


def plan(text: str) -> TranslationUnitPlan:
    """The checked plan of a C unit. Raises InputError."""
    with TemporaryDirectory() as folder:
        source = Path(folder, "unit.c")
        source.write_text(text)
        request = LowerRequest(source, Path(folder))
        return make_plan(request, read_unit(preprocessed(request))).plan


def lowered(text: str) -> Lowered:
    """Both generated texts of a C unit."""
    with TemporaryDirectory() as folder:
        source = Path(folder, "unit.c")
        source.write_text(text)
        return lower_text(LowerRequest(source, Path(folder)))


def region(text: str) -> TargetRegion:
    """The only region of a C unit."""
    (found,) = plan(text).regions
    return found


def capture(text: str, name: str) -> Capture:
    """How the only region of a unit captures the variable ``name``."""
    (found,) = (c for c in region(text).captures if c.symbol.name == name)
    return found
