import os
import signal


def attack():
    child = os.fork()
    if child == 0:
        os.kill(os.getpid(), signal.SIGSTOP)
    os.waitpid(child, 0)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
