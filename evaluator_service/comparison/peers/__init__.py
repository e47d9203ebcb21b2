"""What other graders would have said: one file a peer, each an ordered tuple of its own steps.

Their mistakes are part of it. Whoever compares figures with a paper, or asks what another grader made of
an old run, needs what that grader does and not what it should do. Nothing here decides unless a policy
names the peer.

=============  =============================  ===============================================
 file           profile                        the peer
=============  =============================  ===============================================
 apps           ``apps``                       APPS and what descends from it
 taco           ``taco``                       rLLM's path for TACO
 verl           ``verl``                       verl's ``prime_code``
 livecodebench  ``livecodebench``              LiveCodeBench and its many users
 sandboxfusion  ``sandboxfusion``              SandboxFusion's common online judge
 kattis         ``kattis``                     Kattis' default validator
 dmoj           ``dmoj``, ``dmoj_floats``      two checkers of DMOJ
 evalplus       ``evalplus``                   EvalPlus
 microcoder     ``microcoder``                 the permissive chain
 closeness                                     NumPy's idea of close, without NumPy
=============  =============================  ===============================================

Where a bound on time and memory departs from a peer, its file says so. One holds for all: an output of
more than ``MAX_GROWTH_RATIO`` times the expected bytes and ``SPARE_BYTES`` is refused unread. A peer
might accept it (APPS takes ``1`` a million times for ``1``), at a cost that a hostile program chooses.
"""

from __future__ import annotations

from collections.abc import Mapping

from evaluator_service.comparison.chain import TextMethod, ValueMethod
from evaluator_service.comparison.peers import (
    apps,
    dmoj,
    evalplus,
    kattis,
    livecodebench,
    microcoder,
    sandboxfusion,
    taco,
    verl,
)
from evaluator_service.comparison.text import Text
from evaluator_service.profiles import Profile

PEER_TEXT_PROFILES: Mapping[Profile, tuple[TextMethod, ...]] = {
    "microcoder": microcoder.TEXT_METHODS,
    "livecodebench": livecodebench.TEXT_METHODS,
    "apps": apps.TEXT_METHODS,
    "taco": taco.TEXT_METHODS,
    "verl": verl.TEXT_METHODS,
    "sandboxfusion": sandboxfusion.TEXT_METHODS,
    "kattis": kattis.TEXT_METHODS,
    "dmoj": dmoj.STANDARD_METHODS,
    "dmoj_floats": dmoj.FLOATS_METHODS,
}

PEER_VALUE_PROFILES: Mapping[Profile, tuple[ValueMethod, ...]] = {
    "microcoder": microcoder.VALUE_METHODS,
    "livecodebench": livecodebench.VALUE_METHODS,
    "apps": apps.VALUE_METHODS,
    "taco": apps.VALUE_METHODS,
    "verl": verl.VALUE_METHODS,
    "evalplus": evalplus.VALUE_METHODS,
}

MAX_GROWTH_RATIO = 10
SPARE_BYTES = 1 << 16


def has_outgrown(expected: Text, actual: Text) -> bool:
    """Whether an output is too much larger than the expected one to be read."""
    return len(actual.raw) > MAX_GROWTH_RATIO * len(expected.raw) + SPARE_BYTES
