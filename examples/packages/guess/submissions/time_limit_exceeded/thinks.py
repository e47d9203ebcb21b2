print(500, flush=True)
while input() != "correct":
    while True:
        pass
