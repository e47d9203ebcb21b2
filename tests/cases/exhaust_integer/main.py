def attack():
    print(len(hex(3 ** (3 ** 19))) + 7 ** (7 ** 9))

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
