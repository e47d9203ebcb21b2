"""What nobody may see, taken out of texts that are shown or logged: API keys and passwords of URLs."""

import re

from evaluator_service.keys import KEY_FORM

HIDDEN = "***"
_KEY = re.compile(KEY_FORM.pattern.decode())
_PASSWORD = re.compile(r"(?<=://)\S*(?=@)|(?<=[?&]password=)[^&#\s]*")


def without_keys(text: str) -> str:
    """The text with every API key in it hidden, wherever a client may have put one."""
    return _KEY.sub(HIDDEN, text)


def without_passwords(text: str) -> str:
    """The text with user and password of every URL in it hidden."""
    return _PASSWORD.sub(HIDDEN, text)
