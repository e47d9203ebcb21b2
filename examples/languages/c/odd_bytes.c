#include <stdio.h>

int main(void) {
    fwrite("\xff\xfe\n", 1, 3, stdout);
}
