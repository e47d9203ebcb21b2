import os


def attack():
    try:
        while True:
            os.write(2, b"x" * 65536)
    except OSError:
        print("full")

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
