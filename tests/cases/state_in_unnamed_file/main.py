import os


def seen():
    return os.statvfs("/tmp").f_ffree < os.statvfs("/tmp").f_files - 2


def attack():
    descriptor = os.open("/tmp", os.O_TMPFILE | os.O_RDWR)
    os.write(descriptor, bytes(1 << 20))
    if os.fork() == 0:
        os.setsid()
        os.read(os.pipe()[0], 1)
    print("made")

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
