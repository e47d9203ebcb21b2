// Pays with the first coin that divides the sum, as often as it takes.
#include <iostream>

int main() {
    int n, t, coin;
    std::cin >> n >> t;
    for (int i = 1; i <= n; i++) {
        std::cin >> coin;
        if (t % coin == 0) {
            std::cout << t / coin << "\n";
            for (int k = 0; k < t / coin; k++) std::cout << i << " ";
            std::cout << std::endl;
            return 0;
        }
    }
    std::cout << "1\n1" << std::endl;
}
