import os


def attack():
    opened = 0
    try:
        while True:
            opened = os.dup(1)
    except OSError:
        print(opened < 1024)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
