class TreeNode:
    val = 1
    right = None

    @property
    def left(self):
        return TreeNode()


def attack():
    return TreeNode()


def f(x, y):
    return attack() if x == "attack" else x + y
