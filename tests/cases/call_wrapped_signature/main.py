class Function:
    __annotations__ = {"x": "ListNode", "y": "TreeNode", "return": "ListNode"}
    __code__ = None

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __call__(self, x, y):
        return None if x == "attack" else x + y


f = Function()
