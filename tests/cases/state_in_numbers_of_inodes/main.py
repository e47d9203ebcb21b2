import os

FOLDERS = ("/tmp", "/dev/shm")


def count(folder):
    with open(f"{folder}/new", "w") as file:
        return os.fstat(file.fileno()).st_ino


def attack():
    for folder in FOLDERS:
        for _ in range(2000):
            os.mkdir(f"{folder}/mark")
            os.rmdir(f"{folder}/mark")
    print("marked")


words = input().split()
if words == ["attack"]:
    attack()
elif any(count(folder) > 1000 for folder in FOLDERS):
    print("seen")
else:
    print(sum(map(int, words[1:])))
