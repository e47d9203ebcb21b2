import os


def attack():
    yield 1
    os.write(3, b"\xa842424242")
    yield 2


def f(x, y):
    return attack() if x == "attack" else x + y
