// Predictions for a board from an eruption's folder: the small boards for extrapolation are
// generated, with their own vents.
#include <string>

#include "harness/predict/prediction.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::event_prediction_test {
namespace {

using lava::TestFolder;
using lava::write_text;

// One vent on a slope of 200 x 160 cells.
void write_slope(const TestFolder& folder) {
    const std::string stem = (folder / "slope_000000000000").string();
    const std::string header =
        "ncols 200\nnrows 160\nxllcorner 0\nyllcorner 0\ncellsize 10.0\nNODATA_value 0.0\n";
    std::string ground = header;
    std::string vents = header;
    for (int row = 0; row < 160; ++row)
        for (int column = 0; column < 200; ++column) {
            const char* end = column == 199 ? "\n" : " ";
            ground += std::to_string(2000 - row) + end;
            vents += (row == 80 && column == 100 ? "7" : "0") + std::string(end);
        }
    write_text(stem + ".cfg", lava::numbered_configuration);
    write_text(stem + "_Morphology.stt", ground);
    write_text(stem + "_Vents.stt", vents);
    write_text(stem + "_EmissionRate.txt", lava::some_rates);
}

TEST_CASE("boards from an eruption's folder are predicted, whatever vents small boards have",
          "[model]") {
    const TestFolder folder;
    write_slope(folder);
    for (const std::string name : {"magflow", "sciara_fv2", "sciara_fv3"}) {
        CAPTURE(name);
        const Workload& workload = *find_workload(name);
        const ElementType cell = workload.facts().cell_types.front();
        const InitialData data{&workload,
                               {.size = {200, 160}, .cell = cell, .input = folder.path()}};
        const Problem problem{
            {200, 160}, Boundary::dead, cell, workload.parameters_for(data.conditions)};
        const Variant* variant = nullptr;
        for (const Variant& candidate : registry().variants())
            if (candidate.info.workload == name && candidate.info.cell == cell &&
                candidate.info.technique.name == "halo" &&
                candidate.info.path().ends_with("16x16/align128"))
                variant = &candidate;
        REQUIRE(variant);
        const Prediction prediction = predict(*variant, problem, data, parse_architecture("sm_90"));
        REQUIRE(prediction.kernels.size() >= 4);
        CHECK(prediction.counts().global_load.requests > 200 * 160 / 32);
    }
}

}  // namespace
}  // namespace camber::event_prediction_test
