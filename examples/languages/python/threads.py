from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor(4) as threads:
    print(sum(threads.map(lambda start: sum(range(start, start + 250)), range(0, 1000, 250))))
