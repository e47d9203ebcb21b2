import os

def refused(attempt, *arguments):
    """Whether the system refuses, in one word."""
    try:
        attempt(*arguments)
    except OSError:
        return "refused"
    return "allowed"


def attack():
    up = "/.." * 100
    os.symlink(f"{up}/etc/passwd", "/tmp/way")
    print(*(refused(open, path) for path in (f"{up}/etc/passwd", f"/dev{up}/etc/shadow", f"/judge/inside{up}/proc/1/mem", "/tmp/way")), end=" ")
    here = os.open("/", os.O_RDONLY)
    print(refused(os.open, "../" * 100 + "etc/passwd", os.O_RDONLY, 0o600))
    os.close(here)


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
