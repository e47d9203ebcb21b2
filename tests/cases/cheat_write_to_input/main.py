import fcntl
import os

def refused(attempt, *arguments):
    """Whether the system refuses, in one word."""
    try:
        attempt(*arguments)
    except OSError:
        return "refused"
    return "allowed"


def attack():
    print(refused(os.write, 0, b"x"), refused(os.ftruncate, 0, 0), refused(os.truncate, 0, 0))
    print(os.lseek(0, 0, os.SEEK_SET), os.read(0, 100), os.fstat(0).st_size, refused(fcntl.fcntl, 0, 1033, 0))

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
