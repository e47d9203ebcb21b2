print(len(b"x" * (1 << 30)))
