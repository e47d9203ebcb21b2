def f(x, y):
    if x == "attack":
        raise StopIteration
    return x + y
