import sys
from collections import Counter

for word, count in Counter(sys.stdin.read().split()).items():
    print(word, count)
