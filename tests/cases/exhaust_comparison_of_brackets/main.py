def attack():
    print("[" * 500_000 + "]" * 500_000)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
