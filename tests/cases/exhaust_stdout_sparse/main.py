import os


def attack():
    try:
        os.ftruncate(1, 1 << 40)
    except OSError:
        os.lseek(1, (1 << 20) - 1, os.SEEK_SET)
        os.write(1, b"xyz")

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
