import os
import struct


def frame(data):
    return struct.pack(">I", len(data)) + data

import time


def f(x, y):
    if x == "attack":
        os.write(4, b"\x00\xff\xff\xff")
        while True:
            os.write(4, b"x")
            time.sleep(0.1)
    return x + y
