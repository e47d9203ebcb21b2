class ListNode:
    val = 1
    right = None

    @property
    def next(self):
        return ListNode()


def attack():
    return ListNode()


def f(x, y):
    return attack() if x == "attack" else x + y
