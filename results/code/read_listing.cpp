// Prints what collect.py takes as KERNELS, of a listing that `cuobjdump -sass` made:
//
//   cuobjdump -sass $(find build/release/CMakeFiles -path '*-device.dir/*.o') |
//       build/release/tests/read-listing > kernels.json
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

#include "harness/machine/sass/instruction_mix.hpp"
#include "harness/machine/sass/kernel_code.hpp"

int main() {
    const std::string listing{std::istreambuf_iterator<char>(std::cin), {}};
    const auto mixes = camber::parse_listing(listing);
    if (mixes.empty()) {
        std::fputs("read-listing: no kernel is listed on standard input\n", stderr);
        return 2;
    }
    std::cout << camber::to_text(mixes);
}
