import sys

text = sys.stdin.read()
assert text == f"{int(text)}\n" and 1 <= int(text) <= 1000
sys.exit(42)
