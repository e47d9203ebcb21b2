"""How libraries lie in the zygote's memory, changed so that a fork has less to copy and a child less to fault in.

Both steps leave every byte at its address. Where the kernel refuses one, things stay as they are.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterator
from itertools import pairwise

_ELF = struct.Struct("5s27xQ14xHH")
_PROGRAM_HEADER = struct.Struct("II8xQ16xQ")
_PT_LOAD = 1
_PT_GNU_RELRO = 0x6474E552
_PF_WRITE = 2
_PROT_READ, _PROT_WRITE, _PROT_EXEC = 1, 2, 4
_MAP_PRIVATE_ANONYMOUS = 0x22
_MADV_COLLAPSE = 25
"""Linux 6.1: make huge pages of a range now, or fail."""

_MREMAP_TO_FIXED = 3
_HUGE_PAGE_BYTES = 2 << 20

_libc = ctypes.CDLL(None)
_size, _int = ctypes.c_size_t, ctypes.c_int
_map = ctypes.CFUNCTYPE(_size, _size, _size, _int, _int, _int, ctypes.c_long)(("mmap", _libc))
_unmap = ctypes.CFUNCTYPE(_int, _size, _size)(("munmap", _libc))
_protect = ctypes.CFUNCTYPE(_int, _size, _size, _int)(("mprotect", _libc))
_advise = ctypes.CFUNCTYPE(_int, _size, _size, _int)(("madvise", _libc))
_move = ctypes.CFUNCTYPE(_size, _size, _size, _size, _int, _size)(("mremap", _libc))


def join() -> None:
    """Let what a library only reads be executed too, and its relocated data be written: five mappings become two.

    Whoever could make use of that runs native code in its process already.
    """
    page = os.sysconf("SC_PAGE_SIZE")
    for base in _libraries():
        for kind, rights, start, size in _segments(base):
            first = (base + start) // page * page
            if kind == _PT_LOAD and not rights & _PF_WRITE:
                _protect(first, base + start + size - first, _PROT_READ | _PROT_EXEC)
            elif kind == _PT_GNU_RELRO:
                end = (base + start + size) // page * page
                _protect(first, end - first, _PROT_READ | _PROT_WRITE)


def lift_code() -> None:
    """Put a copy of the interpreter's code, in huge pages, in the place of what was mapped from its file.

    A child maps a file anew, page by page, 40 times a test; of memory it inherits the page tables. Only in huge
    pages is that cheaper, so without them nothing is done.
    """
    first, end = _code_of_interpreter()
    first = -(-first // _HUGE_PAGE_BYTES) * _HUGE_PAGE_BYTES
    size = end // _HUGE_PAGE_BYTES * _HUGE_PAGE_BYTES - first
    if size <= 0:
        return
    rights = _PROT_READ | _PROT_WRITE
    mapped = _map(0, size + _HUGE_PAGE_BYTES, rights, _MAP_PRIVATE_ANONYMOUS, -1, 0)
    if mapped == _size(-1).value:
        return
    copy = -(-mapped // _HUGE_PAGE_BYTES) * _HUGE_PAGE_BYTES
    ctypes.memmove(copy, first, size)
    if not _advise(copy, size, _MADV_COLLAPSE) and not _protect(
        copy, size, _PROT_READ | _PROT_EXEC
    ):
        _move(copy, size, size, _MREMAP_TO_FIXED, first)
        _unmap(copy + size, mapped + _HUGE_PAGE_BYTES - copy)
        _unmap(mapped, copy - mapped)
    else:
        _unmap(mapped, size + _HUGE_PAGE_BYTES)


def _code_of_interpreter() -> tuple[int, int]:
    """Where the read-only part of the file that holds the interpreter begins and ends; nowhere if unknown."""
    known = ctypes.cast(ctypes.pythonapi.Py_GetVersion, ctypes.c_void_p).value or 0
    for base in _libraries():
        parts = [
            (base + start, base + start + size)
            for kind, rights, start, size in _segments(base)
            if kind == _PT_LOAD and not rights & _PF_WRITE
        ]
        if parts and parts[0][0] <= known < parts[-1][1] and _adjoin(parts):
            return parts[0][0], parts[-1][1]
    return 0, 0


def _adjoin(parts: list[tuple[int, int]]) -> bool:
    """Whether no page lies between them."""
    page = os.sysconf("SC_PAGE_SIZE")
    return all(-(-end // page) == start // page for (_, end), (start, _) in pairwise(parts))


def _libraries() -> Iterator[int]:
    """Addresses of what is loaded, from the loader's own list (``struct link_map``)."""
    entry = _libc._handle
    while entry:
        base, name, _, entry = (_size.from_address(entry + 8 * place).value for place in range(4))
        if base and ctypes.string_at(name)[:1] in (b"", b"/"):  # the vdso has a name without a path
            yield base


def _segments(base: int) -> Iterator[tuple[int, int, int, int]]:
    """(type, flags, address, size) of each program header of an ELF file in memory; see elf(5)."""
    header = ctypes.string_at(base, _ELF.size)
    magic, offset, size, count = _ELF.unpack(header)
    if magic == b"\x7fELF\x02":
        for place in range(count):
            kind, flags, address, length = _PROGRAM_HEADER.unpack(
                ctypes.string_at(base + offset + place * size, _PROGRAM_HEADER.size)
            )
            yield kind, flags, address, length
