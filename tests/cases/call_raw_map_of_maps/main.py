import os


def attack():
    os.write(3, b"\x81" * 500 + b"\xc0" * 501)
    os._exit(0)


def f(x, y):
    return attack() if x == "attack" else x + y
