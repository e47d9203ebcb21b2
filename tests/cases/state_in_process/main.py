import builtins
import os
import signal
import sys


def seen():
    return (os.environ.get("SECRET"), os.getcwd() != "/tmp", os.umask(0o22) != 0o22, signal.pthread_sigmask(signal.SIG_BLOCK, []),
            signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0), hasattr(sys, "secret")) if any((
            os.environ.get("SECRET"), os.getcwd() != "/tmp", hasattr(sys, "secret"), hasattr(builtins, "secret"))) else ()


def attack():
    os.environ["SECRET"] = os.sep
    os.chdir("/usr")
    os.umask(0o777)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    sys.secret = builtins.secret = 7
    print("marked")

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
