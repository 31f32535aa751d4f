// The transfer_overlap workload, whose passes transfer data to the device, without a GPU.
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace transfer_overlap_program_test {

using namespace camber::cli_test;

TEST_CASE("passes with transfers are verified on the executor, alone and together", "[cli]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program({"run", "--workload", "transfer_overlap", "--backend", "simt", "--size",
                     "40x25", "--param", "repeats=10", "--all-rows"},
                    folder.path());
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    for (const char* variant :
         {"transfer_overlap/breadth_first/pinned/s8/all",
          "transfer_overlap/depth_first/pageable/s2/kernel_download",
          "transfer_overlap/depth_first/pinned/s1/upload_kernel", "transfer_overlap/alone/kernel",
          "transfer_overlap/alone/upload/pinned", "transfer_overlap/alone/download/pageable"})
        CHECK_THAT(outcome.out, contains(variant));
    CHECK(outcome.out.find(" no\n") == std::string::npos);
    // Without times there is nothing to compare.
    CHECK(outcome.out.find("pieces alone") == std::string::npos);
}

TEST_CASE("passes are right from the start and as replayed graphs", "[cli]") {
    const TestFolder folder;
    const Outcome outcome = run_program(
        {"run", "--workload", "transfer_overlap", "--backend", "simt", "--size", "40x25", "--param",
         "repeats=10", "--generations", "6", "--from-start", "--graph"},
        folder.path());
    INFO(outcome.err << outcome.out);
    CHECK(outcome.exit_code == 0);
}

TEST_CASE("transfer_overlap refuses files and repeats that are impossible", "[cli]") {
    const TestFolder folder;
    const auto error_of = [&](Arguments more) {
        Arguments arguments{"run", "--workload", "transfer_overlap", "--backend", "simt"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_program(arguments, folder.path());
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    CHECK_THAT(error_of({"--save", "x.pgm"}), contains("leave out --save"));
    CHECK_THAT(error_of({"--param", "repeats=0.5"}), contains("a whole number from 0"));
}

}  // namespace transfer_overlap_program_test
