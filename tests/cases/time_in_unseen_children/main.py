import os
import signal
import time


def wait_for_all():
    try:
        os.wait()
    except ChildProcessError:
        return


def burn(seconds):
    started = time.process_time()
    while time.process_time() - started < seconds:
        pass


def attack():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel then adds their time to nobody's
    for _ in range(150):
        if os.fork() == 0:
            os._exit(0)
        wait_for_all()
    ends = []
    for _ in range(5):
        read, write = os.pipe()
        if os.fork() == 0:
            burn(0.25)
            os._exit(0)
        os.close(write)
        ends.append(read)
    for read in ends:
        os.read(read, 1)
    print("done by others")

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
