import os


def seen():
    return os.listdir("/tmp") or os.stat("/tmp").st_mode != 0o41777


def attack():
    path = "/tmp"
    for depth in range(300):
        path += "/" + "d" * 10
        try:
            os.mkdir(path)
        except OSError:
            break
    for name in (b"a\nb", b"\xff\xfe", b"-rf", b" ", b"x" * 255, "ü".encode()):
        os.close(os.open(b"/tmp/" + name, os.O_CREAT))
    os.symlink("/usr", "/tmp/link")
    os.symlink("/tmp/loop", "/tmp/loop")
    os.link("/tmp/ ", "/tmp/hard")
    os.mkfifo("/tmp/fifo")
    os.makedirs("/tmp/locked/inner")
    os.chmod("/tmp/locked", 0)
    os.chmod("/tmp/" + "d" * 10, 0)
    os.mknod("/tmp/socket", 0o140666)
    print(len(os.listdir("/tmp")))

words = input().split()
if words == ["attack"]:
    attack()
elif seen():
    print("seen", seen())
else:
    print(sum(map(int, words[1:])))
