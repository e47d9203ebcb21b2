#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<double> x(n), y(n);
    for (int i = 0; i < n; i++)
        if (std::scanf("%lf %lf", &x[i], &y[i]) != 2) return 1;
    double length = 0;
    for (int i = 0; i < n; i++) length += std::hypot(x[i] - x.at(i + 1), y[i] - y.at(i + 1));
    std::printf("%.8f\n", length);
}
