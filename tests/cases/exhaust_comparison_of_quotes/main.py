def attack():
    print("\\'\"" * 300_000)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
