#include <iostream>

#include "read.h"

int main() {
    unsigned sum = 0;
    while (true) sum += read();
    std::cout << sum << std::endl;
}
