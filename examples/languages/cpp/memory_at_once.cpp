#include <iostream>
#include <vector>

int main() {
    std::vector<int> all(1 << 28, 1);
    std::cout << all[12345] << std::endl;
}
