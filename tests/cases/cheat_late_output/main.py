import os
import threading
import time


def attack():
    if os.fork() == 0:
        time.sleep(0.3)
        os.write(1, b"late\n")
        os._exit(0)
    threading.Thread(target=lambda: (time.sleep(0.02), print("in time", flush=True))).start()

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
