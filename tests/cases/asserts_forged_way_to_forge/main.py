import os
import struct


def frame(data):
    return struct.pack(">I", len(data)) + data


def f(x, y):
    if x == "attack":
        os.write(4, frame(b"\x93\x00\xc4\x05\x92\x05\xc7\x00\x01\xc0"))  # returns [5, the mark of a tuple]
    return 0 if x == "attack" else x + y
