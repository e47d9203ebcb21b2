def f(x, y):
    if x == "attack":
        raise type("\ud800\x00" * 50, (Exception,), {"__module__": 7})("\udfff" * 10_000, ["\x1b[2J"])
    return x + y
