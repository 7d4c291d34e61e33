"""The documentation as a site: scripts/website.py makes it, and fails where a link leads nowhere."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import json
import shutil
import subprocess
import threading
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("zensical") is None, reason="zensical is not installed")
_ROOT = Path(__file__).parents[2]
_BROWSER = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None)


@pytest.fixture
def website() -> ModuleType:
    spec = importlib.util.spec_from_file_location("website", _ROOT / "scripts" / "website.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_on_the_list(website: ModuleType) -> None:
    written = subprocess.run(["git", "ls-files", "docs/*.md"], cwd=_ROOT, capture_output=True, text=True, check=True)
    assert {Path(name) for name in written.stdout.split()} - set(website.pages()) == set()


def test_a_person_finds_a_clause(website: ModuleType, tmp_path: Path) -> None:
    """The site is complete on wide and narrow screens, and neither its pages nor its search ask another machine for
    anything."""
    assert website.build(tmp_path) == 0
    for page in ("index.html", "docs/cmake.html", "docs/questions/pointers.html", "examples/separable/index.html"):
        assert (tmp_path / page).read_text().lstrip().startswith("<!")
    assert (tmp_path / "docs/performance.svg").exists()
    assert "is_device_ptr" in json.dumps(json.loads((tmp_path / "search.json").read_text()))
    api = pytest.importorskip("playwright.sync_api")
    if _BROWSER is None:
        pytest.skip("chromium is not here")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, api.sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        browser = playwright.chromium.launch(executable_path=_BROWSER, args=["--no-sandbox"])
        page, asked = browser.new_page(), []
        page.set_default_timeout(30_000)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        wide, narrow = page.get_by_role("button", name="Search"), page.locator("label[for=__search]")
        for width, search in ((1280, wide), (400, narrow)):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(address)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.locator("article img").first.evaluate("image => image.complete && image.naturalWidth > 0")
            search.first.click()
            page.get_by_placeholder("Search").fill("is_device_ptr")
            page.locator("menu li", has_text="OpenMP support").first.click()
            page.wait_for_url("**/docs/openmp.html**")
            page.locator("a.md-footer__link--next").click()
            page.wait_for_url("**/docs/check.html")
            page.locator("a.md-footer__link--prev").click()
            page.wait_for_url("**/docs/openmp.html**")
        assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
        browser.close()
        server.shutdown()


@pytest.mark.parametrize("link", ["docs/nowhere.md", "docs/page.md#nowhere", ""])
def test_links_that_lead_nowhere_are_errors(
    website: ModuleType, tmp_path: Path, link: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text("# Page\n")
    (tmp_path / "README.md").write_text(f"# Start\n\n[a page](docs/page.md#page) [a link]({link or 'docs/page.md'})\n")
    settings = website.CONFIGURATION.read_text().partition("nav:")[0]
    website.CONFIGURATION = tmp_path / "website.yml"
    website.CONFIGURATION.write_text(f"{settings}nav:\n  - README.md\n  - docs/page.md\n")
    website.ROOT = tmp_path
    assert bool(website.build(tmp_path / "out")) == bool(link)
    assert (tmp_path / "out/index.html").exists() != bool(link)
    assert not link or "does not exist" in capfd.readouterr().err
