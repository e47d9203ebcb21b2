import os
import signal


def attack():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGCONT, signal.SIGKILL, signal.SIGSTOP):
        try:
            os.kill(-1, number)
        except OSError:
            continue
    print("alive")

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
