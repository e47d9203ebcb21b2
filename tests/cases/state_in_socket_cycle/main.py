import array
import os
import socket
import time


def seen():
    caller = socket.socket(socket.AF_UNIX)
    return caller.connect_ex("\0cycle") == 0


def attack():
    listener = socket.socket(socket.AF_UNIX)
    try:
        listener.bind("\0cycle")
        listener.listen()
    except OSError:
        print("refused")
    one, other = socket.socketpair()
    rights = array.array("i", [one.fileno(), other.fileno(), listener.fileno()])
    one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
