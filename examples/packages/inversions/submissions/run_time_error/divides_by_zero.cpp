#include <iostream>

int main() {
    long long n, a, p, q, m;
    std::cin >> n >> a >> p >> q >> m;
    volatile long long nothing = q - q;
    std::cout << a % nothing << std::endl;
}
