guess = 1
print(guess, flush=True)
while (answer := input()) != "correct":
    guess += 1
    print(guess, flush=True)
