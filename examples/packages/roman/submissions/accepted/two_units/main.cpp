#include <iostream>

#include "numerals.h"

int main() {
    int sum = 0;
    for (std::string numeral; std::cin >> numeral;) sum += value(numeral);
    std::cout << sum << std::endl;
}
