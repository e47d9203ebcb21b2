def f(x, y):
    if x == "attack":
        return {None: 1, (1, (2, 3)): 2, frozenset({1}): 3, float("nan"): 4, float("nan"): 5, 1 << 100: 6, b"": 7, 1j: 8}
    return x + y
