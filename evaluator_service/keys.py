"""API keys: what they look like, and what the service knows of them, which is never the key itself.

A key is 256 random bits, so its plain SHA-256 is enough: there is nothing to guess that a slow hash, as passwords
need one, would make dearer, and a slow one would be paid at every request. Nothing but a key of this form is ever
accepted, so that nobody can configure one that could be guessed.

No message here quotes what it complains about: it may be a key in the wrong place.
"""

import hashlib
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BeforeValidator

KEY_PREFIX = "mc_"
KEY_BYTES_COUNT = 32
KEY_FORM = re.compile(KEY_PREFIX.encode() + rb"[A-Za-z0-9_-]{43}")
"""``KEY_BYTES_COUNT`` bytes in URL-safe base64, without padding."""
_NAME = re.compile(rf"(?!{KEY_PREFIX})[A-Za-z0-9][A-Za-z0-9._-]{{0,63}}")
_HASH = re.compile(r"sha256:([0-9a-f]{64})")
_QUOTA = re.compile(r"max_items=([1-9][0-9]{0,8})")

_NAME_RULE = f"a name has 1 to 64 letters, digits and `._-`, begins with one of the first two and not with `{KEY_PREFIX}`"
_HASH_RULE = "a hash is `sha256:` and 64 hexadecimal digits (`microcoder keys new` prints one)"
_QUOTA_RULE = "max_items is a whole number from 1"


class KeysError(ValueError):
    """Keys that cannot be used; the message says where and what they must be, and quotes neither key nor hash."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is known of a key.

    Attributes:
        name: Whose it is; in logs, and the owner of what is sent with it.
        digest: SHA-256 of the key.
        max_items: Submissions that may be accepted and unanswered at a time, a count; None: as many as the queue holds.
    """

    name: str
    digest: bytes = field(repr=False)
    max_items: int | None = None


def new_key() -> str:
    """A key that nobody else has."""
    return KEY_PREFIX + secrets.token_urlsafe(KEY_BYTES_COUNT)


def digest_of(key: bytes) -> bytes:
    """SHA-256 of a key."""
    return hashlib.sha256(key).digest()


def line_of(name: str, key: str, max_items: int | None = None) -> str:
    """The line of a file of keys that lets ``key`` in.

    Raises:
        KeysError: If the name or the quota cannot be used.
    """
    hash_ = f"sha256:{digest_of(key.encode()).hex()}"
    _key(name, hash_, max_items)
    return f"{name} {hash_}" + (f" max_items={max_items}" if max_items is not None else "")


def read_keys(text: str) -> tuple[ApiKey, ...]:
    """The keys of a file: one a line, ``NAME sha256:HEX [max_items=N]``; what follows a ``#`` is a comment.

    Raises:
        KeysError: Names the line.
    """
    return distinct(_keys_of_lines(text))


def _keys_of_lines(text: str) -> Iterator[ApiKey]:
    for number, line in enumerate(text.splitlines(), 1):
        words, _, _ = line.partition("#")
        if words.strip():
            try:
                yield _key_of_line(words)
            except KeysError as error:
                raise KeysError(f"line {number}: {error}") from None


def _key_of_line(line: str) -> ApiKey:
    words = line.split()
    if not 2 <= len(words) <= 3:
        raise KeysError("a line is NAME sha256:HEX, and max_items=N where there is a quota")
    name, hash_, *quota = words
    return _key(name, hash_, _quota_of(quota[0]) if quota else None)


def _quota_of(word: str) -> int:
    found = _QUOTA.fullmatch(word)
    if found is None:
        raise KeysError(_QUOTA_RULE)
    return int(found[1])


def keys_of(given: Any) -> tuple[ApiKey, ...]:
    """The keys of a JSON object from name to hash, or to ``{"hash": …, "max_items": N}``.

    Raises:
        KeysError: Names the entry by its place, from 1.
    """
    if isinstance(given, tuple):
        return distinct(given)
    if not isinstance(given, Mapping):
        raise KeysError(
            'must be a JSON object from name to hash, for example {"trainer": "sha256:…"}'
        )
    return distinct(_keys_of_entries(given))


ApiKeys = Annotated[tuple[ApiKey, ...], BeforeValidator(keys_of)]
"""Keys as a setting: a JSON object in the environment."""


def _keys_of_entries(given: Mapping[str, Any]) -> Iterator[ApiKey]:
    for number, (name, entry) in enumerate(given.items(), 1):
        try:
            yield _key_of_entry(name, entry)
        except KeysError as error:
            raise KeysError(f"entry {number}: {error}") from None


def _key_of_entry(name: str, entry: Any) -> ApiKey:
    fields = {"hash": entry} if isinstance(entry, str) else entry
    if not isinstance(fields, Mapping) or not fields.keys() <= {"hash", "max_items"}:
        raise KeysError('must be a hash, or {"hash": …, "max_items": N}')
    return _key(name, str(fields.get("hash")), fields.get("max_items"))


def _key(name: str, hash_: str, max_items: Any) -> ApiKey:
    if not _NAME.fullmatch(name):
        raise KeysError(_NAME_RULE)
    found = _HASH.fullmatch(hash_)
    if found is None:
        raise KeysError(_HASH_RULE)
    if max_items is not None and (type(max_items) is not int or max_items < 1):
        raise KeysError(_QUOTA_RULE)
    return ApiKey(name, bytes.fromhex(found[1]), max_items)


def distinct(keys: Iterable[ApiKey]) -> tuple[ApiKey, ...]:
    """The same keys, once it is certain that each has a name of its own and no name shares a key.

    Raises:
        KeysError: If it is not so.
    """
    found = tuple(keys)
    names, digests = {key.name for key in found}, {key.digest for key in found}
    if len(names) < len(found):
        raise KeysError("two keys have one name")
    if len(digests) < len(found):
        raise KeysError("two names have one key")
    return found
