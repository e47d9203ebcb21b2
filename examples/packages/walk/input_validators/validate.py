import sys

lines = sys.stdin.read().splitlines()
assert 1 <= int(lines[0]) <= 1000 and len(lines) == int(lines[0]) + 1
assert all(abs(int(word)) <= 10**6 for line in lines[1:] for word in line.split())
assert all(len(line.split()) == 2 for line in lines[1:])
sys.exit(42)
