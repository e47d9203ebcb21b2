import zlib


def attack():
    squeezed = zlib.compress(zlib.compress(bytes(1 << 24)))
    for _ in range(40):
        squeezed += squeezed

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
