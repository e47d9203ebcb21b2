import os


def attack():
    print(*sorted(set(os.environ) - {"PATH", "HOME", "LANG", "PYTHONHASHSEED", "OPENBLAS_NUM_THREADS", "PYTHONPATH", "LD_LIBRARY_PATH", "LC_CTYPE"}))

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
