import os


def attack():
    os.write(1, bytes(range(256)) * 100 + b"\xed\xa0\x80\x00")
    os.write(2, b"\xff\xfe\x00\xed\xa0\x80" * 1000)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
