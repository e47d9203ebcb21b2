def attack():
    print("43\b2\r\x1b[2K42")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
