def f(x, y):
    return "x" * 10_000_000 if x == "attack" else x + y
