"""A compiled program finds the same walls whether the launcher started it or a fork of the interpreter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandbox import pool
from sandbox.builds import Sources, command_of
from sandbox.inside.wire import LAUNCHER_PATH
from sandbox.isolation import Plan, plans
from sandbox.model import Outcome, RunLimits
from sandbox.pool import Pool
from sandbox.slot import Slot

pytestmark = pytest.mark.nsjail

PLANS = list(plans())
LIMITS = RunLimits(2.0, 10.0, 256 << 20, 1 << 20, 16, 60.0)

LOOKS_AROUND = r"""
#include <cstdio>
#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int main() {
    uid_t r, e, s;
    getresuid(&r, &e, &s);
    printf("uid %d %d %d\n", r, e, s);
    getresgid(&r, &e, &s);
    printf("gid %d %d %d\n", r, e, s);
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2];
    syscall(SYS_capget, &header, sets);
    for (auto &set : sets) printf("capabilities %x %x %x\n", set.effective, set.permitted, set.inheritable);
    printf("no new privileges %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    printf("filter %d\n", prctl(PR_GET_SECCOMP, 0, 0, 0, 0));
    printf("unshare %d setns %ld mount %ld\n", (int)syscall(SYS_unshare, 0), syscall(SYS_setns, -1, 0),
           syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, 0));
    for (int which : {RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_STACK}) {
        rlimit limit;
        getrlimit(static_cast<__rlimit_resource>(which), &limit);
        printf("limit %d %llu %llu\n", which, (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
    }
    for (int fd = 0; fd < 5000; fd++)
        if (fcntl(fd, F_GETFD) >= 0) printf("open %d\n", fd);
    for (int number : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM}) {
        struct sigaction action;
        sigaction(number, nullptr, &action);
        printf("signal %d ignored %d\n", number, action.sa_handler == SIG_IGN);
    }
    char folder[4096];
    printf("folder %s\n", getcwd(folder, sizeof folder));
    for (char **variable = environ; *variable; variable++) puts(*variable);
}
"""


@pytest.fixture(params=PLANS, ids=lambda plan: plan.level)
def plan(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Plan:
    monkeypatch.setattr(pool, "plans", lambda: iter([request.param]))
    chosen: Plan = request.param
    return chosen


def slot_of(toolchains: dict[str, str]) -> Iterator[Slot]:
    own = Pool(1, toolchains=toolchains)
    own.start()
    try:
        with own.borrow() as slot:
            yield slot
    finally:
        own.close()


def looked_around(slot: Slot) -> Outcome:
    toolchain = slot.toolchain("cpp")
    build = slot.build(toolchain, Sources("a.cpp", {"a.cpp": LOOKS_AROUND.encode()}), LIMITS)
    assert build.compiled.ok, build.compiled.message
    with slot.open_program(command_of(toolchain, build, LIMITS), LIMITS) as session:
        (outcome,) = session.run_all([b""])
    return outcome


def test_a_program_finds_the_same_walls_either_way(plan: Plan) -> None:
    seen = []
    for toolchains in ({}, {"c": ""}):  # the launcher is built by the C compiler
        for slot in slot_of(toolchains):
            assert (str(LAUNCHER_PATH.rpartition("/")[0]) in slot.mounted) == (not toolchains)
            seen.append(looked_around(slot).stdout.decode())
    by_launcher, by_fork = seen
    assert by_launcher == by_fork
    assert "capabilities 0 0 0" in by_launcher
    assert by_launcher.count("open ") == 3
    assert "unshare -1 setns -1 mount -1" in by_launcher
    assert "ignored 1" not in by_launcher
    assert "uid 0" not in by_launcher
    assert plan.two_ids == ("uid 2 2 2" in by_launcher)
