import os


def attack():
    while True:
        os.write(3, bytes(1 << 16))


def f(x, y):
    return attack() if x == "attack" else x + y
