"""The names that LeetCode-style programs take for granted, for problems of kind ``call``.

Chosen so that none hides a builtin: ``math.pow`` is left out, for example.
"""

from __future__ import annotations

import bisect
import collections
import copy
import datetime
import functools
import heapq
import itertools
import math
import operator
import random
import re
import string
import sys
import typing
from typing import Any

from .nodes import ListNode, TreeNode

_MODULES = (
    bisect, collections, copy, datetime, functools, heapq, itertools, math, operator, random, re, string, sys, typing,
)  # fmt: skip

_FROM: dict[Any, str] = {
    typing: "Any Callable Deque DefaultDict Dict FrozenSet Generator Iterable Iterator List Optional "
    "Sequence Set Tuple Type TypeVar Union",
    collections: "ChainMap Counter OrderedDict defaultdict deque namedtuple",
    heapq: "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
    itertools: "accumulate chain combinations combinations_with_replacement count cycle groupby islice "
    "pairwise permutations product repeat starmap takewhile dropwhile zip_longest",
    functools: "cache cmp_to_key lru_cache partial reduce",
    bisect: "bisect_left bisect_right insort insort_left insort_right",
    math: "ceil comb factorial floor gcd inf isqrt lcm log log10 log2 pi sqrt",
    operator: "itemgetter xor",
    string: "ascii_letters ascii_lowercase ascii_uppercase digits",
}


def _collect() -> dict[str, Any]:
    found: dict[str, Any] = {module.__name__: module for module in _MODULES}
    for module, wanted in _FROM.items():
        found.update((name, getattr(module, name)) for name in wanted.split())
    found.update(ListNode=ListNode, TreeNode=TreeNode)
    return found


_PROVIDED = _collect()


def provided() -> dict[str, Any]:
    """The names and what they stand for; a new dict each time."""
    return dict(_PROVIDED)
