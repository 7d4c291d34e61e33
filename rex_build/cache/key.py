"""Cache keys. A key is a digest over named fields, and the fields can be printed and compared."""

from __future__ import annotations

try:
    # hashlib would load OpenSSL, which takes several times as long as the rest of a hit.
    from _blake2 import blake2b
except ImportError:  # some Python builds do not have this module
    from hashlib import blake2b

# This number is raised whenever the meaning of a field or the format of an entry changes.
FORMAT = 1


def digest(data: bytes) -> str:
    """The digest as 64 hexadecimal digits."""
    return blake2b(data, digest_size=32).hexdigest()


def raw_digest(data: bytes) -> bytes:
    """The digest as 32 bytes."""
    return blake2b(data, digest_size=32).digest()


class CacheKey:
    """A digest over fields. A field is hashed as ``<length of name>:<name><length of value>:<value>``.

    With the lengths, two different lists of fields never give the same bytes.
    """

    __slots__ = ("_hash", "fields")

    def __init__(self) -> None:
        self._hash = blake2b(digest_size=32)
        self.fields: list[tuple[str, bytes]] = []

    def field(self, name: str, value: str | bytes) -> None:
        """Add one field. The order of fields matters."""
        data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
        self._hash.update(b"%d:%b%d:%b" % (len(name), name.encode(), len(data), data))
        self.fields.append((name, data))

    def hexdigest(self) -> str:
        return self._hash.hexdigest()

    def explain(self) -> str:
        """One line per field, to be read or compared with ``diff``. Long and multi-line values appear as digests."""
        lines = []
        for name, data in self.fields:
            if len(data) > 200 or b"\n" in data:
                shown = f"{len(data)} bytes, {digest(data)}"
            else:
                shown = data.decode("utf-8", "backslashreplace")
            lines.append(f"{name}: {shown}\n")
        return "".join(lines) + f"key: {self.hexdigest()}\n"
