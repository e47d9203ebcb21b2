import resource
import sys
import threading


def attack():
    resource.setrlimit(resource.RLIMIT_STACK, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    sys.setrecursionlimit(2**31 - 1)

    def endless():
        return sorted([1, 2], key=lambda _: endless())

    threading.stack_size(200 << 20)
    thread = threading.Thread(target=endless)
    thread.start()
    endless()


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
