// Layouts of MAGFLOW's fields on the executor: a known history, and the memory traffic of warps.
#include <map>
#include <string>

#include "harness/predict/prediction.hpp"
#include "tests/catch.hpp"
#include "tests/variants/lava/magflow/valley_history.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::layouts_test {
namespace {

const Variant& layout_named(const std::string& name) {
    for (const Variant& variant : registry().variants())
        if (variant.info.name() == "magflow/" + name && variant.info.cell == ElementType::float32 &&
            variant.factories.contains(Backend::simt))
            return variant;
    throw std::logic_error("no variant " + name);
}

// Access counts of a whole generation on a board, kernel by kernel.
std::map<std::string, AccessCounts> counts_of(const std::string& name, Size size) {
    const Workload& workload = *find_workload("magflow");
    const Problem problem{size, Boundary::dead, ElementType::float32,
                          ParameterSet(workload.facts().parameters)};
    const InitialData initial{
        &workload,
        {.size = size, .cell = ElementType::float32, .seed = 5, .density = 0.3},
        nullptr};
    std::map<std::string, AccessCounts> counts;
    for (const KernelPrediction& kernel :
         predict(layout_named(name), problem, initial, parse_architecture("sm_90")).kernels)
        counts[kernel.kernel] = kernel.model.counts;
    return counts;
}

}  // namespace

TEST_CASE("layouts of MAGFLOW keep the history of lava in a valley", "[magflow]") {
    for (const char* name : {"array_of_structures/four_kernels/64x3/unaligned",
                             "vector_packed/four_kernels/64x4/align128",
                             "vector_packed_cap/four_kernels/64x4/align128",
                             "vector_packed_ground/four_kernels/64x1/align128",
                             "column_major/four_kernels/1x64/align128"})
        check_valley_history(layout_named(name));
}

// Sectors of 32 bytes that a warp with 32 cells in a row accesses to read the flux's inputs, nine
// cells per lane. Four bytes per cell: 4 sectors if aligned, 5 if shifted by a cell, 42 for nine.
// Sixteen bytes: 16 and 17, 150 for nine. Structures of 40 bytes: one sector per lane. Vents: a
// sector of bytes. Vent cells also read their emission; there are two, in different warps.
TEST_CASE("sectors that the layouts of MAGFLOW's fields touch", "[magflow]") {
    constexpr Size board{128, 48};
    constexpr std::int64_t warps = 128 * 48 / 32;
    constexpr std::int64_t vents = 2;
    const auto flux_loads = [](const char* name) {
        return counts_of(name, board).at("flux").global_load.sectors;
    };
    CHECK(flux_loads("halo/four_kernels/64x4/align128") == warps * (4 * 42 + 1) + vents);
    CHECK(flux_loads("vector_packed/four_kernels/64x4/align128") == warps * (150 + 42 + 1) + vents);
    CHECK(flux_loads("vector_packed_ground/four_kernels/64x4/align128") ==
          warps * (150 + 1) + vents);
    CHECK(flux_loads("array_of_structures/four_kernels/64x4/unaligned") ==
          warps * (4 * 9 * 32 + 32) + vents);
}

TEST_CASE("columns of a block on fields by columns are rows on fields by rows", "[magflow]") {
    constexpr Size board{128, 128};
    const auto by_rows = counts_of("halo/four_kernels/64x1/align128", board);
    const auto by_columns = counts_of("column_major/four_kernels/1x64/align128", board);
    REQUIRE(by_rows.size() == by_columns.size());
    for (const auto& [kernel, counts] : by_rows) {
        CAPTURE(kernel);
        const AccessCounts& other = by_columns.at(kernel);
        CHECK(counts.global_load.requests == other.global_load.requests);
        CHECK(counts.global_load.sectors == other.global_load.sectors);
        CHECK(counts.global_load.useful_bytes == other.global_load.useful_bytes);
        CHECK(counts.global_store.requests == other.global_store.requests);
        CHECK(counts.global_store.sectors == other.global_store.sectors);
        CHECK(counts.global_atomic.requests == other.global_atomic.requests);
    }
    // Across the layout: 9 cells with 32 columns each, 32 sectors per column, of four fields.
    const auto tall = counts_of("halo/four_kernels/1x64/align128", board);
    CHECK(tall.at("flux").global_load.sectors > 6 * by_rows.at("flux").global_load.sectors);
}

TEST_CASE("layouts of MAGFLOW's fields say what they move", "[magflow]") {
    const auto moved = [](const char* name) { return layout_named(name).info.bytes_per_cell; };
    const double fields = moved("halo/four_kernels/64x4/align128");
    CHECK(moved("vector_packed/four_kernels/64x4/align128") == fields);
    CHECK(moved("column_major/four_kernels/1x64/align128") == fields);
    // Vents are words in this layout, and two kernels read them.
    CHECK(moved("array_of_structures/four_kernels/64x4/unaligned") == fields + 2 * 3);
    // The flux reads ground instead of altitude and solid lava; the update reads altitude and
    // writes ground.
    CHECK(moved("vector_packed_ground/four_kernels/64x4/align128") == fields + 4);
}

}  // namespace camber::layouts_test
