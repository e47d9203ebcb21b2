def attack():
    print("1e999999999 -1e-999999999 1e+99999999999999999999 0e1000000000 " * 10_000)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
