def f(x, y):
    while x == "attack":
        pass
    return x + y
