import threading


def attack():
    threading.Thread(target=threading.Event().wait).start()
    print("done")

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
