#include <iostream>

int main() {
    for (;;) std::cout << "a line of output that goes on and on\n";
}
