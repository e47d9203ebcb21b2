"""The keys that open this service, as they stand now: those of the settings, and those of a file that may change.

The file is looked at whenever a key is presented, so that taking a line out of it revokes a key at once. A file that
has become unreadable changes nothing: the keys stay as they were, and the log says so.
"""

import hmac
import time
from pathlib import Path
from typing import NamedTuple

import structlog

from evaluator_service.keys import ApiKey, KeysError, digest_of, distinct, read_keys
from evaluator_service.settings import Settings, SettingsError

SETTLED_SECONDS = 2.0
"""A file changed more recently may change again without a new time of change; it is read anew until then."""

log = structlog.get_logger(__name__)


class KeyRing:
    """Who may call. Belongs to the event loop."""

    def __init__(self, settings: Settings) -> None:
        """Read the file, if there is one.

        Raises:
            SettingsError: If it cannot be used, or holds no key.
        """
        self._fixed = settings.api_keys
        self._file = settings.api_keys_file
        self._state = _state_of(self._file) if self._file else None
        self._trouble: str | None = None
        try:
            self._keys = self._read()
            if self._file and self._keys == self._fixed:
                raise KeysError("holds no key; `microcoder keys new NAME` prints a line for it")
        except KeysError as error:
            raise SettingsError(f"MICROCODER_API_KEYS_FILE={self._file}: {error}") from error

    @property
    def is_open(self) -> bool:
        """Whether no key is asked for: none was ever configured. A file whose last line went opens nothing."""
        return not self._fixed and self._file is None

    def find(self, presented: bytes) -> ApiKey | None:
        """The key that ``presented`` is; in constant time: every key is compared, and as a whole."""
        self._follow_file()
        digest = digest_of(presented)
        found = None
        for key in self._keys:
            if hmac.compare_digest(key.digest, digest):
                found = key
        return found

    def quota_of(self, owner: str | None) -> int | None:
        """How many submissions ``owner`` may have accepted and unanswered at a time; None: as many as there is room."""
        return next((key.max_items for key in self._keys if key.name == owner), None)

    def _follow_file(self) -> None:
        if self._file is None:
            return
        state = _state_of(self._file)
        if state is not None and state == self._state:
            return
        self._state = (
            state  # taken before the file is read: what changes meanwhile is seen the next time
        )
        try:
            self._adopt(self._read())
        except KeysError as error:
            self._complain(str(error))

    def _read(self) -> tuple[ApiKey, ...]:
        if self._file is None:
            return self._fixed
        try:
            text = self._file.read_text("utf-8")
        except UnicodeDecodeError:
            raise KeysError("is not UTF-8") from None
        except OSError as error:
            raise KeysError((error.strerror or str(error)).lower()) from error
        return distinct((*self._fixed, *read_keys(text)))

    def _adopt(self, keys: tuple[ApiKey, ...]) -> None:
        self._trouble = None
        if keys != self._keys:
            log.info("api_keys_changed", names=[key.name for key in keys])
            self._keys = keys

    def _complain(self, trouble: str) -> None:
        if trouble != self._trouble:
            log.error(
                "api_keys_unreadable", file=str(self._file), reason=trouble, kept=len(self._keys)
            )
            self._trouble = trouble


class _State(NamedTuple):
    """What differs when a file was written or replaced."""

    inode: int
    size_bytes: int
    changed_ns: int


def _state_of(file: Path) -> _State | None:
    """The state of a file; None if it is not there, or too fresh to be told from the next."""
    try:
        found = file.stat()
    except OSError:
        return None
    changed_ns = max(found.st_mtime_ns, found.st_ctime_ns)
    if time.time_ns() - changed_ns < SETTLED_SECONDS * 1e9:
        return None
    return _State(found.st_ino, found.st_size, changed_ns)
