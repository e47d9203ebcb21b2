def attack():
    print("[" + "1," * 450_000 + "]")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
