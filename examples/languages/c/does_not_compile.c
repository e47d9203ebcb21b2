#include <stdio.h>

int main(void) {
    printf("%d\n", undeclared);  // wrong
}
