template <int n> struct Deeper : Deeper<n + 1> {};

int main() {
    Deeper<0> without_end;
}
