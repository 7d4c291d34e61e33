"""The second level of the cache, with real servers and with every kind of broken one."""

from __future__ import annotations

import base64
import importlib.util
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cache_project import Project, events, free_port, wait_for

from rex_build.base.diagnostics import UsageError

needs_http = pytest.mark.skipif(importlib.util.find_spec("urllib3") is None, reason="urllib3 is not installed")
needs_redis = pytest.mark.skipif(importlib.util.find_spec("redis") is None, reason="redis-py is not installed")
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
REDIS = shutil.which("redis-server")


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """(address, folder) of an nginx that accepts PUT."""
    if NGINX is None:
        pytest.skip("no nginx here")
    port = free_port()
    folder = tmp_path / "served"
    folder.mkdir()
    for path in (folder, *folder.parents):
        if path.is_relative_to(tmp_path):
            path.chmod(0o777)
    user = "user root;" if os.geteuid() == 0 else ""
    config = tmp_path / "nginx.conf"
    config.write_text(f"""{user} daemon off; pid {tmp_path}/nginx.pid; error_log {tmp_path}/error.log;
events {{}}
http {{ access_log {tmp_path}/access.log; client_body_temp_path {tmp_path}/body; proxy_temp_path {tmp_path}/p;
fastcgi_temp_path {tmp_path}/f; uwsgi_temp_path {tmp_path}/u; scgi_temp_path {tmp_path}/s; client_max_body_size 1g;
server {{ listen 127.0.0.1:{port}; root {folder}; location / {{ dav_methods PUT; create_full_put_path on; }} }} }}
""")
    server = subprocess.Popen([NGINX, "-c", str(config), "-e", f"{tmp_path}/error.log"])
    wait_for(port)
    yield f"http://127.0.0.1:{port}", folder
    server.terminate()
    server.wait()


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[str]:
    """The address of a Redis of its own."""
    if REDIS is None:
        pytest.skip("no redis-server here")
    port = free_port()
    command = [REDIS, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    wait_for(port)
    yield f"redis://127.0.0.1:{port}/0"
    server.terminate()
    server.wait()


def _elsewhere(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Another machine: an empty local store and another checkout."""
    monkeypatch.setenv("REX_BUILD_CACHE_DIR", str(tmp_path / "second store"))
    return Project(tmp_path / "second checkout")


@needs_http
@pytest.mark.parametrize("layout", ["flat", "subdirs", "bazel"])
def test_nginx(
    project: Project, nginx: tuple[str, Path], layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, folder = nginx
    monkeypatch.setenv("REX_BUILD_CACHE_REMOTE", f"{address}/cache|layout={layout}")
    project.lower()
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 2
    depth = {"flat": 2, "subdirs": 3, "bazel": 3}[layout]
    assert {len(path.relative_to(folder).parts) for path in files} == {depth}
    other = _elsewhere(project, tmp_path, monkeypatch)
    assert other.lower() in ("remote hit", "direct hit")
    assert events()["direct hit"] == 1
    shutil.rmtree(folder / "cache")
    assert other.lower() == "direct hit"  # it is in the local store now


@needs_redis
def test_redis(project: Project, redis_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE_REMOTE", redis_server)
    project.lower()
    other = _elsewhere(project, tmp_path, monkeypatch)
    other.lower()
    assert events()["direct hit"] == 1
    assert events()["remote hit"] == 2


@needs_http
def test_a_remote_that_is_only_read(project: Project, nginx: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE_REMOTE", f"{nginx[0]}|read-only")
    project.lower()
    assert not list(nginx[1].iterdir())


class _Bad(BaseHTTPRequestHandler):
    """A broken server. ``behaviour`` is what it does with every request."""

    def answer(self) -> None:
        behaviour = self.server.behaviour  # type: ignore[attr-defined]
        self.server.asked += 1  # type: ignore[attr-defined]
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if behaviour == "password":
            self.server.given.append(self.headers.get("Authorization"))  # type: ignore[attr-defined]
            self.send_error(404 if self.command == "GET" else 200)
        elif behaviour == "error":
            self.send_error(500)
        elif behaviour == "login":
            self.reply(b"<html>please log in</html>")
        elif behaviour == "silent":
            time.sleep(3)
        elif behaviour == "drip":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            for _ in range(40):
                self.wfile.write(b"x")
                time.sleep(0.1)
        elif behaviour == "short":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"x" * 10)
            self.close_connection = True
        elif behaviour == "another":
            self.reply(self.server.entry)  # type: ignore[attr-defined]
        elif behaviour == "redirect":
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:1/")
            self.end_headers()

    do_GET = do_PUT = do_HEAD = answer  # noqa: N815 (http.server's names)

    def reply(self, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            self.close_connection = True


@needs_http
@pytest.mark.parametrize("behaviour", ["error", "login", "silent", "drip", "short", "another", "redirect"])
def test_a_bad_server(
    project: Project,
    behaviour: str,
    own_store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    project.lower("-DFIRST")
    (entry,) = (own_store / "r").glob("*/*")
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Bad)
    server.behaviour, server.asked, server.entry = behaviour, 0, entry.read_bytes()  # type: ignore[attr-defined]
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("REX_BUILD_CACHE_REMOTE", f"http://127.0.0.1:{server.server_port}|timeout=0.5")
    try:
        start = time.monotonic()
        assert project.lower() in ("miss: not seen before", "image miss")
        assert time.monotonic() - start < 6
        assert capsys.readouterr().err.count("warning: cache: remote") >= 1
        asked = server.asked  # type: ignore[attr-defined]
        project.lower("-DOTHER")
        if behaviour not in ("login", "another"):
            assert server.asked == asked  # type: ignore[attr-defined]  # left alone for a while
            assert "warning" not in capsys.readouterr().err
    finally:
        server.shutdown()
        server.server_close()
    assert project.lower() == "direct hit"


def test_nobody_there(project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE_REMOTE", f"http://127.0.0.1:{free_port()}")
    project.lower()
    assert capsys.readouterr().err.count("does not work") == 1
    project.lower("-DX")
    assert "does not work" not in capsys.readouterr().err


def test_a_server_that_accepts_and_says_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        monkeypatch.setenv("REX_BUILD_CACHE_REMOTE", f"http://127.0.0.1:{listener.getsockname()[1]}|timeout=0.3")
        start = time.monotonic()
        assert project.lower() == "miss: not seen before"
        assert time.monotonic() - start < 5


def test_an_address_that_makes_no_sense(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE_REMOTE", "ftp://example.org")
    project.lower()
    assert "unknown kind of address" in capsys.readouterr().err


@needs_http
def test_credentials_are_sent(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Bad)
    server.behaviour, server.asked, server.given = "password", 0, []  # type: ignore[attr-defined]
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("REX_BUILD_CACHE_REMOTE", f"http://me:s%40cret@127.0.0.1:{server.server_port}/rex")
    try:
        project.lower()
    finally:
        server.shutdown()
        server.server_close()
    assert set(server.given) == {"Basic " + base64.b64encode(b"me:s@cret").decode()}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "address",
    [
        "http://me:s%40cret@127.0.0.1:9/rex",
        "https://me:s%40cret@[::1/rex",
        "http://me:pa/s%40cret@127.0.0.1:9",
        "redis://:s%40cret@127.0.0.1:9/0",
        "redis://me:s%40cret#x@127.0.0.1:9/0",
        "redis://127.0.0.1:9/0?password=s%40cret",
        "me:s%40cret@127.0.0.1:9/cache",
        "http:/me:s%40cret@127.0.0.1:9/cache",
        "unix://me:s%40cret@/nowhere",
        "ftp://s%40cret@example.org",
    ],
)
def test_passwords_are_never_shown(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE_REMOTE", address + "|timeout=1")
    project.lower()
    said = capsys.readouterr().err
    assert "does not work" in said
    assert "s%40cret" not in said
    assert "s@cret" not in said


@pytest.mark.parametrize(
    "attribute",
    [
        *("timeout=nan", "timeout=inf", "timeout=-1", "timeout=0", "timeout=x", "timeout="),
        *("layout=tree", "speed=2", "read-only=no"),
    ],
)
def test_attributes_that_make_no_sense(project: Project, monkeypatch: pytest.MonkeyPatch, attribute: str) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE_REMOTE", f"http://127.0.0.1:9|{attribute}")
    with pytest.raises(UsageError, match=attribute.partition("=")[0]):
        project.lower()


def test_a_bar_in_a_password(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows it would be an attribute, and is not shown."""
    monkeypatch.setenv("REX_BUILD_CACHE_REMOTE", "http://me:one|two@127.0.0.1:9/rex")
    with pytest.raises(UsageError, match="write %7C") as error:
        project.lower()
    assert "two" not in str(error.value)
