import os
import signal


def attack():
    for number in range(signal.SIGRTMIN, signal.SIGRTMAX):
        signal.signal(number, lambda *_: None)
    while True:
        for number in range(signal.SIGRTMIN, signal.SIGRTMAX):
            os.kill(os.getpid(), number)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
