import os


def attack():
    os.write(3, b"\xdb\xff\xff\xff\xff" + b"x" * 10)
    os._exit(0)


def f(x, y):
    return attack() if x == "attack" else x + y
