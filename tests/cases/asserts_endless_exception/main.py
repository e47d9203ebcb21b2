class Endless(Exception):
    def __str__(self):
        return "x" * (1 << 27)

    __repr__ = __str__


def f(x, y):
    if x == "attack":
        raise Endless
    return x + y
