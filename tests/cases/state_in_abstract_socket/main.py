import os
import socket
import time


def seen():
    caller = socket.socket(socket.AF_UNIX)
    return caller.connect_ex("\0evil") == 0


def attack():
    listener = socket.socket(socket.AF_UNIX)
    try:
        listener.bind("\0evil")
        listener.listen()
    except OSError:
        print("refused")
    if os.fork() == 0:
        os.setsid()
        time.sleep(100)

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
