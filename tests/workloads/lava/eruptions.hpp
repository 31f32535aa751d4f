// Eruption folders generated for tests.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "workloads/core/workload.hpp"

namespace camber::lava {

using results_test::TestFolder;
using results_test::text_of;
using results_test::write_text;

inline const std::string numbered_configuration =
    "maximum_steps_(0_for_loop) \t0\t\t \r\nstopping_threshold_(height)\t0.0\r\n"
    "refreshing_step 0\r\nthickness_visual_threshold 0.0\r\nPclock 120.0\r\nPTsol 1143.0\r\n"
    "PTvent 1360.0\r\nPr(Tsol) 0.5\r\nPr(Tvent) 0.95\r\nPhc(Tsol) 40.0\r\nPhc(Tvent) 1.5\r\n"
    "Pcool 2.8\r\nPrho 2600.0\r\nPepsilon 0.9\r\nPsigma 5.68E-08\r\nPcv 1150\r\n"
    "algorithm MIN       \r\n";

inline const std::string plain_configuration =
    "nsteps 15000\nncols 4\nnrows 3\nPclock 60.00\nPc 10\nPTsol 1143.00\nPTvent 1360.00\n"
    "Pr_Tsol 0.0650\nPr_Tvent 0.9\nPhc_Tsol 50.0\nPhc_Tvent 0.8\nPcool 9.4\nPrho 2600.00\n"
    "Pepsilon 0.90\nPsigma 5.68E-08\nPcv 1150\n";

inline const std::string raster_header =
    "ncols 4\r\nnrows 3\r\nxllcorner 500.5\r\nyllcorner 4000.5\r\ncellsize 10.0\r\n"
    "NODATA_value 0.0\r\n";

inline const std::string some_rates =
    "[TIME]\r\n3600\r\n\r\n[VENT_ID]\r\n7\r\n\r\n[EMISSION_RATE]\r\n1.5\r\n2\r\n[END]\r\n";

// Writes a folder of 4x3 cells with altitudes 101 to 112 and vent 7 in row 1, column 2.
inline void write_numbered_event(const TestFolder& folder, const std::string& ending = "stt") {
    const std::string stem = (folder / "test_000000000000").string();
    write_text(stem + ".cfg", numbered_configuration);
    write_text(stem + "_Morphology." + ending,
               raster_header + "101 102 103 104\r\n105 106 107 108\r\n109 110 111 112\r\n");
    write_text(stem + "_Vents." + ending, raster_header + "0 0 0 0\r\n0 0 7 0\r\n0 0 0 0\r\n");
    write_text(stem + "_EmissionRate.txt", some_rates);
}

inline void write_plain_event(const TestFolder& folder) {
    write_text(folder / "PARAMETERS.cfg", plain_configuration);
    write_text(folder / "MORPHOLOGY.stt", "101 102 103 -9999\n105 106 107 -9999\n1 2 3 -9999\n");
    write_text(folder / "VENTS.stt", "0 0 0 0\n0 7 0 0\n0 0 0 0\n");
    write_text(folder / "EMISSIONS_RATE.stt", some_rates);
}

// Conditions of a run in double from such a folder.
inline InitialConditions event_in(const TestFolder& folder, Size size = {4, 3}) {
    return {.size = size, .cell = ElementType::float64, .input = folder.path()};
}

}  // namespace camber::lava
