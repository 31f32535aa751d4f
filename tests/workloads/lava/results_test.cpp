// Folder that a lava workload writes: its exact text, and that it can be read back.
#include "workloads/lava/results.hpp"

#include <sstream>
#include <stdexcept>

#include "harness/base/error.hpp"
#include "tests/sentence.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "workloads/core/ascii_grid.hpp"

namespace camber::lava::results_test {

TEST_CASE("rasters with fixed decimals look as in the public programs", "[lava]") {
    std::ostringstream out;
    write_fixed_grid(out, {{2, 2}, 499547.5, 4174982.5, AsciiGridHeader::Origin::corner, 10, 0.0},
                     std::vector<double>{1, 2.0000004, -9999, 1e-9}, 6);
    CHECK(out.str() ==
          "ncols\t\t2\nnrows\t\t2\nxllcorner\t499547.500000\nyllcorner\t4174982.500000\n"
          "cellsize\t10.000000\nNODATA_value\t0.000000\n"
          "1.000000  2.000000  \n-9999.000000  0.000000  \n");
    std::ostringstream whole;
    write_fixed_grid(whole, {.size = {3, 1}, .origin = AsciiGridHeader::Origin::center},
                     std::vector<double>{0, 12, 1}, 0);
    CHECK(whole.str() ==
          "ncols\t\t3\nnrows\t\t1\nxllcenter\t0.000000\nyllcenter\t0.000000\ncellsize\t1.000000\n"
          "0  12  1  \n");
    CHECK_THROWS_AS(write_fixed_grid(out, {.size = {1, 2}}, std::vector<double>{1}, 6),
                    std::logic_error);
    CHECK_THROWS_AS(write_fixed_grid(out, {.size = {1, 1}}, std::vector<double>{0. / 0.}, 6),
                    std::logic_error);
    CHECK_THROWS_WITH(
        write_fixed_grid_file("/no/such/raster.asc", {.size = {1, 1}}, std::vector<double>{1}, 6),
        contains("\"/no/such/raster.asc\": No such file"));
}

TEST_CASE("results are an eruption's folder at a later step", "[lava]") {
    const TestFolder folder;
    write_numbered_event(folder);
    const Event event = read_event(folder.path());
    std::vector<double> altitude = event.altitude;
    altitude[5] += 0.25;
    const std::vector<double> thickness{0, 0, 0, 0, 0, 1.5, 2, 0, 0, 0, 0, 0};
    const std::vector<double> temperature{0, 0, 0, 0, 0, 1200.125, 1300, 0, 0, 0, 0, 0};
    const std::vector<double> solidified{0, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0};
    const auto results = folder / "new" / "folder";
    check_results_folder(results);
    CHECK_FALSE(std::filesystem::exists(folder / "new"));
    save_results(results, event, {altitude, thickness, temperature, solidified}, 16000,
                 "of a test");
    for (const char* name : {".cfg", "_EmissionRate.txt", "_Vents.asc", "_Morphology.asc",
                             "_Thickness.asc", "_Temperature.asc", "_SolidifiedLavaThickness.asc"})
        CHECK(std::filesystem::exists(results / ("test_000000016000" + std::string(name))));
    CHECK(text_of(results / "test_000000016000_Vents.asc") ==
          "ncols\t\t4\nnrows\t\t3\nxllcorner\t500.500000\nyllcorner\t4000.500000\n"
          "cellsize\t10.000000\nNODATA_value\t0.000000\n"
          "0  0  0  0  \n0  0  7  0  \n0  0  0  0  \n");

    const Event again = read_event(results);
    CHECK(again.prefix == event.prefix);
    CHECK(again.map == event.map);
    CHECK(again.altitude == altitude);
    CHECK(again.thickness == thickness);
    CHECK(again.temperature == temperature);
    CHECK(again.solidified == solidified);
    CHECK(again.vents == event.vents);
    CHECK(again.rates == event.rates);
    CHECK(again.parameters == event.parameters);
    check_results_folder(results);
}

TEST_CASE("a folder that cannot be made is refused before the run", "[lava]") {
    const TestFolder folder;
    write_text(folder / "file", "");
    for (const auto& path : {folder / "file", folder / "file" / "below"})
        CHECK_THAT(sentence_of([&] { check_results_folder(path); }),
                   contains("file is no folder") && contains("--save"));
    write_numbered_event(folder);
    const Event event = read_event(folder.path());
    const std::vector<double> none(event.altitude.size());
    CHECK_THROWS_WITH(
        save_results(folder / "file", event, {event.altitude, none, none, none}, 1, ""),
        contains("cannot make"));
}

}  // namespace camber::lava::results_test
