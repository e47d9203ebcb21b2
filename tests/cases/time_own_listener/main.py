import ctypes
import struct


def attack():
    code = ctypes.create_string_buffer(struct.pack("<HBBI", 0x06, 0, 0, 0x7FC00000))  # ask the listener
    program = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", 1, ctypes.addressof(code)))
    assert ctypes.CDLL(None).syscall(317, 1, 8, program) > 0  # seccomp(SET_MODE_FILTER, NEW_LISTENER)
    print("not reached")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
