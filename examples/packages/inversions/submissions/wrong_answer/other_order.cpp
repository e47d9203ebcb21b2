#include <iostream>
#include <vector>

int main() {
    long long n, a, p, q, m, count = 0;
    std::cin >> n >> a >> p >> q >> m;
    std::vector<long long> sequence;
    for (int i = 0; i < n && i < 2000; i++, a = (p * a + q) % m) {
        for (long long before : sequence) count += before < a;
        sequence.push_back(a);
    }
    std::cout << count + 1 << std::endl;
}
