#pragma once
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

class Feedback {
  public:
    explicit Feedback(const std::string& directory) : file_(directory + "/judgemessage.txt") {}

    [[noreturn]] void accept() { std::exit(42); }

    [[noreturn]] void reject(const std::string& why) {
        file_ << why << std::endl;
        std::exit(43);
    }

  private:
    std::ofstream file_;
};
