// Every workload in every command that needs no GPU, with the default size.
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace every_workload_test {

using namespace camber::cli_test;

TEST_CASE("no command fails on a workload at its size by default", "[cli][portable][slow]") {
    const TestFolder folder;
    // Lava is simulated cell by cell and particles one by one, so a default board takes minutes.
    for (const char* workload :
         {"life", "larger_than_life", "blur", "gaussian", "dog", "dog_image", "extrema",
          "extrema_stack", "surface_water", "surface_water_clock", "water_flow", "sciara_fv2",
          "sciara_fv3", "magflow", "transfer_overlap", "sph"}) {
        const std::string name = workload;
        const bool lava = name.starts_with("sciara") || name == "magflow";
        const std::string variant = name == "transfer_overlap" ? "*/pinned/s2/all"
                                    : name == "sph"            ? "neighbour_list/float4/plain/b128"
                                    : name == "surface_water_clock" ? "*/16x16/align128"
                                                               : "*global*/16x16";
        std::vector<Arguments> commands{
            {"list", "variants", "--workload", name},
            {"run", "--backend", "simt", "--workload", name, "--variant", variant},
            {"run", "--backend", "cpu", "--workload", name, "--quick"},
            {"check", variant, "--workload", name, "--size", "20x20"},
        };
        // A variant that requires too much constant memory must not prevent the others from
        // running.
        if (!lava && name != "sph")
            commands.push_back(
                {"model", "--workload", name, "--variant", variant, "--variant",
                 name == "surface_water" || name == "water_flow" ? "constant/*" : variant});
        for (Arguments& arguments : commands) {
            // Otherwise each element is computed 256 times, which takes minutes.
            if (name == "transfer_overlap" && arguments[0] != "list" && arguments[0] != "check")
                arguments.insert(arguments.end(), {"--param", "repeats=1"});
            const Outcome outcome = run_program(arguments, folder.path());
            CAPTURE(arguments, outcome.err);
            CHECK(outcome.exit_code == 0);
        }
    }
}

}  // namespace every_workload_test
