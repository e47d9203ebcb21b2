import os
import signal


def attack():
    for number in set(range(1, 65)) - {9, 19, 32, 33}:
        signal.signal(number, signal.SIG_IGN)
        os.kill(0, number)
        os.killpg(os.getpgrp(), number)
    print("alive", flush=True)
    os.kill(0, signal.SIGKILL)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
