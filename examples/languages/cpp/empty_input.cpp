#include <iostream>
#include <iterator>
#include <string>

int main() {
    std::string all{std::istreambuf_iterator<char>(std::cin), {}};
    std::cout << all.size() << " bytes" << std::endl;
}
