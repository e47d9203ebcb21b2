import os
import time


def attack():
    for _ in range(3):
        if os.fork() == 0:
            while True:
                pass
    time.sleep(100)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
