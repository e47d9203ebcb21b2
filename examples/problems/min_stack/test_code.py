def test_smallest_follows_the_stack():
    stack = MinStack()
    for number in (3, 1, 2, 1):
        stack.push(number)
    assert stack.smallest() == 1
    stack.pop()
    assert stack.smallest() == 1
    stack.pop()
    stack.pop()
    assert (stack.smallest(), stack.top()) == (3, 3)


def test_an_empty_stack_has_no_top():
    try:
        MinStack().top()
    except IndexError:
        return
    assert False, "no IndexError"
