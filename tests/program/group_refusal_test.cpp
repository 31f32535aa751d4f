// Features that groups of devices do not support are skipped, or rejected with a sentence.
#include <string>

#include "tests/catch.hpp"
#include "tests/program/group_program.hpp"

namespace group_refusal_test {

using namespace camber::cli_test;

TEST_CASE("what cannot be divided is skipped, and says why", "[cli][portable][group]") {
    const TestFolder folder;
    const Outcome outcome =
        run_program({"run", "--backend", "simt", "--quick", "--gpus", "2", "--variant",
                     "global/16x16", "--variant", "halo/16x16/align128"},
                    folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("skipped life/global/16x16, 2 devices, copies, overlap: "
                                     "technique global needs the whole board in one place"));
    const Outcome low = run_program(
        with(three_places, {"--size", "20x2", "--variant", "halo/64x4/align128"}), folder.path());
    CHECK_THAT(low.out, contains("has 0 of the board's 2 rows, and its neighbours need 1 of it"));
}

TEST_CASE("groups that make no sense are refused", "[cli][portable][group]") {
    const TestFolder folder;
    const auto refused = [&](const Arguments& arguments, const std::string& sentence) {
        const Outcome outcome = run_program(arguments, folder.path());
        INFO(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err, contains(sentence));
    };
    refused({"run", "--backend", "cpu", "--gpus", "2"},
            "--gpus divides a board among GPUs, and the cpu backend has none");
    refused(with(three_places, {"--weights", "1,2"}),
            "--weights 1,2 has 2 numbers for 3 GPUs: give one for each");
    refused(with(three_places, {"--weights", "1,0,2"}),
            "--weights 1,0,2 is not NUMBER[,NUMBER...]");
    refused(with(three_places, {"--exchange", "copy"}),
            "exchange 'copy' is unknown: choose everything or staged or pageable or copies or "
            "stores or kernel or persistent or nccl");
    refused(with(three_places, {"--devices", "0,1"}),
            "--gpus 3 and the 2 devices of --devices 0,1 differ");
    refused(with(three_places, {"--exchange", "staged", "--graph"}),
            "--exchange staged waits on the host, which no graph can");
    refused(with(three_places, {"--edge", "1"}),
            "--edge 1 is neither a number from 2 to 1048576 nor sent");
    const auto with_columns = [](const Arguments& more) {
        return with(with(three_places, {"--partition", "columns"}), more);
    };
    refused(with_columns({"--balance", "improved"}),
            "--balance improved does not go with --partition columns: only rows can move, not "
            "columns; leave out one of the two");
    refused(with_columns({"--allocation", "whole"}),
            "--allocation whole does not go with --partition columns");
    refused(with_columns({"--edge", "3"}), "--edge 3 does not go with --partition columns");
    refused(with(three_places, {"--exchange", "copies", "--border-buffers", "single"}),
            "--border-buffers single applies to the ways staged and pageable only: give --exchange "
            "staged, or leave it out");
    refused(with(three_places, {"--host-wait", "busy"}),
            "--host-wait busy applies to the ways everything, staged, pageable and mpi");
    refused(with(three_places, {"--minimum", "lagged"}),
            "--minimum lagged is for a model whose steps are as long as its cells allow, and "
            "whose reference can lag, and life is none");
    refused({"run", "--backend", "simt", "--workload", "magflow", "--quick", "--param", "lag=1"},
            "parameter lag = 1 is what --minimum lagged sets: give that, with --gpus or --ranks");
    refused({"run", "--backend", "simt", "--workload", "magflow", "--quick", "--gpus", "2",
             "--graph", "--minimum", "lagged"},
            "--minimum lagged has work under way from step to step, and a graph is replayed");
    refused({"scale", "--over", "gpus", "--workload", "magflow", "--graph", "--minimum", "lagged"},
            "--minimum lagged has work under way from step to step, and a graph is replayed");
    refused({"scale", "--over", "gpus", "--graph", "--exchange", "staged"},
            "--exchange staged waits on the host, which no graph can");
    refused({"run", "--backend", "simt", "--quick", "--partition", "columns"},
            "--partition applies to a board that several GPUs divide: give --gpus too");
    refused({"run", "--backend", "simt", "--quick", "--overlap", "off"},
            "--overlap applies to a board that several GPUs divide: give --gpus too");
    refused({"scale", "--over", "threads", "--exchange", "stores"},
            "--exchange applies to several GPUs: give --over gpus");
}

}  // namespace group_refusal_test
