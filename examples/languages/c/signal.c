int main(void) {
    *(volatile int *)0 = 1;
}
