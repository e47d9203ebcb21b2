#pragma once
#include <iostream>
#include <string>

inline unsigned read() {
    std::string numeral;
    std::cin >> numeral;
    return numeral.size();
}
