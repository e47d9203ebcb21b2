def check(input, expected, got):
    words = got.split()
    if len(words) < 2:
        return False, "fewer than two numbers"
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 40 and int(word) > 0):
            return False, f"{word[:40]!r} is no whole number greater than 0"
    total = sum(map(int, words))
    return total == int(input), f"they add up to {total}"
