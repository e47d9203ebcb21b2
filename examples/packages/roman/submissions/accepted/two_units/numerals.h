#pragma once
#include <string>

int value(const std::string& numeral);
