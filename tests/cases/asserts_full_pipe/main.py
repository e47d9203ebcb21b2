import time


def f(x, y):
    if x == "attack":
        time.sleep(100)
    return x + y
