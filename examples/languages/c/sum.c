#include <stdio.h>

int main(void) {
    int count;
    long long number, sum = 0;
    scanf("%d", &count);
    for (int i = 0; i < count; i++) {
        scanf("%lld", &number);
        sum += number;
    }
    printf("%lld\n", sum);
}
