import os
import struct


def frame(data):
    return struct.pack(">I", len(data)) + data


def f(x, y):
    return x + y


os.write(4, frame(b"\x93\x00\xc4\x01\xc3\xc0") * 3)
