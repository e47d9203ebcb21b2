import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    """What the kernel says to a system call, by its number on x86_64."""
    answer = libc.syscall(number, *arguments)
    return "allowed" if answer >= 0 else errno.errorcode[ctypes.get_errno()]


def attack():
    about = ctypes.create_string_buffer(128)
    ctypes.cast(about, ctypes.POINTER(ctypes.c_int))[2] = -1  # SI_QUEUE
    for victim in {1, os.getppid()}:
        for number in (9, 15, 19, 34):
            call(200, victim, number)  # tkill
            call(234, victim, victim, number)  # tgkill
            call(129, victim, number, about)  # rt_sigqueueinfo
            call(297, victim, victim, number, about)  # rt_tgsigqueueinfo
            call(424, os.pidfd_open(victim), number, None, 0)  # pidfd_send_signal
    print("sent")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
