#include <iostream>

int main() {
    std::cout << "\xff\xfe" << std::endl;
}
