import numpy


def attack():
    return numpy.lib.stride_tricks.as_strided(numpy.zeros(1), shape=(10**6, 10**6), strides=(0, 0))


def f(x, y):
    return attack() if x == "attack" else x + y
