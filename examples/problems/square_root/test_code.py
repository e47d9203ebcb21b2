def check(candidate):
    assert abs(candidate(2) - 1.41421356237) < 1e-6
    assert abs(candidate(0)) < 1e-6
    for n in range(1, 30):
        root = candidate(n * n)
        assert abs(root - n) < 1e-6, f"the root of {n * n}"
    assert candidate(3) < candidate(4) < candidate(5)
