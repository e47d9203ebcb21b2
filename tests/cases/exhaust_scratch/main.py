import os


def seen():
    return os.listdir("/tmp") + os.listdir("/dev/shm")


def attack():
    for folder in ("/tmp", "/dev/shm"):
        try:
            for number in range(200):
                with open(f"{folder}/bytes{number}", "wb") as file:
                    file.write(bytes(1 << 20))
        except OSError as error:
            print(error.strerror)
        try:
            for number in range(20_000):
                os.mkdir(f"{folder}/file{number}")
        except OSError as error:
            print(error.strerror)

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
