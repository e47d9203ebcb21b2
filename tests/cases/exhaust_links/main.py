import os


def attack():
    open("/tmp/file", "w").close()
    try:
        for number in range(100_000):
            os.link("/tmp/file", f"/tmp/{number}")
    except OSError:
        pass
    try:
        os.chdir("/dev/shm")
        for _ in range(100_000):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
    except OSError:
        print("full")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
