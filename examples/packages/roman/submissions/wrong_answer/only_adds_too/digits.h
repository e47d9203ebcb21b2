#pragma once
#include <map>

inline const std::map<char, int> digits = {{'I', 1},   {'V', 5},   {'X', 10},  {'L', 50},
                                           {'C', 100}, {'D', 500}, {'M', 1000}};
