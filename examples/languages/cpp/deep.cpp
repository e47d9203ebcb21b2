#include <iostream>
#include <vector>

int depth(std::vector<int> here) {
    int n = here[0];
    return n ? 1 + depth({n - 1}) : 0;
}

int main() {
    std::cout << depth({100000}) << std::endl;
}
