#include <cstdlib>
#include <iostream>

int main() {
    std::cerr << "this went wrong" << std::endl;
    std::exit(3);
}
