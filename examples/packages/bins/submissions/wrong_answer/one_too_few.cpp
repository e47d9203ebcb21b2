#include <iostream>

int main() {
    int n, c;
    std::cin >> n >> c;
    for (int i = 1; i < n; i++) std::cout << i << " ";
    std::cout << std::endl;
}
