import mmap


def attack():
    kept = []
    try:
        while True:
            kept.append(mmap.mmap(-1, 4096, prot=mmap.PROT_READ))
            kept.append(mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE))
    except (OSError, MemoryError):
        kept.clear()
        print("full")

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
