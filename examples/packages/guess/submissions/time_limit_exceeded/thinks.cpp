#include <iostream>

int main() {
    std::cout << 500 << std::endl;
    volatile unsigned long long steps = 0;
    while (true) steps = steps + 1;
}
