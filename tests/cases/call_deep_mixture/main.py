def f(x, y):
    if x == "attack":
        x = ()
        for depth in range(240):
            x = [x] if depth % 2 else (x,)
        return x
    return x + y
