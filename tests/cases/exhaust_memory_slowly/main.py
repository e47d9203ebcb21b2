def attack():
    kept = []
    while True:
        kept.append(bytearray(8 << 20))

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
