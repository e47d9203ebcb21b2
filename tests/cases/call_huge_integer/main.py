def f(x, y):
    return 1 << 8_000_000 if x == "attack" else x + y
