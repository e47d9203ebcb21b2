class Endless:
    def __del__(self):
        while True:
            pass


kept = Endless()


def attack():
    global kept
    print("done", flush=True)
    kept = None


words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
