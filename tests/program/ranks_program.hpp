// What tests of ranks need of the machine, and skip themselves without.
#pragma once

#include <string>

namespace camber::cli_test {

// Launchers of Open MPI, from root too: with as many ranks as asked for, and with one at most.
inline constexpr const char* launcher_anywhere = "mpirun --allow-run-as-root --oversubscribe";
inline constexpr const char* launcher_of_one = "mpirun --allow-run-as-root --host localhost:1";

// Skips the test where this camber has no MPI.
void require_mpi();

// The program that starts ranks; skips the test where there is none.
std::string require_mpirun();

}  // namespace camber::cli_test
