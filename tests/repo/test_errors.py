"""The errors of the HTTP interface are drawn where they are defined, so that a reader sees all of them."""

from __future__ import annotations

import pytest

from evaluator_service import errors
from evaluator_service.errors import ApiError


@pytest.mark.parametrize("error", ApiError.__subclasses__(), ids=lambda error: error.__name__)
def test_an_error_stands_in_the_drawn_tree_with_its_status(error: type[ApiError]) -> None:
    drawn = [line.split()[1:3] for line in (errors.__doc__ or "").splitlines() if "── " in line]
    assert [error.__name__, str(error.status)] in drawn
