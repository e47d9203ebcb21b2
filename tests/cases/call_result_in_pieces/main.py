import os


def attack():
    os.write(3, b"\x93" + b"\x01" * 1000)
    os.lseek(3, 1 << 19, os.SEEK_SET)
    os.write(3, b"\xc1" * 10)
    os.lseek(3, 0, os.SEEK_SET)
    return [1] * 3


def f(x, y):
    return attack() if x == "attack" else x + y
