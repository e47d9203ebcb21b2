import threading
import time


def attack():
    started = 0
    try:
        for started in range(10_000):
            threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
    except RuntimeError:
        print(started < 64)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
