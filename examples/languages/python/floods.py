while True:
    print("a line of output that goes on and on")
