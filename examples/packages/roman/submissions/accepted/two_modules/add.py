import sys

from numerals import value

print(sum(value(line.strip()) for line in sys.stdin))
