"""Which packages a jail has imported ahead; a wrong guess would cost time, never a verdict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.flavours import BASE, Flavours, installed, with_requirements

FLAVOURS = Flavours(("numpy",))

pytest.importorskip("numpy")


@pytest.mark.parametrize(
    "text",
    [
        b"import numpy",
        b"import numpy as np\n",
        b"import sys, numpy as np",
        b"x = 1\nfrom numpy.linalg import norm\n",
        b"def f():\n    import numpy\n",
        b"import numpy.random  # why",
        b"try:\n\timport numpy\nexcept ImportError: pass",
    ],
)
def test_a_program_that_imports_a_package_gets_its_flavour(text: bytes) -> None:
    assert FLAVOURS.choose(text) == "numpy"


@pytest.mark.parametrize(
    "text",
    [b"", b"import numpyro", b"# import numpy", b"print('import numpy')", b"import sys # numpy"],
)
def test_any_other_program_gets_the_plain_one(text: bytes) -> None:
    assert FLAVOURS.choose(text) == BASE


@given(st.binary())
def test_any_bytes_have_a_flavour(text: bytes) -> None:
    assert FLAVOURS.choose(text) in FLAVOURS.names


def test_a_text_of_nothing_but_imports_takes_linear_time() -> None:
    assert FLAVOURS.choose(b"import " * 200_000 + b"," * 1_000_000) == BASE


def test_what_is_not_installed_is_passed_over() -> None:
    assert installed(["surely-not-there", "numpy"]).packages == ("numpy",)


def test_requirements_come_along_once() -> None:
    names = [found.name for found in with_requirements(["fastapi", "pydantic"])]
    assert {"fastapi", "pydantic", "starlette", "annotated-types"} <= set(names)
    assert len(names) == len(set(names))
