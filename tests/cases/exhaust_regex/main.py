import re


def attack():
    re.match(r"(a*)*b", "a" * 60)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
