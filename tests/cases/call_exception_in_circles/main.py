def attack():
    error = first = ValueError("first")
    for _ in range(20_000):
        error, error.__cause__ = ValueError("next"), error
    first.__cause__ = first.__context__ = error
    raise error


def f(x, y):
    return attack() if x == "attack" else x + y
