import fcntl
import os


def attack():
    try:
        while True:
            read, write = os.pipe2(os.O_NONBLOCK)
            try:
                fcntl.fcntl(write, 1031, 1 << 20)  # F_SETPIPE_SZ
            except OSError:
                pass
            try:
                while os.write(write, bytes(1 << 16)):
                    continue
            except BlockingIOError:
                continue
    except OSError:
        print("full")


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
