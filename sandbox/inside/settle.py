"""Settling the zygote's memory before the first fork, so that a fork has little to copy.

After a fork every page is shared until one side writes to it, and a write costs a fault and a copy. A test
of one line did that 210 times, its session 150 times; four fifths of a test's time went there. What can
be spared changes nothing that a program sees:

* Counting references. Objects that live as long as the zygote are made immortal (PEP 683, whose purpose
  this is), so that using them leaves them untouched.
* Filling holes. Allocators hand out freed memory first, which lies scattered over old pages. With the
  holes filled, what a child allocates lies side by side in new pages.
* Mapping less (``mappings``). A fork copies every mapping, and a child meets the interpreter's code anew.
* Binding functions. The loader looks each up at its first call, in every child anew, unless LD_BIND_NOW
  tells it to do so at the start (``jailconfig``).
"""

from __future__ import annotations

import ctypes
import gc
import sys

from . import mappings

_SMALL_OBJECT_BYTES = 512
"""Up to here objects live in the interpreter's own pools, a pool for each size in steps of 16."""

_POOL_BYTES = 16 << 10
_POOL_HEADER_BYTES = 48
_EMPTY_BYTES_OBJECT_BYTES = sys.getsizeof(b"")
_MOST_FILLINGS_COUNT = 20_000
"""An interpreter built with another allocator has no such pools, and no end would be found."""

_SMALL_CHUNKS = range(1032, 16, -16)
"""Sizes of which malloc keeps apart what was freed."""

_LARGE_CHUNKS = (65536, 49152, 32768, 24576, 16384, 12288, 8192, 6144, 4096, 3072, 2048, 1536)


def settle() -> list[bytes]:
    """Do it; returns what fills the holes of the interpreter's pools, to be kept."""
    gc.collect()
    _make_immortal()
    mappings.join()
    mappings.lift_code()
    fillings = _fill_pools()
    _fill_heap()
    gc.freeze()
    return fillings


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
