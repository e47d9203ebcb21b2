// Heavy things first, each into a box that is open or into a new one; gives up what cannot get better.
#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

static int n, c, fewest;
static std::vector<int> weights, order, boxes, best, filled;

static void place(int k, int used) {
    if (used >= fewest) return;
    if (k == n) {
        fewest = used;
        best = boxes;
        return;
    }
    int thing = order[k];
    for (int box = 1; box <= used + 1; box++) {
        if (filled[box] + weights[thing] > c) continue;
        filled[box] += weights[thing];
        boxes[thing] = box;
        place(k + 1, std::max(used, box));
        filled[box] -= weights[thing];
    }
}

int main() {
    std::cin >> n >> c;
    weights.resize(n), order.resize(n), boxes.resize(n), filled.resize(n + 2);
    for (int& weight : weights) std::cin >> weight;
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [](int a, int b) { return weights[a] > weights[b]; });
    fewest = n + 1;
    place(0, 0);
    for (int box : best) std::cout << box << " ";
    std::cout << std::endl;
}
