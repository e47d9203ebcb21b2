class ListNode:
    val = next = None


def f(x, y):
    if x == "attack":
        node = ListNode()
        node.next = node
        return node
    return x + y
