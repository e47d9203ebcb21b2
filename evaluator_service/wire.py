"""What all messages on the wire share: their base, names, sources, content hashes.

Needs pydantic alone and Python >= 3.11.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

MAX_SOURCE_CHARACTERS = 1_000_000
SUBMISSION_ID_PATTERN = r"^[0-9a-f]{64}$"


class Wire(BaseModel):
    """What all messages share: frozen, unknown fields refused, no NaN where a number is a limit."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, hide_input_in_errors=True
    )


def _no_null_byte(text: str) -> str:
    if "\x00" in text:
        raise ValueError("must not contain NUL characters")
    return text


Name = Annotated[
    str, StringConstraints(min_length=1, max_length=128), AfterValidator(_no_null_byte)
]
Source = Annotated[str, StringConstraints(max_length=MAX_SOURCE_CHARACTERS)]
ContentHash = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
