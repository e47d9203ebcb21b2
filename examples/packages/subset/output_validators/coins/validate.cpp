// Whether the coins that a program names are in the purse, each once, and add up.
#include <set>
#include <vector>

#include "feedback.h"

int main(int argc, char** argv) {
    if (argc < 4) return 1;
    std::ifstream input(argv[1]);
    Feedback feedback(argv[3]);

    int n = 0;
    long long t = 0;
    input >> n >> t;
    std::vector<long long> coins(n);
    for (auto& coin : coins) input >> coin;

    int count = 0;
    if (!(std::cin >> count) || count < 1 || count > n) feedback.reject("the number of coins is missing or odd");
    std::set<int> used;
    long long sum = 0;
    for (int i = 0; i < count; i++) {
        int position = 0;
        if (!(std::cin >> position) || position < 1 || position > n) feedback.reject("a position is missing or odd");
        if (!used.insert(position).second) feedback.reject("a coin is used twice");
        sum += coins[position - 1];
    }
    std::string more;
    if (std::cin >> more) feedback.reject("more positions than coins");
    if (sum != t) feedback.reject("the coins add up to " + std::to_string(sum));
    feedback.accept();
}
