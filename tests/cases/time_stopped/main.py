import os
import signal


def attack():
    os.kill(os.getpid(), signal.SIGSTOP)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
