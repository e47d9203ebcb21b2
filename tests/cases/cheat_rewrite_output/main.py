import os


def attack():
    os.write(1, b"something else entirely\n")
    os.ftruncate(1, 0)
    os.lseek(1, 0, os.SEEK_SET)
    os.write(1, b"right\n")

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
