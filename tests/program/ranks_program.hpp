// Requirements of tests of ranks; the tests are skipped if these are not met.
#pragma once

#include <string>

namespace camber::cli_test {

// Launchers of Open MPI that also work as root: with any number of ranks, and with at most one.
inline constexpr const char* launcher_anywhere = "mpirun --allow-run-as-root --oversubscribe";
inline constexpr const char* launcher_of_one = "mpirun --allow-run-as-root --host localhost:1";

// Skips the test if camber is built without MPI.
void require_mpi();

// Program that starts ranks; skips the test if there is none.
std::string require_mpirun();

}  // namespace camber::cli_test
