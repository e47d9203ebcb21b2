"""API keys: what may be configured, that a file of them is followed, and that nothing of them is said."""

from __future__ import annotations

import hmac
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import CapturingLogger
from typer.testing import CliRunner

from evaluator_service import keyring
from evaluator_service.environment import load_settings
from evaluator_service.keyring import KeyRing
from evaluator_service.keys import KEY_FORM, KeysError, keys_of, line_of, new_key, read_keys
from evaluator_service.settings import Settings, SettingsError
from trainer_client import cli

KEY = "mc_" + "Ours" * 10 + "-_0"
OTHER = "mc_" + "Them" * 10 + "-_0"
HASH = line_of("x", KEY).split()[1]


def write(file: Path, *lines: str) -> None:
    """Replace a file as one should."""
    beside = file.with_suffix(".new")
    beside.write_text("\n".join(lines) + "\n")
    beside.rename(file)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that lets ``KEY`` in."""
    write(tmp_path / "keys", line_of("trainer", KEY))
    return tmp_path / "keys"


@pytest.fixture
def ring(file: Path) -> KeyRing:
    """The keys of the file."""
    return KeyRing(Settings(api_keys_file=file))


def name_of(ring: KeyRing, key: str) -> str | None:
    """Whose key it is."""
    found = ring.find(key.encode())
    return found.name if found else None


# --- what may be configured -----------------------------------------------------------------------


def test_a_key_is_256_bits_that_nobody_has_twice() -> None:
    made = {new_key() for _ in range(100)}
    assert len(made) == 100
    assert all(KEY_FORM.fullmatch(key.encode()) for key in made)


def test_a_file_holds_a_key_a_line_with_comments_and_quotas() -> None:
    text = f"# ours\n\n  {line_of('a', KEY)}  # the trainer\n{line_of('b', OTHER, max_items=7)}\n"
    assert [(key.name, key.max_items) for key in read_keys(text)] == [("a", None), ("b", 7)]


def test_the_environment_holds_keys_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {"a": HASH, "b": {"hash": line_of("b", OTHER).split()[1], "max_items": 7}}
    monkeypatch.setenv("MICROCODER_API_KEYS", json.dumps(entries))
    ring = KeyRing(load_settings())
    assert (name_of(ring, KEY), name_of(ring, OTHER), ring.quota_of("b")) == ("a", "b", 7)


BAD_LINES = {
    "a key in place of its hash": (f"a {KEY}", "line 1: a hash is"),
    "a key in place of its name": (f"{KEY} {HASH}", "line 1: a name has"),
    "a hash of another kind": ("a sha1:" + "0" * 40, "line 1: a hash is"),
    "a name alone": ("# c\na", "line 2: a line is NAME sha256:HEX"),
    "a quota of nothing": (f"a {HASH} max_items=0", "line 1: max_items is a whole number from 1"),
    "a quota that is none": (f"a {HASH} max_bytes=1", "line 1: max_items is a whole number"),
    "words beyond": (f"a {HASH} max_items=1 b", "line 1: a line is NAME"),
    "a name twice": (f"a {HASH}\n{line_of('a', OTHER)}", "two keys have one name"),
    "a key twice": (f"a {HASH}\nb {HASH}", "two names have one key"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_line_that_cannot_be_used_is_named_and_not_quoted(name: str) -> None:
    text, words = BAD_LINES[name]
    with pytest.raises(KeysError) as raised:
        read_keys(text)
    assert str(raised.value).startswith(words)
    assert KEY not in str(raised.value)
    assert HASH not in str(raised.value)


@pytest.mark.parametrize(
    "entries",
    [
        {"a": KEY},
        {KEY: HASH},
        {"a": {"hash": HASH, "max_items": True}},
        {"a": {"hash": HASH, "max_items": -1}},
        {"a": {"max_items": 1}},
        {"a": {"hash": HASH, "quota": 1}},
        {"a": None},
        [KEY],
        KEY,
    ],
)
def test_an_entry_that_cannot_be_used_is_not_quoted(
    monkeypatch: pytest.MonkeyPatch, entries: Any
) -> None:
    given = entries if isinstance(entries, str) else json.dumps(entries)
    monkeypatch.setenv("MICROCODER_API_KEYS", given)
    with pytest.raises(SettingsError, match=r"MICROCODER_API_KEYS=\*\*\*: ") as raised:
        load_settings()
    assert KEY not in str(raised.value)
    assert HASH not in str(raised.value)


@given(st.text() | st.lists(st.sampled_from(["a", HASH, "max_items=1", "#", "\n"])).map(" ".join))
def test_any_text_is_keys_or_a_complaint(text: str) -> None:
    with suppress(KeysError):
        assert {key.name for key in read_keys(text)} <= {"a"}


@given(st.dictionaries(st.text(), st.recursive(st.none() | st.text() | st.integers(), st.lists)))
def test_any_object_is_keys_or_a_complaint(entries: dict[str, Any]) -> None:
    with suppress(KeysError):
        assert keys_of(entries) == ()


def test_keys_new_prints_a_key_and_the_line_that_lets_it_in() -> None:
    made = CliRunner().invoke(cli.app, ["keys", "new", "trainer", "--max-items", "7", "--json"])
    found = json.loads(made.stdout)
    (key,) = read_keys(found["line"])
    assert (key.name, key.max_items, found["line"]) == (
        "trainer",
        7,
        line_of("trainer", found["key"], 7),
    )


@pytest.mark.parametrize("name", ["", "a b", "a#b", "a\nb", "mc_a", "ä", "-a", "a" * 65])
def test_keys_new_takes_no_name_that_the_file_would_not(name: str) -> None:
    made = CliRunner().invoke(cli.app, ["keys", "new", "--", name])
    assert (made.exit_code, made.stdout) == (2, "")
    assert made.stderr.startswith("microcoder: a name has")


# --- finding one ----------------------------------------------------------------------------------


@pytest.mark.parametrize("presented", [KEY, new_key()], ids=["known", "strange"])
def test_every_key_is_compared_whichever_is_presented(
    monkeypatch: pytest.MonkeyPatch, presented: str
) -> None:
    keys = [KEY, *(new_key() for _ in range(9))]
    ring = KeyRing(Settings(api_keys=keys_of({f"k{i}": _hash(key) for i, key in enumerate(keys)})))
    compared: list[bytes] = []

    def counting(known: bytes, digest: bytes) -> bool:
        compared.append(known)
        return hmac.compare_digest(known, digest)

    monkeypatch.setattr(keyring, "hmac", type("Counting", (), {"compare_digest": counting}))
    assert name_of(ring, presented) == ("k0" if presented == KEY else None)
    assert len(set(compared)) == len(compared) == 10


def _hash(key: str) -> str:
    return line_of("x", key).split()[1]


# --- a file that changes --------------------------------------------------------------------------


@pytest.fixture(params=[keyring.SETTLED_SECONDS, -3600.0], ids=["fresh", "settled"])
def _age(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the file had been changed just now, and long ago."""
    monkeypatch.setattr(keyring, "SETTLED_SECONDS", request.param)


@pytest.mark.usefixtures("_age")
def test_a_key_is_revoked_and_another_let_in_by_the_file_alone(file: Path, ring: KeyRing) -> None:
    assert (name_of(ring, KEY), name_of(ring, OTHER)) == ("trainer", None)
    write(file, line_of("evaluation", OTHER, max_items=3))
    assert (name_of(ring, KEY), name_of(ring, OTHER)) == (None, "evaluation")
    assert (ring.quota_of("trainer"), ring.quota_of("evaluation")) == (None, 3)


class Unchanging(type(Path())):  # type: ignore[misc]
    """A path whose file never seems to change, as one written twice within a tick of the clock."""

    def stat(self, **_: Any) -> Any:
        """As the file stood when the path was made."""
        self.stood = getattr(self, "stood", None) or super().stat()
        return self.stood


def test_a_change_that_leaves_time_and_size_as_they_were_is_seen_while_the_file_is_fresh(
    file: Path,
) -> None:
    settings = Settings().model_copy(update={"api_keys_file": Unchanging(file)})
    ring = KeyRing(settings)
    assert name_of(ring, KEY) == "trainer"
    file.write_text(line_of("trainer", OTHER) + "\n")
    assert name_of(ring, KEY) is None


def test_a_settled_file_is_not_read_again(
    file: Path, ring: KeyRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "SETTLED_SECONDS", -3600.0)
    assert name_of(ring, KEY) == "trainer"
    monkeypatch.setattr(Path, "read_text", lambda *_: pytest.fail("read again"))
    assert name_of(ring, KEY) == "trainer"


@pytest.mark.parametrize("broken", ["a", f"a {HASH}\na {HASH}", None, "\udcff"])
def test_a_file_that_breaks_keeps_the_keys_and_says_so_once(
    file: Path, ring: KeyRing, broken: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = CapturingLogger()
    monkeypatch.setattr(keyring, "log", logger)
    file.unlink()
    if broken is not None:
        file.write_bytes(broken.encode(errors="surrogateescape"))
    assert [name_of(ring, KEY) for _ in range(3)] == ["trainer"] * 3
    assert [call.args for call in logger.calls] == [("api_keys_unreadable",)]
    write(file, line_of("trainer", OTHER))
    assert name_of(ring, KEY) is None


def test_a_file_whose_last_line_went_lets_nobody_in(file: Path, ring: KeyRing) -> None:
    write(file, "# nobody")
    assert name_of(ring, KEY) is None
    assert not ring.is_open


@pytest.mark.parametrize("text", [None, "", "a", "\udcff"])
def test_a_file_that_cannot_be_used_at_the_start_is_one_sentence(
    file: Path, text: str | None
) -> None:
    file.unlink()
    if text is not None:
        file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(SettingsError, match=f"MICROCODER_API_KEYS_FILE={file}: ") as raised:
        KeyRing(Settings(api_keys_file=file))
    assert "\n" not in str(raised.value)


def test_a_name_of_the_environment_is_not_another_in_the_file(file: Path) -> None:
    with pytest.raises(SettingsError, match="two keys have one name"):
        KeyRing(Settings(api_keys=keys_of({"trainer": _hash(OTHER)}), api_keys_file=file))


def test_without_any_key_no_key_is_asked_for() -> None:
    assert KeyRing(Settings()).is_open
