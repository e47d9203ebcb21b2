#include <iostream>
#include <string>

#include "digits.h"

int main() {
    int sum = 0;
    for (std::string numeral; std::cin >> numeral;)
        for (char letter : numeral) sum += digits.at(letter);
    std::cout << sum << std::endl;
}
