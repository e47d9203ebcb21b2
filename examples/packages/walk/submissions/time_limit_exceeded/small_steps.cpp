#include <cstdio>
#include <vector>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<double> x(n), y(n);
    for (int i = 0; i < n; i++)
        if (std::scanf("%lf %lf", &x[i], &y[i]) != 2) return 1;
    double length = 0;
    for (int i = 0; i < n; i++) {
        double dx = x[i] - x[(i + 1) % n], dy = y[i] - y[(i + 1) % n], root = 0;
        while (root * root < dx * dx + dy * dy) root += 1e-8;
        length += root;
    }
    std::printf("%.8f\n", length);
}
