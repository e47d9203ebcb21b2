def attack():
    print("\ufdfa\u0130\u200b\u202e" * 80_000)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
