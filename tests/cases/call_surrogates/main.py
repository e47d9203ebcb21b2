def f(x, y):
    return {"\ud800": ["\udcff", b"\xff\x00", "\x00"]} if x == "attack" else x + y
