import sys


def attack():
    sys.set_int_max_str_digits(0)
    print(len(str(1 << (1 << 26))))


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
