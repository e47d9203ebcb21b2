print(500, flush=True)
distance = int(input())
print(500 + distance, flush=True)
