import numpy


class Liar:
    def __eq__(self, other):
        return True

    __hash__ = None


def attack():
    return numpy.array([Liar(), Liar()], dtype=object)


def f(x, y):
    return attack() if x == "attack" else x + y
