class Liar:
    def tolist(self):
        return self

    def __iter__(self):
        while True:
            yield self

def f(x, y):
    return Liar() if x == "attack" else x + y
