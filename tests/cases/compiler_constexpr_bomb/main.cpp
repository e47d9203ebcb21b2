constexpr long slow(long seed) {
    for (int i = 0; i < 100000; i++)
        seed = (seed * 31 + i) % 1000003;
    return seed;
}

template <int n> struct Many {
    static constexpr long value = slow(Many<n - 1>::value);
};

template <> struct Many<0> {
    static constexpr long value = 1;
};

int main() {
    return Many<800>::value;
}
