#include <stdio.h>
#pragma GCC dependency "/etc/passwd"

int main() {
    puts("?");
}
