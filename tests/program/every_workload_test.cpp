// Every workload in every command that needs no GPU, at the size by default.
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace every_workload_test {

using namespace camber::cli_test;

TEST_CASE("no command fails on a workload at its size by default", "[cli][portable][slow]") {
    const TestFolder folder;
    // Those of lava are simulated cell by cell, and particles one by one: a board of that size
    // takes minutes.
    for (const char* workload :
         {"life", "larger_than_life", "blur", "gaussian", "dog", "dog_image", "extrema",
          "extrema_stack", "surface_water", "water_flow", "sciara_fv2", "sciara_fv3", "magflow",
          "transfer_overlap", "sph"}) {
        const std::string name = workload;
        const bool lava = name.starts_with("sciara") || name == "magflow";
        const std::string variant = name == "transfer_overlap" ? "*/pinned/s2/all"
                                    : name == "sph"            ? "neighbour_list/float4/plain/b128"
                                                               : "*global*/16x16";
        std::vector<Arguments> commands{
            {"list", "variants", "--workload", name},
            {"run", "--backend", "simt", "--workload", name, "--variant", variant},
            {"run", "--backend", "cpu", "--workload", name, "--quick"},
            {"check", variant, "--workload", name, "--size", "20x20"},
        };
        // One that needs more constant memory than there is, and must not end the others.
        if (!lava && name != "sph")
            commands.push_back(
                {"model", "--workload", name, "--variant", variant, "--variant",
                 name == "surface_water" || name == "water_flow" ? "constant/*" : variant});
        for (Arguments& arguments : commands) {
            // Each element is computed 256 times otherwise, which takes minutes.
            if (name == "transfer_overlap" && arguments[0] != "list" && arguments[0] != "check")
                arguments.insert(arguments.end(), {"--param", "repeats=1"});
            const Outcome outcome = run_program(arguments, folder.path());
            CAPTURE(arguments, outcome.err);
            CHECK(outcome.exit_code == 0);
        }
    }
}

}  // namespace every_workload_test
