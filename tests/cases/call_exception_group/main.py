def attack():
    error = ValueError("innermost")
    for _ in range(5_000):
        error = ExceptionGroup("x" * 100, [error] * 3)
    raise error


def f(x, y):
    return attack() if x == "attack" else x + y
