import os
import stat

def refused(attempt, *arguments):
    """Whether the system refuses, in one word."""
    try:
        attempt(*arguments)
    except OSError:
        return "refused"
    return "allowed"


def attack():
    print(refused(os.mknod, "/tmp/memory", 0o666 | stat.S_IFCHR, os.makedev(1, 1)))
    print(refused(os.mknod, "/dev/shm/disk", 0o666 | stat.S_IFBLK, os.makedev(8, 0)))
    print(*sorted(os.listdir("/dev")))

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
