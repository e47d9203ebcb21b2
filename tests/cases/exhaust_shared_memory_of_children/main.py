import mmap
import os
import sys
import time


def attack():
    for _ in range(12):
        if os.fork() == 0:
            kept = mmap.mmap(-1, 150 << 20)
            for start in range(0, 150 << 20, 4096):
                kept[start] = 1
            time.sleep(100)
    _, status = os.wait()
    sys.exit(status != 0)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
