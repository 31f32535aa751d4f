#include "analysis/time/occupancy.hpp"

#include <filesystem>
#include <string>

#include "harness/record/document.hpp"
#include "tests/catch.hpp"

namespace camber::occupancy_test {
namespace {

double on(const char* architecture, const BlockNeeds& block) {
    return occupancy(block, parse_architecture(architecture)).value();
}

}  // namespace

TEST_CASE("threads, registers or shared memory limit the blocks", "[time]") {
    CHECK(on("sm_90", {256, 32, 0}) == 1);
    CHECK(on("sm_90", {32, 16, 0}) == 0.5);            // 32 blocks are the most
    CHECK(on("sm_90", {256, 64, 0}) == 0.5);           // 4 blocks of 16384 registers
    CHECK(on("sm_90", {256, 33, 0}) == 0.75);          // 1280 registers a warp
    CHECK(on("sm_90", {64, 32, 48 * 1024}) == 0.125);  // 4 blocks, with 1 KB each of the system's
    CHECK(on("sm_89", {1024, 32, 0}) == Approx(32.0 / 48));
    CHECK_FALSE(occupancy({256, 32, 0}, parse_architecture("cc3.5")));
    CHECK_FALSE(occupancy({0, 32, 0}, parse_architecture("sm_90")));
}

// Occupancy from an H200's runtime for every kernel without a memory preference.
TEST_CASE("the occupancy is what the runtime computes", "[time][results]") {
    int kernels = 0;
    for (const char* const file : {"life", "blur", "water_flow", "extrema_stack"}) {
        const auto path = std::filesystem::path(CAMBER_SOURCE_DIR) / "results/h200" /
                          (file + std::string(".json"));
        for (const results::CaseRecord& record : results::read_document(path).cases)
            for (const results::Kernel& kernel : record.kernels) {
                if (!kernel.occupancy ||
                    (kernel.shared_carve_out_percent && *kernel.shared_carve_out_percent))
                    continue;
                CAPTURE(record.name, kernel.name);
                CHECK(on("sm_90", {static_cast<int>(kernel.threads_per_block()), *kernel.registers,
                                   static_cast<std::size_t>(*kernel.static_shared_bytes +
                                                            *kernel.dynamic_shared_bytes)}) ==
                      *kernel.occupancy);
                ++kernels;
            }
    }
    CHECK(kernels > 300);
}

}  // namespace camber::occupancy_test
