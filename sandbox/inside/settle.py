"""Settling the zygote's memory before the first fork, so that a fork has little to copy.

After a fork every page is shared until one side writes to it, and a write costs a fault and a copy. A test
of one line did that 210 times, its session 150 times; four fifths of a test's time went there. What can
be spared changes nothing that a program sees:

* Counting references. Objects that live as long as the zygote are made immortal (PEP 683, whose purpose
  this is), so that using them leaves them untouched.
* Filling holes. Allocators hand out freed memory first, which lies scattered over old pages. With the
  holes filled, what a child allocates lies side by side in new pages.
* Joining mappings. A fork copies every mapping, and a library has five that differ in rights no child needs.
* Binding functions. The loader looks each up at its first call, in every child anew, unless LD_BIND_NOW
  tells it to do so at the start (``jailconfig``).
"""

from __future__ import annotations

import ctypes
import gc
import os
import struct
import sys
from collections.abc import Iterator

_SMALL_OBJECT_BYTES = 512
"""Up to here objects live in the interpreter's own pools, a pool for each size in steps of 16."""

_POOL_BYTES = 16 << 10
_POOL_HEADER_BYTES = 48
_EMPTY_BYTES_OBJECT_BYTES = sys.getsizeof(b"")
_MOST_FILLINGS_COUNT = 20_000
"""An interpreter built with another allocator has no such pools, and no end would be found."""

_SMALL_CHUNKS = range(1032, 16, -16)
"""Sizes of which malloc keeps apart what was freed."""

_ELF = struct.Struct("5s27xQ14xHH")
_PROGRAM_HEADER = struct.Struct("II8xQ16xQ")
_PT_LOAD = 1
_PT_GNU_RELRO = 0x6474E552
_PF_WRITE = 2
_PROT_READ, _PROT_WRITE, _PROT_EXEC = 1, 2, 4

_LARGE_CHUNKS = (65536, 49152, 32768, 24576, 16384, 12288, 8192, 6144, 4096, 3072, 2048, 1536)


def settle() -> list[bytes]:
    """Do it; returns what fills the holes of the interpreter's pools, to be kept."""
    gc.collect()
    _make_immortal()
    _join_mappings()
    fillings = _fill_pools()
    _fill_heap()
    gc.freeze()
    return fillings


def _join_mappings() -> None:
    """Let what a library only reads be executed too, and its relocated data be written: five become two.

    Whoever could make use of that runs native code in its process already. Where the kernel refuses, things
    stay as they are.
    """
    protect = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int)(
        ("mprotect", ctypes.CDLL(None))
    )
    page = os.sysconf("SC_PAGE_SIZE")
    for base in _libraries():
        for kind, rights, start, size in _segments(base):
            first = (base + start) // page * page
            if kind == _PT_LOAD and not rights & _PF_WRITE:
                protect(first, base + start + size - first, _PROT_READ | _PROT_EXEC)
            elif kind == _PT_GNU_RELRO:
                end = (base + start + size) // page * page
                protect(first, end - first, _PROT_READ | _PROT_WRITE)


def _libraries() -> Iterator[int]:
    """Addresses of what is loaded, from the loader's own list (``struct link_map``)."""
    entry = ctypes.CDLL(None)._handle
    while entry:
        base, name, _, entry = (
            ctypes.c_size_t.from_address(entry + 8 * place).value for place in range(4)
        )
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


def _fill_pools() -> list[bytes]:
    """Allocate objects of each size until one lies first in its pool: then no other pool has room."""
    fillings = []
    for size in range(48, _SMALL_OBJECT_BYTES + 1, 16):
        for _ in range(_MOST_FILLINGS_COUNT):
            filling = bytes(size - _EMPTY_BYTES_OBJECT_BYTES)
            fillings.append(filling)
            if id(filling) % _POOL_BYTES == _POOL_HEADER_BYTES:
                break
    return fillings


def _fill_heap() -> None:
    """Give unused memory back, then allocate for good until the next chunk of each size comes off the top."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallinfo2"):  # glibc 2.33
        return
    libc.malloc_trim(0)
    allocate = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_size_t)(("malloc", libc))
    free = ctypes.CFUNCTYPE(None, ctypes.c_size_t)(("free", libc))
    for size in (*_LARGE_CHUNKS, *_SMALL_CHUNKS):
        while True:
            top = _top_of_heap(libc)
            chunk = allocate(size)
            if chunk >= top or not chunk:
                free(chunk)
                break


def _top_of_heap(libc: ctypes.CDLL) -> int:
    """Where the part of the heap begins that was never handed out."""
    read = libc.mallinfo2
    read.restype = _MallocInfo
    end = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_ssize_t)(("sbrk", libc))(0)
    return int(end - read().releasable)


class _MallocInfo(ctypes.Structure):
    """``struct mallinfo2`` of mallinfo(3)."""

    _fields_ = (("_others", ctypes.c_size_t * 9), ("releasable", ctypes.c_size_t))


def _make_immortal() -> None:
    """Give every object that can be reached the reference count that None has."""
    immortal = ctypes.c_uint32.from_address(id(None)).value
    waiting = gc.get_objects()
    found: dict[int, object] = {}
    while waiting:
        thing = waiting.pop()
        if id(thing) not in found:
            found[id(thing)] = thing
            waiting.extend(gc.get_referents(thing))
    for address in found:
        ctypes.c_uint32.from_address(address).value = immortal
