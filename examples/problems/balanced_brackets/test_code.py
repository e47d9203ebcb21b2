def check(candidate):
    assert candidate("") == True
    assert candidate("f(x)[0]") == True
    assert candidate("(]") == False
    assert candidate("([)]") == False
    assert candidate("((") == False
    assert candidate("))((") == False
    assert candidate("{[()()]}") == True
