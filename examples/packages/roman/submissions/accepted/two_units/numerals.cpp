#include "numerals.h"

static int digit(char letter) {
    switch (letter) {
        case 'I': return 1;
        case 'V': return 5;
        case 'X': return 10;
        case 'L': return 50;
        case 'C': return 100;
        case 'D': return 500;
        default: return 1000;
    }
}

int value(const std::string& numeral) {
    int sum = 0;
    for (std::size_t i = 0; i < numeral.size(); i++) {
        bool subtracted = i + 1 < numeral.size() && digit(numeral[i]) < digit(numeral[i + 1]);
        sum += subtracted ? -digit(numeral[i]) : digit(numeral[i]);
    }
    return sum;
}
