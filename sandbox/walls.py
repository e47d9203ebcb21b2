"""The walls of a running jail as the kernel shows them from outside: namespaces, ids, rights, bounds.

Each function takes the pid of a jail's zygote and names what is wrong. None asks the jail, so nothing in it
can lie; and they miss a wall also where a second one, the session's own, hides that it is gone.

Raises (all of them):
    PermissionError: If this user may not look.
    FileNotFoundError, ProcessLookupError: If the zygote is gone.
"""

from __future__ import annotations

import os
from pathlib import Path

from .cgroup import Cgroup
from .isolation import Plan
from .jailconfig import CAPABILITIES

NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")

_CAPABILITY_NUMBERS = {"CAP_KILL": 5, "CAP_SETGID": 6, "CAP_SETUID": 7, "CAP_SYS_ADMIN": 21}
"""Those of <linux/capability.h> that a jail may have."""


def shared_namespaces(zygote_pid: int, _: Plan) -> list[str]:
    """Namespaces that the jail has in common with this process; see namespaces(7)."""
    return [
        name
        for name in NAMESPACES
        if os.readlink(f"/proc/{zygote_pid}/ns/{name}") == os.readlink(f"/proc/self/ns/{name}")
    ]


def needless_capabilities(zygote_pid: int, _: Plan) -> list[str]:
    """Sets of capabilities with more in them than zygote and session live by; see capabilities(7)."""
    needed = sum(1 << _CAPABILITY_NUMBERS[name] for name in CAPABILITIES)
    lines = Path(f"/proc/{zygote_pid}/status").read_text().splitlines()
    sets = dict(line.split(":\t") for line in lines if line.startswith("Cap"))
    return [f"{name} {value}" for name, value in sets.items() if int(value, 16) & ~needed]


def ids_of_root(zygote_pid: int, _: Plan) -> list[str]:
    """Lines of the jail's uid_map that reach the machine's root, whom no limit on processes binds.

    See user_namespaces(7). What is 0 here may be somebody else's id outside, if this process is in a user
    namespace itself.
    """
    own = _id_ranges(Path("/proc/self/uid_map"))
    roots = [inside for inside, outside, _ in own if outside == 0]
    return [
        f"{inside} {outside} {count}"
        for inside, outside, count in _id_ranges(Path(f"/proc/{zygote_pid}/uid_map"))
        if any(outside <= root < outside + count for root in roots)
    ]


def _id_ranges(path: Path) -> list[tuple[int, int, int]]:
    """(first id inside, first id outside, count) of each line, as ids of the reader's namespace."""
    lines = path.read_text().splitlines()
    return [
        (int(inside), int(outside), int(count)) for inside, outside, count in map(str.split, lines)
    ]


def unbounded(zygote_pid: int, plan: Plan) -> list[str]:
    """What the jail's control group should bound for all its processes together, and does not."""
    if plan.cgroup_version is None:
        return []
    return Cgroup(plan.cgroup_version, f"NSJAIL.{zygote_pid}").unbounded(zygote_pid)
