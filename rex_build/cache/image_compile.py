"""Making an image that the store does not have, and keeping it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from ..base.outputs import place
from ..tools.backends import backend_of
from .eviction import publish
from .flags import NotCachedError, short_options
from .image import ImageKeys, ImageRequest, base_of, find_image, pack, reads
from .locks import only_one
from .manifest import manifest_with, read_manifest
from .memo import Cache, file_state, read_file
from .remote import Remote
from .step import changed_since, reason_kind
from .store import CacheKey


class ImageMiss:
    """One image on its way through the cache."""

    def __init__(self, request: ImageRequest, keys: ImageKeys, cache: Cache) -> None:
        self._request = request
        self._keys = keys
        self._base = base_of(request)
        self._store = cache.store
        self._settings = cache.settings
        self._remote = Remote(cache.store, cache.settings)
        self._memo = cache.memo

    def made(self, out: str, compiled: Callable[[], tuple[str, str]]) -> str:
        """Have the image at ``out``. Returns what the compiler says or said."""
        said, reason = self._found(out)
        if said is not None:
            return said
        with only_one(self._store, self._keys.anywhere.hexdigest()) as waited:
            if waited:
                self._memo.forget()
                said, reason = self._found(out)
                if said is not None:
                    return said
            source = self._source()
            started_ns = time.time_ns()
            image, said = compiled()
            cost = (time.time_ns() - started_ns) // 10**6
            self._memo.forget()
            self._store.count(f"image miss: {reason_kind(reason)}")
            if source != self._source():
                self._store.count("image not stored: changed meanwhile")
            else:
                self._keep(image, said, cost, started_ns)
            place([(out, read_file(image))], self._request.cu)
        return said

    def _source(self) -> tuple[int, ...]:
        """The state of the ``.cu`` while it holds the text of the key. It may have been written just before."""
        try:
            state = file_state(os.stat(self._request.cu))
            return state if read_file(self._request.cu) == self._request.text else (0,)
        except OSError:
            return ()

    def _found(self, out: str) -> tuple[str | None, str]:
        found, said, cost, reason = find_image(self._store, self._keys, self._base, self._memo)
        if reason and self._fetched():
            found, said, cost, reason = find_image(self._store, self._keys, self._base, self._memo)
        if reason:
            return None, reason
        place([(out, found)], self._request.cu)
        self._store.count("image hit", cost)
        return said, ""

    def _fetched(self) -> bool:
        """Whether the remote level had what is missing here."""
        for key in {self._keys.anywhere.hexdigest(), self._keys.here.hexdigest()}:
            if self._remote.fetch("m", key):
                for record in read_manifest(self._store.get("m", key)):
                    if not record.mismatch(self._base, self._memo) and self._remote.fetch("i", record.result):
                        return True
        return False

    def _keep(self, image: str, said: str, cost: int, started_ns: int) -> None:
        from .discover import dependencies, search_path

        request = self._request
        folder, backend = request.folder, backend_of(request.arch)
        try:
            data = read_file(image)
            names = [name for name in reads(image + ".d") if name != os.path.basename(request.cu)]
            files = [os.path.join(folder, name) for name in names]
            options = [*backend.header_options(request.text, request.options), *request.options]
            words = backend.preprocessor(request.compiler, request.arch, request.cu, options, request.separable)
            path = search_path(words, "c++", folder) if words else None
            unit = (os.path.abspath(request.cu), request.text)
            found = dependencies(files, (), list(short_options(words)), path, folder, unit)
        except OSError:
            return
        if found.not_direct or changed_since(started_ns, files):
            self._store.count("image not stored: " + reason_kind(found.not_direct or "changed meanwhile"))
            return
        # A message or the image itself may name a folder that is not in the key.
        folders = {os.fsencode(folder), *(() if self._keys.sees_names else _line_folders(self._request.text))}
        placed = bool(said) or any(path in text for path in folders for text in (data, *found.files.values()))
        key = self._keys.here if placed else self._keys.anywhere
        result = CacheKey()
        result.field("image of", key.hexdigest())
        # Units that read the same files may differ: by where these were found, or by what was asked for and not read.
        result.field("said", said)
        result.field("image", data)
        payload = pack(data, said, cost)
        if not publish(self._store, self._settings, "i", result.hexdigest(), payload):
            return
        self._remote.offer("i", result.hexdigest())
        record = found.record(result.hexdigest(), self._base, False, self._memo)
        manifest = manifest_with(record, self._store.get("m", key.hexdigest()))
        publish(self._store, self._settings, "m", key.hexdigest(), manifest)
        self._remote.offer("m", key.hexdigest(), changed=True)


def _line_folders(text: bytes) -> set[bytes]:
    """The folders in the ``#line`` directives of a text, relative ones with the slash: they are short words without it,
    and debug information, which has no slashes behind folders, says of them nothing of where they are."""
    folders = set()
    for piece in text.split(b"\n#line ")[1:]:
        name = piece.partition(b"\n")[0].partition(b' "')[2].rstrip(b'"')
        folder = name.rpartition(b"/")[0]
        if folder:
            folders.add(folder if folder.startswith(b"/") else folder + b"/")
    return folders


def image_through_cache(
    request: ImageRequest, cache: Cache | None, out: str, compiled: Callable[[], tuple[str, str]]
) -> str:
    """Have the image at path ``out``, from the store or by ``compiled``. Returns what the compiler says or said.

    That function gives the path of a new image, with a depfile beside it (``.d``), and what the compiler says.
    """
    if cache is not None:
        try:
            keys = ImageKeys(request, cache.memo)
        except NotCachedError as error:
            cache.store.count(f"not cached: {str(error)[:40]}")
        else:
            return ImageMiss(request, keys, cache).made(out, compiled)
    image, said = compiled()
    if cache is not None:
        cache.memo.forget()
    place([(out, read_file(image))], request.cu)
    return said
