"""SHA-256, without OpenSSL where Python has its own: to load OpenSSL takes longer than to lower a region."""

from __future__ import annotations

from collections.abc import Iterable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha2 import sha256  # Python 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256

__all__ = ["digest_of", "sha256"]


def digest_of(texts: Iterable[str]) -> str:
    """The digest of texts, in which it does not matter how much white space is where some is."""
    digest = sha256()
    for text in texts:
        data = " ".join(text.split()).encode("utf-8", "surrogateescape")
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()
