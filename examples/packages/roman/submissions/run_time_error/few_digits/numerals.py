DIGITS = {"I": 1, "V": 5, "X": 10}


def value(numeral):
    digits = [DIGITS[digit] for digit in numeral]
    return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0]))
