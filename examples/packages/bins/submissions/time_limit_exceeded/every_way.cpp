#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n, c;
    std::cin >> n >> c;
    std::vector<int> weights(n), boxes(n, 0), best(n);
    for (int& weight : weights) std::cin >> weight;
    int fewest = n + 1;
    while (true) {
        std::vector<int> filled(n, 0);
        for (int i = 0; i < n; i++) filled[boxes[i]] += weights[i];
        int used = std::count_if(filled.begin(), filled.end(), [](int weight) { return weight > 0; });
        if (*std::max_element(filled.begin(), filled.end()) <= c && used < fewest) fewest = used, best = boxes;
        int i = 0;
        while (i < n && ++boxes[i] == n) boxes[i++] = 0;
        if (i == n) break;
    }
    for (int box : best) std::cout << box + 1 << " ";
    std::cout << std::endl;
}
