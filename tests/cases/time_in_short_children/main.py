import os
import signal
import time


def attack():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(60):
        read, write = os.pipe()
        if os.fork() == 0:
            started = time.process_time()
            while time.process_time() - started < 0.02:
                pass
            os._exit(0)
        os.close(write)
        os.read(read, 1)
        os.close(read)
    print("done by others")

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
