import os


def attack():
    source, target = os.open("/dev/zero", os.O_RDONLY), os.open("/dev/null", os.O_WRONLY)
    room = bytearray(64 << 20)
    while True:
        os.readv(source, [room])
        os.writev(target, [room])
        os.getrandom(1 << 25)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
