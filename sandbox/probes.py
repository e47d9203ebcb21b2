"""The programs of the checks: each tries what a jail should refuse, and prints what came of it.

Every one ends by itself and, but for REACH_FOR_SESSION and FORKS, harms nothing outside of a jail either. What a
jail lets a program see or have is listed here a second time on purpose: a wall that is moved without a
thought is noticed.
"""

from __future__ import annotations

from .inside.wire import SCRATCH_BYTES

LEFT_BEHIND = "left-by-the-self-check"
"""A file that one check leaves in every scratch directory."""


def refused(attempt: str) -> str:
    """A program that prints "refused" if ``attempt`` raises OSError, else what came of it."""
    return f"import os, socket\ntry:\n    print({attempt})\nexcept OSError:\n    print('refused')\n"


LIBC = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"

CAPABILITIES = """
header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
print(libc.capget(header, sets), any(sets))
"""
"""capget(2), version 3: effective, permitted, inheritable."""

NOT_REFUSED = """
nothing = bytes(512)
calls = dict(
    ptrace=lambda: libc.ptrace(16, 0, 0, 0),
    process_vm_readv=lambda: libc.process_vm_readv(0, nothing, 0, nothing, 0, 1),
    unshare=lambda: libc.unshare(0),
    setns=lambda: libc.setns(-1, 0),
    shmget=lambda: libc.shmget(0, 0, 0),
    semget=lambda: libc.semget(0, 0, 0),
    msgget=lambda: libc.msgget(1, 0),
    bind=lambda: libc.bind(-1, nothing, 0),
    netlink=lambda: libc.socket(16, 3, 0),
    vsock=lambda: libc.socket(40, 1, 0),
    personality=lambda: libc.personality(0xFFFFFFFF),
    clock=lambda: libc.adjtimex(ctypes.create_string_buffer(512)),
    priority=lambda: libc.setpriority(0, 0, 0),
    affinity=lambda: libc.sched_setaffinity(0, 0, None),
    io_uring_setup=lambda: libc.syscall(425, 0, None),
    pidfd_getfd=lambda: libc.syscall(438, -1, -1, 0),
    memfd_secret=lambda: libc.syscall(447, -1),
)
def refused(call):
    ctypes.set_errno(0)
    return call() == -1 and ctypes.get_errno() == 1
print([name for name, call in calls.items() if not refused(call)])
"""
"""Without a filter each is allowed, or refused for another reason than EPERM; and none has an effect."""

BEYOND_WHAT_IS_LAID_OUT = """
import os, sys
laid_out = {f'/{name}' for name in 'bin dev sbin tmp'.split()} | set(sys.stdin.read().split('\\n'))
def beyond(place):
    for name in os.listdir(place):
        path = os.path.join(place, name)
        if any(known.startswith(path + '/') for known in laid_out - {path}) and path not in laid_out:
            yield from beyond(path)
        elif path not in laid_out:
            yield path
print(sorted(beyond('/')))
"""
"""Is told what is mounted. An interpreter lies where it does outside, perhaps below a home: the way there has to be
bare."""

WRITABLE = """
import os, sys
places = ['/', sys.base_prefix, *(at + name for at in ('/', '/dev/') for name in os.listdir(at))]
print([place for place in places if not os.statvfs(place).f_flag & os.ST_RDONLY])
"""

SCRATCH = f"""
import os
for place in ('/tmp', '/dev/shm'):
    with open(place + '/{LEFT_BEHIND}', 'w') as file:
        file.write('for the next program to find')
    about = os.statvfs(place)
    print(about.f_blocks * about.f_frsize <= {SCRATCH_BYTES}, 0 < about.f_files < 10_000)
"""

OPEN_DESCRIPTORS = """
import os
found = []
for number in range(4096):
    try:
        os.fstat(number)
    except OSError:
        continue
    found.append(number)
print(found)
"""

ENDLESS_RESOURCES = """
import resource
names = 'AS CPU FSIZE NOFILE NPROC CORE'.split()
limits = {name: resource.getrlimit(getattr(resource, 'RLIMIT_' + name)) for name in names}
print([name for name, both in limits.items() if resource.RLIM_INFINITY in both])
"""

VARIABLES = """
import os
known = 'PATH HOME LANG LC_CTYPE PYTHONHASHSEED PYTHONPATH OPENBLAS_NUM_THREADS LD_LIBRARY_PATH'.split()
print(sorted(set(os.environ) - set(known)))
"""

REACH_FOR_SESSION = """
print(libc.ptrace(16, os.getppid(), 0, 0), end=' ')
try:
    os.kill(os.getppid(), 9)
except OSError:
    pass
print('alive')
"""

FORKS = """
import os, time
count = 0
try:
    for _ in range(64):
        if os.fork() == 0:
            time.sleep(9)
            os._exit(0)
        count += 1
except OSError:
    pass
print(count < 64)
"""

FLOOD = """
import os
try:
    for _ in range(32):
        os.write(1, b'x' * 65536)
except OSError:
    pass
"""
