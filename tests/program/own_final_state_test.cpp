// Recorded and saved final states of variants that passed by statistics: their own state, not the
// reference's.
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace own_final_state_test {

namespace {

using namespace camber::cli_test;

const std::string reordered = "magflow/kahan_update/four_kernels/64x4/align128";
const std::string canonical = "magflow/global/four_kernels/16x16";

// A run of variants, in this order, with --save.
struct Saved {
    explicit Saved(const std::vector<std::string>& variants, Arguments more = {}) {
        Arguments arguments{"run",     "--workload",    "magflow", "--cell",
                            "float32", "--backend",     "simt",    "--size",
                            "20x16",   "--density",     "0",       "--threads",
                            "1",       "--seed",        "1",       "--save",
                            "saved",   "--generations", "200"};
        for (const std::string& variant : variants)
            arguments.insert(arguments.end(), {"--variant", variant});
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_program(arguments, folder.path());
        INFO(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        printed = outcome.out;
        results = results_in(folder / "camber-results.json");
        thickness = text_of(folder / "saved/volcano_000000000200_Thickness.asc");
    }
    Json of(const std::string& variant) const {
        for (const Json& benchmark : results["benchmarks"])
            if (benchmark["camber"]["variant"] == variant) return benchmark["camber"];
        throw std::logic_error("no case of " + variant);
    }

    TestFolder folder;
    std::string printed;
    Json results;
    std::string thickness;
};

}  // namespace

TEST_CASE("of variants that statistics decide, their own final state is recorded and saved",
          "[cli][portable][lava]") {
    const Saved reference({canonical});
    const Saved own({reordered});
    CHECK(defects(own.results) == std::vector<std::string>{});
    REQUIRE(reference.of(canonical)["verification"]["method"] == "cells");
    REQUIRE(own.of(reordered)["verification"]["method"] == "statistics");

    const Json expected = reference.of(canonical)["final"];
    const Json final = own.of(reordered)["final"];
    CHECK(final["checksum"] != expected["checksum"]);
    CHECK(final["mass"] != expected["mass"]);
    CHECK(final["mass"].get<double>() == Approx(expected["mass"].get<double>()).epsilon(1e-5));
    CHECK(final["account"]["emitted"] == expected["account"]["emitted"]);

    CHECK(own.thickness != reference.thickness);
    CHECK_THAT(reference.printed,
               contains("after 200 generations: mass ") && contains("\nfinal state: saved\n"));
    CHECK_THAT(own.printed, contains("after 200 generations of " + reordered + ": mass ") &&
                                contains("\nfinal state of " + reordered + ": saved\n"));
}

TEST_CASE("of several variants the first that passes is saved", "[cli][portable][lava]") {
    const Saved reference({canonical});
    const Saved own({reordered});
    const Saved first({reordered, canonical});
    CHECK(first.thickness == own.thickness);
    CHECK(first.of(reordered)["final"] == own.of(reordered)["final"]);
    CHECK(first.of(canonical)["final"] == reference.of(canonical)["final"]);
    const Saved second({canonical, reordered});
    CHECK(second.thickness == reference.thickness);
    CHECK(second.of(reordered)["final"] == own.of(reordered)["final"]);
    CHECK_THAT(second.printed, contains("\nfinal state: saved\n"));
    const Saved processes({reordered, canonical}, {"--processes", "2"});
    CHECK(processes.thickness == own.thickness);
    CHECK_THAT(processes.printed, contains("\nfinal state of " + reordered + ": saved\n"));
}

}  // namespace own_final_state_test
