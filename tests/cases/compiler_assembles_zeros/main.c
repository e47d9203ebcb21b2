__asm__(".incbin \"/dev/zero\"");

int main() {}
