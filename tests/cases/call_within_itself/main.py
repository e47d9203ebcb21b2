def f(x, y):
    if x == "attack":
        x = []
        x.append(x)
        return x
    return x + y
