template <int depth, int branch> struct Bomb {
    static constexpr long value = Bomb<depth - 1, 2 * branch>::value + Bomb<depth - 1, 2 * branch + 1>::value;
};

template <int branch> struct Bomb<0, branch> {
    static constexpr long value = branch;
};

int main() {
    return Bomb<28, 1>::value;
}
