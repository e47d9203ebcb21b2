import os
import sys

def refused(attempt, *arguments):
    """Whether the system refuses, in one word."""
    try:
        attempt(*arguments)
    except OSError:
        return "refused"
    return "allowed"


def attack():
    folders = ("/", "/usr", "/usr/lib", "/lib", "/judge", "/judge/inside", "/dev", os.path.dirname(os.__file__))
    print(*(refused(open, f"{folder}/evil", "w") for folder in folders))
    print(refused(os.chmod, sys.executable, 0o777), refused(os.rename, "/judge", "/judge2"), refused(os.unlink, "/dev/null"))

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
