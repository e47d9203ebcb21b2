#include <iostream>

#include "lib/answer.h"

int main() {
    std::cout << answer() << std::endl;
}
