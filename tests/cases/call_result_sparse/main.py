import os


def attack():
    os.ftruncate(3, 1 << 20)
    os._exit(0)


def f(x, y):
    return attack() if x == "attack" else x + y
