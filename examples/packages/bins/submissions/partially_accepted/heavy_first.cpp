#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
    int n, c;
    std::cin >> n >> c;
    std::vector<int> weights(n), order(n), boxes(n), filled(n + 1);
    for (int& weight : weights) std::cin >> weight;
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return weights[a] > weights[b]; });
    for (int thing : order) {
        int box = 1;
        while (filled[box] + weights[thing] > c) box++;
        filled[box] += weights[thing];
        boxes[thing] = box;
    }
    for (int box : boxes) std::cout << box << " ";
    std::cout << std::endl;
}
