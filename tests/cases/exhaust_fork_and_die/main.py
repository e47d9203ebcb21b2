import os


def attack():
    while True:
        try:
            if os.fork():
                os._exit(0)
        except OSError:
            continue

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
