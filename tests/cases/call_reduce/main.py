import os


class Pickled:
    def __reduce__(self):
        return os.system, ("echo 42",)

    __reduce_ex__ = lambda self, protocol: self.__reduce__()
    __getstate__ = __getnewargs__ = __reduce__
    __setstate__ = lambda self, state: None


def attack():
    return Pickled()


def f(x, y):
    return attack() if x == "attack" else x + y
