#include "tests/program/ranks_program.hpp"

#include <cstdlib>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::cli_test {

void require_mpi() {
    const TestFolder folder;
    const Outcome backends = run_program({"list", "backends"}, folder.path());
    if (backends.out.find("ranks not usable") != std::string::npos)
        skip_test("this camber was built without MPI");
#ifdef __SANITIZE_ADDRESS__
    setenv("ASAN_OPTIONS", "detect_leaks=0", 0);  // leaks in MPI itself
#endif
}

std::string require_mpirun() {
    require_mpi();
    std::istringstream folders(std::getenv("PATH"));
    for (std::string path; std::getline(folders, path, ':');)
        if (fs::exists(fs::path(path) / "mpirun")) return fs::path(path) / "mpirun";
    skip_test("there is no mpirun on PATH");
    return "";
}

}  // namespace camber::cli_test
