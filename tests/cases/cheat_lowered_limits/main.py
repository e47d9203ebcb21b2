import resource


def attack():
    for name in ("RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_STACK", "RLIMIT_AS"):
        resource.setrlimit(getattr(resource, name), (0, 0))
    print("x" * 10_000_000, flush=True)

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
