def attack():
    print("[1, 2, [3, {4: 5}], " + "{}, " * 250_000 + "]")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
