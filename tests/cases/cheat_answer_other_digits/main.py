def attack():
    print("\uff14\uff12 \u0664\u0662"[:2])


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
