import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    """What the kernel says to a system call, by its number on x86_64."""
    answer = libc.syscall(number, *arguments)
    return "allowed" if answer >= 0 else errno.errorcode[ctypes.get_errno()]


def attack():
    print(call(101, 16, os.getppid(), 0, 0), call(101, 0x4206, os.getppid(), 0, 0), call(101, 0, 0, 0, 0))

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
