def f(x, y):
    if x == "attack":
        y.append(y)
        return y[0]
    return x + y
