def attack():
    while True:
        try:
            print("x" * 1000)
        except OSError:
            continue

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
