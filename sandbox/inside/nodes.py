"""LeetCode's linked lists and binary trees: to and from plain lists.

A linked list travels as the list of its values; a tree as its level order, where None stands for a
missing child and trailing Nones are left out.
"""

from __future__ import annotations

from collections import deque
from typing import Any

MAX_NODES_COUNT = 1_000_000
"""More nodes than this are taken for a cycle."""


class ListNode:
    """A node of a singly linked list, as LeetCode defines it."""

    def __init__(self, val: Any = 0, next: Any = None) -> None:  # noqa: A002 - LeetCode's own name
        self.val = val
        self.next = next


class TreeNode:
    """A node of a binary tree, as LeetCode defines it."""

    def __init__(self, val: Any = 0, left: Any = None, right: Any = None) -> None:
        self.val = val
        self.left = left
        self.right = right


def is_list_node(value: Any) -> bool:
    """Whether this looks like a linked-list node, of whichever class."""
    return type(value).__name__ == "ListNode" and hasattr(value, "next") and hasattr(value, "val")


def is_tree_node(value: Any) -> bool:
    """Whether this looks like a tree node, of whichever class."""
    return type(value).__name__ == "TreeNode" and hasattr(value, "left") and hasattr(value, "right")


def linked_list(values: list[Any], node: Any = ListNode) -> Any:
    """Build the chain of ``values``; None when there are none."""
    head = None
    for value in reversed(values):
        made = node(value)
        made.next = head
        head = made
    return head


def values_of_linked_list(head: Any) -> list[Any]:
    """The values along the chain.

    Raises:
        ValueError: If there are more than MAX_NODES_COUNT nodes, as in a cycle.
    """
    values: list[Any] = []
    while head is not None:
        if len(values) >= MAX_NODES_COUNT:
            raise ValueError(f"a linked list of more than {MAX_NODES_COUNT} nodes, or a cycle")
        values.append(head.val)
        head = head.next
    return values


def tree(values: list[Any], node: Any = TreeNode) -> Any:
    """Build the tree whose level order is ``values``; None when there are none."""
    if not values or values[0] is None:
        return None
    root = node(values[0])
    waiting = deque([root])
    for place, value in enumerate(values[1:]):
        if not waiting:
            break
        side = "left" if place % 2 == 0 else "right"
        parent = waiting[0] if side == "left" else waiting.popleft()
        if value is not None:
            child = node(value)
            setattr(parent, side, child)
            waiting.append(child)
    return root


def values_of_tree(root: Any) -> list[Any]:
    """The level order of the tree, trailing Nones left out.

    Raises:
        ValueError: If there are more than MAX_NODES_COUNT nodes, as in a cycle.
    """
    values: list[Any] = []
    waiting = deque([root])
    while waiting:
        node = waiting.popleft()
        if len(values) > 2 * MAX_NODES_COUNT:
            raise ValueError(f"a tree of more than {MAX_NODES_COUNT} nodes, or a cycle")
        if node is None:
            values.append(None)
        else:
            values.append(node.val)
            waiting += (node.left, node.right)
    while values and values[-1] is None:
        values.pop()
    return values
