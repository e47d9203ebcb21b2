import os


def seen():
    return os.listdir(".") or os.getcwd() != "/tmp"


def attack():
    open("left", "w").close()
    print(os.listdir("."))

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
