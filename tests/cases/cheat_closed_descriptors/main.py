import os


def attack():
    os.closerange(0, 65536)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
