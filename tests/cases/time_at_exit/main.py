import atexit


def attack():
    @atexit.register
    def forever():
        while True:
            pass

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
