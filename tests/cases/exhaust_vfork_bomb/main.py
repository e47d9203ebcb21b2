import os
import subprocess
import sys


def attack():
    children = []
    while True:
        try:
            children.append(subprocess.Popen(["/bin/sh", "-c", "sleep 100 & sleep 100"], close_fds=False))
        except OSError:
            continue

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
