"""``Idempotency-Key``: the header, and the names under which it has work kept.

The header is that of draft-ietf-httpapi-idempotency-key-header-06, a quoted string; the bare key is taken, too.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import replace

from fastapi import Request

from evaluator_service.errors import ValidationFailed
from evaluator_service.requests import wrong
from evaluator_service.results import Claim, name_and_turn, place_of
from evaluator_service.work import Work

HEADER = "Idempotency-Key"
MAX_KEY_CHARACTERS = 128

_BARE = re.compile(r"[!#-\[\]-~]+")
_QUOTED = re.compile(r'"((?:[!#-\[\]-~]|\\["\\])+)"')
_ESCAPED = re.compile(r"\\(.)")

_NOT_FINGERPRINTED = {"problem", "problem_id", "deadline_seconds"}
"""The problem counts by its content. Who sends again has less time left, and means the same."""


def key_of(request: Request) -> str | None:
    """The idempotency key of a request, if it has one.

    Raises:
        ValidationFailed: If it is no key, or there are several.
    """
    given = request.headers.getlist(HEADER)
    if len(given) > 1:
        raise _no_key("send it once")
    return parsed_key(given[0]) if given else None


def parsed_key(text: str) -> str:
    """The key in the value of a header.

    Raises:
        ValidationFailed: If it is none.
    """
    text = text.strip(" \t")
    if (quoted := _QUOTED.fullmatch(text)) is not None:
        key = _ESCAPED.sub(r"\1", quoted[1])
    elif _BARE.fullmatch(text) is not None:
        key = text
    else:
        raise _no_key("visible ASCII characters are wanted, in double quotes or bare")
    if len(key) > MAX_KEY_CHARACTERS:
        raise _no_key(f"at most {MAX_KEY_CHARACTERS} characters are taken")
    return key


def _no_key(what: str) -> ValidationFailed:
    return wrong((HEADER,), what)


# --- names ----------------------------------------------------------------------------------------


def submission_id(owner: str | None, key: str) -> str:
    """The id of what ``owner`` sends with ``key``; nobody else's key leads to it."""
    return hashlib.sha256(json.dumps([owner, key]).encode()).hexdigest()


def name_of(owner: str | None, submission_id: str) -> str:
    """The name under which a submission of ``owner`` is kept: to others, the same id names nothing."""
    return f"{owner or ''}/{submission_id}"


def kept(request: Request, work: Work) -> Work:
    """The work, to be kept if its request has a key.

    Raises:
        ValidationFailed: If what it has is no key.
    """
    key = key_of(request)
    return work if key is None else kept_under(work, key)


def kept_each(request: Request, works: Sequence[Work]) -> list[Work]:
    """The works of a batch, each to be kept under a key of its own if their request has one.

    Raises:
        ValidationFailed: If what it has is no key.
    """
    key = key_of(request)
    if key is None:
        return list(works)
    return [kept_under(work, f"{key}/{index}") for index, work in enumerate(works)]


def kept_under(work: Work, key: str) -> Work:
    """The work, to be kept as what its owner sent with ``key``."""
    name = name_of(work.owner, submission_id(work.owner, key))
    return replace(work, kept_as=place_of(name, work.key))


def claim_of(work: Work) -> Claim:
    """The claim that is to be made before work is begun that is to be kept."""
    name, turn = name_and_turn(work.kept_as or "")
    return Claim(name, fingerprint_of(work), turn)


def fingerprint_of(work: Work) -> str:
    """What tells the content of a submission from any other; fields at their default are as if left out."""
    said = work.submission.model_dump(
        mode="json", exclude=_NOT_FINGERPRINTED, exclude_defaults=True
    )
    text = json.dumps([work.problem_id, said], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
