def f(x, y):
    if x == "attack":
        y.clear()
        return y
    return x + y
