low, high = 1, 1000
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    match input():
        case "higher":
            low = guess + 1
        case "lower":
            high = guess - 1
        case "correct":
            break
