// main() for Catch2 2, which provides none and does not support skipped tests: they are reported at
// the end if no test failed.
#define CATCH_CONFIG_RUNNER
#include "tests/catch.hpp"

#include <iostream>

int main(int argc, char** argv) {
    const int failed = Catch::Session().run(argc, argv);
    if (failed == 0)
        for (const std::string& reason : camber::skipped_tests())
            std::cout << "test skipped: " << reason << '\n';
    return failed;
}
