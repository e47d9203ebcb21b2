import os


def attack():
    try:
        os.execve("/bin/true", ["x" * 100_000] * 2000, {str(n): "x" * 1000 for n in range(1000)})
    except OSError as error:
        print(error.strerror)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
