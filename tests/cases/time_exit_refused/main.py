import ctypes
import struct
import sys


def attack():
    print("done", flush=True)
    steps = [
        (0x20, 0, 0, 0),  # load the number of the call
        (0x15, 1, 0, 60),  # exit
        (0x15, 0, 1, 231),  # exit_group
        (0x06, 0, 0, 0x00050000),  # refuse, with "success"
        (0x06, 0, 0, 0x7FFF0000),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *step) for step in steps))
    program = struct.pack("<HxxxxxxQ", len(steps), ctypes.addressof(code))
    assert ctypes.CDLL(None).prctl(22, 2, program, 0, 0) == 0


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
