import math
import sys

for line in sys.stdin:
    print(math.pi * float(line) ** 2)
