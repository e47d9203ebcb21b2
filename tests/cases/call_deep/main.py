def f(x, y):
    if x == "attack":
        x = []
        for _ in range(1_000_000):
            x = [x]
        return x
    return x + y
