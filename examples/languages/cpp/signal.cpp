#include <iostream>

int main() {
    volatile int zero = 0;
    std::cout << 7 / zero << std::endl;
}
