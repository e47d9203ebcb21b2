class Liar:
    __class__ = int

    def __int__(self):
        return 42

    def __index__(self):
        return 42

    def __reduce__(self):
        return print, ("pickled",)

def f(x, y):
    return Liar() if x == "attack" else x + y
