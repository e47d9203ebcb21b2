#include <iostream>
#include <vector>

int main() {
    int n, t;
    std::cin >> n >> t;
    std::vector<int> coins(n + 1), last(t + 1, 0), positions;
    for (int i = 1; i <= n; i++) std::cin >> coins[i];
    for (int i = 1; i <= n; i++)
        for (int sum = t; sum >= coins[i]; sum--)
            if (!last[sum] && (sum == coins[i] || last[sum - coins[i]])) last[sum] = i;
    for (; t; t -= coins[last[t]]) positions.push_back(last[t]);
    std::cout << positions.size() << "\n";
    for (int position : positions) std::cout << position << " ";
    std::cout << std::endl;
}
