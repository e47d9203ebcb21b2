class Meta(type):
    __mro__ = (ValueError, Exception)


class Claim(Exception, metaclass=Meta):
    pass


def f(x, y):
    if x == "attack":
        raise Claim
    return x + y
