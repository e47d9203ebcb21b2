"""The system-call filter, interpreted: what it answers to calls."""

from __future__ import annotations

import struct

import pytest

from sandbox.inside import seccomp

Filters = tuple[bytes, bytes]

ALLOW = 0x7FFF0000
KILL = 0x80000000
EPERM = 0x00050001
ENOSYS = 0x00050026
X86_64 = 0xC000003E
AARCH64 = 0xC00000B7


def filters(machine: str) -> Filters:
    """The two that bind a test."""
    return seccomp.filter_of_jail(machine), seccomp.filter_of_tests(machine)


def answer(
    programs: Filters, number: int, arch: int = X86_64, arguments: tuple[int, ...] = ()
) -> int:
    """What a test is told: the strictest answer of all filters, as in the kernel."""
    answers = [_run(program, number, arch, arguments) for program in programs]
    return KILL if KILL in answers else min(answers)


def _run(program: bytes, number: int, arch: int, arguments: tuple[int, ...]) -> int:
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("<IIQ6Q", number, arch, 0, *padded)
    steps = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    place, loaded = 0, 0
    while True:
        code, if_true, if_false, operand = steps[place]
        place += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            (loaded,) = struct.unpack_from("<I", data, operand)
            continue
        holds = {
            0x15: loaded == operand,
            0x25: loaded > operand,
            0x35: loaded >= operand,
            0x45: bool(loaded & operand),
        }[code]
        place += if_true if holds else if_false


@pytest.mark.parametrize("number", [0, 1, 9, 39, 59, 57, 231, 257, 319, 334, 437])
def test_everyday_calls_are_allowed(number: int) -> None:
    assert answer(filters("x86_64"), number) == ALLOW


@pytest.mark.parametrize(
    "number",
    [
        101,
        310,
        311,
        165,
        166,
        272,
        308,
        161,
        155,
        29,
        64,
        68,
        240,
        248,
        250,
        321,
        298,
        323,
        425,
        438,
    ],
)
def test_calls_that_no_program_under_test_needs_are_refused(number: int) -> None:
    assert answer(filters("x86_64"), number) == EPERM


@pytest.mark.parametrize("number", [463, 500, 0x3FFFFFFF])
def test_calls_of_future_kernels_do_not_exist(number: int) -> None:
    assert answer(filters("x86_64"), number) == ENOSYS


def test_the_calls_of_another_architecture_end_the_process() -> None:
    assert answer(filters("x86_64"), 1, arch=0x40000003) == KILL
    assert answer(filters("x86_64"), 0x40000001) == KILL


def test_clone_makes_processes_and_threads_but_no_namespaces() -> None:
    program = filters("x86_64")
    assert answer(program, 56, arguments=(0x01200011,)) == ALLOW
    for flag in (
        0x20000,
        0x2000000,
        0x4000000,
        0x8000000,
        0x10000000,
        0x20000000,
        0x40000000,
        0x80,
    ):
        assert answer(program, 56, arguments=(flag | 17,)) == EPERM
    assert answer(program, 435) == ENOSYS


def test_limits_of_others_are_out_of_reach() -> None:
    program = filters("x86_64")
    assert answer(program, 302, arguments=(0,)) == ALLOW
    assert answer(program, 302, arguments=(1,)) == EPERM


@pytest.mark.parametrize("number", [141, 142, 144, 203, 251, 314])
def test_nobody_gives_its_share_of_the_cpu_away(number: int) -> None:
    assert answer(filters("x86_64"), number, arguments=(0, 0)) == EPERM


@pytest.mark.parametrize("number", [41, 53])
def test_sockets_are_local_or_of_the_internet_that_is_not_there(number: int) -> None:
    program = filters("x86_64")
    for family in range(64):
        expected = ALLOW if family in (1, 2, 10) else EPERM
        assert answer(program, number, arguments=(family,)) == expected


def test_the_other_architecture_has_its_own_numbers() -> None:
    program = filters("aarch64")
    assert answer(program, 64, arch=AARCH64) == ALLOW  # write
    assert answer(program, 117, arch=AARCH64) == EPERM  # ptrace
    assert answer(program, 97, arch=AARCH64) == EPERM  # unshare


def test_an_unknown_machine_is_refused_by_name() -> None:
    with pytest.raises(RuntimeError, match="vax"):
        filters("vax")
