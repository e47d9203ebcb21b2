import re
import sys

lines = sys.stdin.read().splitlines()
roman = re.compile("M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
assert 1 <= len(lines) <= 100 and all(line and roman.fullmatch(line) for line in lines)
sys.exit(42)
