def sorted_with_count(values):
    if len(values) < 2:
        return values, 0
    middle = len(values) // 2
    left, left_count = sorted_with_count(values[:middle])
    right, right_count = sorted_with_count(values[middle:])
    merged, count, i = [], left_count + right_count, 0
    for value in right:
        while i < len(left) and left[i] <= value:
            merged.append(left[i])
            i += 1
        count += len(left) - i
        merged.append(value)
    return merged + left[i:], count


n, a, p, q, m = map(int, input().split())
sequence = []
for _ in range(n):
    sequence.append(a)
    a = (p * a + q) % m
print(sorted_with_count(sequence)[1])
