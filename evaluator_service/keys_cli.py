"""The command ``microcoder keys new``: a key for a client, and the line that lets it in."""

import json

from evaluator_service.cli import complain
from evaluator_service.keys import KeysError, line_of, new_key


def new(name: str, max_items: int | None, as_json: bool) -> int:
    """Print a new key and its line for the file of keys; the exit status."""
    key = new_key()
    try:
        line = line_of(name, key, max_items)
    except KeysError as error:
        return complain(str(error))
    if as_json:
        print(json.dumps({"name": name, "key": key, "line": line}))  # noqa: T201
    else:
        print(f"key, for the client; it is not shown again:\n  {key}\n")  # noqa: T201
        print(f"line, for the file of MICROCODER_API_KEYS_FILE:\n  {line}")  # noqa: T201
    return 0
