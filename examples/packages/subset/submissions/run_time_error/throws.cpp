#include <iostream>
#include <map>

int main() {
    std::map<int, int> position;
    int n, t, coin;
    std::cin >> n >> t;
    for (int i = 1; i <= n; i++) std::cin >> coin, position[coin] = i;
    std::cout << "1\n" << position.at(t) << std::endl;  // only if a single coin is enough
}
