"""How the interpreter looks for garbage in a process that serves for weeks."""

import gc

_YOUNG_COUNT = 20_000
"""Objects made between two searches: a batch makes thousands that live until its answer, and none of them is a cycle."""


def search_less() -> None:
    """Spare what lives as long as the process from every search, and search seldom. Call it once all is set up."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_COUNT)
