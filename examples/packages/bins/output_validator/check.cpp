// Called as testlib's checkers are: input output answer. It ends with 0 (right), 1 (wrong), 2 (not in the form that was
// asked for), 3 (the checker or its answer is at fault), or 7 after `points N` on standard error.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

[[noreturn]] static void end(int status, const std::string& message) {
    std::cerr << message << std::endl;
    std::exit(status);
}

int main(int argc, char** argv) {
    if (argc < 4) end(3, "called with too few files");
    std::ifstream input(argv[1]), output(argv[2]), answer(argv[3]);
    int n = 0, capacity = 0, fewest = 0;
    input >> n >> capacity;
    std::vector<int> weights(n);
    for (int& weight : weights) input >> weight;
    if (!input) end(3, "cannot read the input");
    if (!(answer >> fewest)) end(3, "cannot read the answer");

    std::vector<int> boxes(n);
    for (int& box : boxes)
        if (!(output >> box)) end(2, "there are not as many numbers as things");
    std::string more;
    if (output >> more) end(2, "there are more numbers than things");

    std::vector<int> filled(n + 1, 0);
    for (int i = 0; i < n; i++) {
        if (boxes[i] < 1 || boxes[i] > n) end(1, "there is no box " + std::to_string(boxes[i]));
        filled[boxes[i]] += weights[i];
    }
    int used = 0;
    for (int weight : filled) {
        if (weight > capacity) end(1, "a box is too heavy");
        used += weight > 0;
    }
    if (used < fewest) end(3, "better than the answer");
    if (used == fewest) end(0, "the fewest boxes");
    if (used == fewest + 1) end(7, "points 5");
    end(1, "too many boxes");
}
