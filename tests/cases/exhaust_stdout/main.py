import os


def attack():
    while True:
        os.write(1, b"x" * 65536)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
