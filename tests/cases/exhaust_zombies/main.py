import os


def attack():
    for made in range(10_000):
        try:
            if os.fork() == 0:
                os._exit(0)
        except OSError:
            break
    print(made < 64)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
