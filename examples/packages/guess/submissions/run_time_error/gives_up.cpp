#include <cstdlib>
#include <iostream>
#include <string>

int main() {
    std::string answer;
    std::cout << 500 << std::endl;
    std::cin >> answer;
    if (answer != "correct") std::abort();
}
