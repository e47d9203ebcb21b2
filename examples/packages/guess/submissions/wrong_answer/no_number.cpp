#include <iostream>

int main() { std::cout << "forty-two" << std::endl; }
