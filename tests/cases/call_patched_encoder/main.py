import sys


def f(x, y):
    if x == "attack":
        import msgpack

        msgpack.packb = lambda *_, **__: b"\xa842424242"
        for module in list(sys.modules.values()):
            if getattr(module, "encode", None) and module.__name__.startswith("inside"):
                module.encode = lambda *_: b"\xa842424242"
        return 42
    return x + y
