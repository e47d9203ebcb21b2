// A tree of partial sums over the ranks.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    long long n, a, p, q, m;
    std::cin >> n >> a >> p >> q >> m;
    std::vector<long long> sequence;
    for (int i = 0; i < n; i++, a = (p * a + q) % m) sequence.push_back(a);
    auto order = sequence;
    std::sort(order.begin(), order.end());
    std::vector<int> tree(n + 1, 0);
    long long count = 0;
    for (int i = 0; i < n; i++) {
        int rank = std::upper_bound(order.begin(), order.end(), sequence[i]) - order.begin();
        int not_larger = 0;
        for (int k = rank; k > 0; k &= k - 1) not_larger += tree[k];
        count += i - not_larger;
        for (int k = rank; k <= n; k += k & -k) tree[k]++;
    }
    std::cout << count << std::endl;
}
