// By GPU counters, candidate kernels from files have the same memory traffic as the built-in
// variants from which they were rewritten.
#include <filesystem>
#include <string>

#include "harness/base/files.hpp"
#include "harness/record/document.hpp"
#include "tests/catch.hpp"

namespace camber::candidate_counters_test {

TEST_CASE("kernels from files are counted as the built-in ones", "[results][candidate]") {
    int pairs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(CAMBER_SOURCE_DIR) / "results/experiments/candidates")) {
        if (!is_json_file(entry.path())) continue;
        const auto cases = results::read_document(entry.path()).cases;
        CAPTURE(entry.path().string());
        REQUIRE(cases.size() == 2);
        CHECK((cases[0].identity.technique.ends_with(".cu") !=
               cases[1].identity.technique.ends_with(".cu")));
        for (const char* const what : {"requests", "sectors"})
            for (const char* const access : {"ld", "st"}) {
                const std::string counter =
                    std::string("l1tex__t_") + what + "_pipe_lsu_mem_global_op_" + access + ".sum";
                CAPTURE(counter);
                CHECK(cases[0].counters.at(counter) == cases[1].counters.at(counter));
            }
        ++pairs;
    }
    CHECK(pairs == 11);
}

}  // namespace camber::candidate_counters_test
