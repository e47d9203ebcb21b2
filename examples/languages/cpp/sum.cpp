#include <bits/stdc++.h>
using namespace std;

int main() {
    int count;
    cin >> count;
    vector<long long> numbers(count);
    for (auto &number : numbers) cin >> number;
    cout << accumulate(numbers.begin(), numbers.end(), 0LL) << endl;
}
