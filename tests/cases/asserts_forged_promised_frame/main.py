import os
import struct


def frame(data):
    return struct.pack(">I", len(data)) + data


def f(x, y):
    if x == "attack":
        os.write(4, b"\x0f\xff\xff\xff" + bytes(60_000))
        os._exit(0)
    return x + y
