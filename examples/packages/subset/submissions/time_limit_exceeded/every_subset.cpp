#include <bit>
#include <iostream>

int main() {
    int n, t, coins[40];
    std::cin >> n >> t;
    for (int i = 0; i < n; i++) std::cin >> coins[i];
    for (unsigned long long chosen = 0; chosen < 1ULL << n; chosen++) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            if (chosen >> i & 1) sum += coins[i];
        if (sum == t) {
            std::cout << std::popcount(chosen) << "\n";
            for (int i = 0; i < n; i++)
                if (chosen >> i & 1) std::cout << i + 1 << " ";
            std::cout << std::endl;
            return 0;
        }
    }
}
