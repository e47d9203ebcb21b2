import os
import sys
import time


def attack():
    for _ in range(8):
        if os.fork() == 0:
            kept = bytearray(200 << 20)
            time.sleep(100)
    _, status = os.wait()
    sys.exit(status != 0)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
