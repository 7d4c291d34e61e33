"""Keys: digests over named fields, which can be printed and compared."""

from __future__ import annotations

try:
    # hashlib brings OpenSSL along, at several times the price of the rest of a hit.
    from _blake2 import blake2b
except ImportError:  # a Python that builds its hashes in another way
    from hashlib import blake2b

# Raised when the meaning of a field or the form of an entry changes.
FORMAT = 1


def digest(data: bytes) -> str:
    """64 hexadecimal digits."""
    return blake2b(data, digest_size=32).hexdigest()


def raw_digest(data: bytes) -> bytes:
    """The same as 32 bytes."""
    return blake2b(data, digest_size=32).digest()


class CacheKey:
    """Fields are hashed as ``<length of name>:<name><length of value>:<value>``: no two lists of fields look alike."""

    __slots__ = ("_hash", "fields")

    def __init__(self) -> None:
        self._hash = blake2b(digest_size=32)
        self.fields: list[tuple[str, bytes]] = []

    def field(self, name: str, value: str | bytes) -> None:
        """Add one field; the order counts."""
        data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
        self._hash.update(b"%d:%b%d:%b" % (len(name), name.encode(), len(data), data))
        self.fields.append((name, data))

    def hexdigest(self) -> str:
        return self._hash.hexdigest()

    def explain(self) -> str:
        """One line per field, for people and for ``diff``. Long or multi-line values are shown by their digest."""
        lines = []
        for name, data in self.fields:
            if len(data) > 200 or b"\n" in data:
                shown = f"{len(data)} bytes, {digest(data)}"
            else:
                shown = data.decode("utf-8", "backslashreplace")
            lines.append(f"{name}: {shown}\n")
        return "".join(lines) + f"key: {self.hexdigest()}\n"
