class Fickle(list):
    asked = 0

    def __iter__(self):
        type(self).asked += 1
        yield from [1] * self.asked

    def __getitem__(self, index):
        return self


def attack():
    return Fickle([1, 2, 3])


def f(x, y):
    return attack() if x == "attack" else x + y
