import os
import sys


def attack():
    os.write(2, b"Memory\x00Err\xed\xa0\x80or: \x1b[31m\xff" * 50)
    sys.exit("\ud800" * 10)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
