import sys

GUESSES_COUNT = 10
ACCEPTED, REJECTED = 42, 43


def end(status, message):
    with open(f"{sys.argv[3]}/judgemessage.txt", "w") as file:
        file.write(message)
    sys.exit(status)


with open(sys.argv[1]) as file:
    secret = int(file.read())
print("ready", flush=True)
for count in range(1, GUESSES_COUNT + 1):
    line = sys.stdin.readline()
    if not line:
        end(REJECTED, f"said nothing more after {count - 1} guesses")
    try:
        guess = int(line)
    except ValueError:
        end(REJECTED, f"guess {count} is no number")
    if guess == secret:
        print("correct", flush=True)
        end(ACCEPTED, f"found with {count} guesses")
    print("higher" if guess < secret else "lower", flush=True)
end(REJECTED, f"not found with {GUESSES_COUNT} guesses")
