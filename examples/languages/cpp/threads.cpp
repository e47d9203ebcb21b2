#include <future>
#include <iostream>
#include <thread>
#include <vector>

int main() {
    std::vector<std::future<long>> parts;
    for (long from = 0; from < 1000; from += 250)
        parts.push_back(std::async(std::launch::async, [from] {
            long sum = 0;
            for (long i = from; i < from + 250; i++) sum += i;
            return sum;
        }));
    long all = 0;
    std::thread gather([&] {
        for (auto &part : parts) all += part.get();
    });
    gather.join();
    std::cout << all << std::endl;
}
