#include "/dev/stdin"

int main() {}
