import os
import resource
import signal


def seen():
    soft, _ = resource.getrlimit(resource.RLIMIT_CPU)
    return soft < 2 or resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 100 or signal.getitimer(signal.ITIMER_REAL)[0]


def attack():
    signal.setitimer(signal.ITIMER_REAL, 5)
    signal.alarm(1)
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))
    if os.fork() == 0:
        os.setsid()
        signal.pause()
    print("set")


words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
