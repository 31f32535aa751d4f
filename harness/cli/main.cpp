// Entry point of camber. The program itself is in the library, where it shares the translation unit
// of the folder harness/cli/run.
#include "harness/cli/commands.hpp"

int main(int argc, char** argv) {
    return camber::run_program(argc, argv);
}
