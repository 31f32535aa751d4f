// ESRI ASCII grids: values read, text written, and messages about invalid files.
#include <cmath>
#include <limits>
#include <sstream>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/core/real_eruptions.hpp"
#include "tests/workloads/core/temporary_file.hpp"
#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::ascii_grid_test {

namespace {

using Origin = AsciiGridHeader::Origin;

const std::string header = "ncols 3\nnrows 2\nxllcorner 1\nyllcorner 2\ncellsize 10\n";

AsciiGrid read(const std::string& text) {
    return read_ascii_grid(text, "map.asc");
}

std::string complaint(const std::string& text) {
    try {
        read(text);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "none";
}

template <class T>
std::string written(const AsciiGridHeader& header, const std::vector<T>& values) {
    std::ostringstream out;
    write_ascii_grid<T>(out, header, values);
    return out.str();
}

}  // namespace

TEST_CASE("a grid is read", "[ascii_grid]") {
    const AsciiGrid grid = read(header + "NODATA_value -9999\n1 2.5 -9999\n-4e1 +5 .5\n");
    CHECK(grid.header.size == Size{3, 2});
    CHECK(grid.header.x == 1);
    CHECK(grid.header.y == 2);
    CHECK(grid.header.origin == Origin::corner);
    CHECK(grid.header.cell_size == 10);
    CHECK(grid.header.no_data == -9999);
    CHECK(grid.values == std::vector<double>{1, 2.5, -9999, -40, 5, 0.5});
    CHECK(grid.has_data(1));
    CHECK_FALSE(grid.has_data(2));
    CHECK(read(header + "1 2 3 4 5 -9999").has_data(5));
}

TEST_CASE("keys come in any order and case, lines end as they like", "[ascii_grid]") {
    const AsciiGrid grid = read(
        "NODATA_VALUE 0.0\r\nCellSize\t2.5\r\n\r\nYLLCENTER -3\r\nXllCenter 7e5\r\nNROWS 2\r\n"
        "NCols 1\r\n 0 \r\n8");
    CHECK(grid.header == AsciiGridHeader{{1, 2}, 7e5, -3, Origin::center, 2.5, 0.0});
    CHECK(grid.values == std::vector<double>{0, 8});
    CHECK_FALSE(grid.has_data(0));
    // A row may span several lines, and a line may contain several rows.
    CHECK(read(header + "1 2\n3\n4 5 6").values == read(header + "1 2 3 4 5 6").values);
    CHECK(read("ncols 1\rnrows 1\rxllcorner 0\ryllcorner 0\rcellsize 1\r5\r").values ==
          std::vector<double>{5});
}

TEST_CASE("what is no grid is said, and where", "[ascii_grid]") {
    const std::pair<std::string, std::vector<std::string>> files[] = {
        {"", {"map.asc:1:1: ", "ncols", "header"}},
        {"1 2 3\n", {"map.asc:1:1: ", "without ncols"}},
        {"ncols 3\nnrows 2\nxllcorner 1\nyllcorner 2\n1 2 3", {"map.asc:5:1: ", "cellsize"}},
        {"ncols 3\nnrows 2\nyllcorner 2\ncellsize 1\n1 2 3", {"xllcorner or xllcenter"}},
        {"ncols 3\nnrows 2\nxllcorner 2\ncellsize 1\n1 2 3", {"yllcorner or yllcenter"}},
        {"ncols 3\n" + header + "1 2 3 4 5 6", {"map.asc:2:1: ", "ncols is given twice"}},
        {"xllcenter 3\n" + header + "1 2 3 4 5 6", {"both xllcorner and xllcenter"}},
        {"ncols 1\nnrows 1\nxllcenter 0\nyllcorner 0\ncellsize 1\n5", {"corner", "center"}},
        {"columns 3\n", {"map.asc:1:1: ", "'columns'", "no key", "ncols"}},
        {"ncols three\n", {"map.asc:1:7: ", "ncols", "'three'"}},
        {"ncols 2.5\n", {"map.asc:1:7: ", "whole number", "'2.5'"}},
        {"ncols 0\n", {"map.asc:1:7: ", "'0'"}},
        {"ncols -3\n", {"'-3'"}},
        {"nrows 3000000000\n", {"'3000000000'"}},
        {"ncols", {"map.asc:1:6: ", "the end of the file"}},
        {"cellsize 0\n", {"map.asc:1:10: ", "positive"}},
        {"cellsize nan\n", {"map.asc:1:10: ", "finite", "'nan'"}},
        {header + "1 2 x\n4 5 6", {"map.asc:6:5: ", "'x'", "no finite number"}},
        {header + "1 2 3\n4 5e 6", {"map.asc:7:3: ", "'5e'"}},
        {header + "1 2 3\n4 5,5 6", {"map.asc:7:3: ", "'5,5'"}},
        {header + "1 2 nan\n4 5 6", {"map.asc:6:5: ", "'nan'"}},
        {header + "1 2 1e999\n4 5 6", {"map.asc:6:5: ", "'1e999'"}},
        {header + "1 2 +-3\n4 5 6", {"map.asc:6:5: ", "'+-3'"}},
        {header + "1 2 3\nncols 5 6", {"map.asc:7:1: ", "'ncols'"}},
        {header + "1 2 3\n4 5\n", {"map.asc:8:1: ", "after 5 values", "3 x 2 = 6", "line 7 has 2"}},
        {header + "1 2 3\n4 5 6\n7\n", {"map.asc:8:1: ", "too many", "3 x 2 = 6"}},
        {header + "1 2\n3 4 5 6\n", {"map.asc:6:1: ", "3 values", "line 6 has 2"}},
        {header + std::string("1 2 \x01\xff 4 5 6", 13), {"map.asc:6:5: ", "'?\?'"}},
    };
    for (const auto& [text, parts] : files) {
        CAPTURE(text);
        const std::string said = complaint(text);
        CHECK(said.find('\n') == std::string::npos);
        for (const std::string& part : parts) CHECK_THAT(said, contains(part));
    }
}

TEST_CASE("files that cannot be read are named", "[ascii_grid]") {
    CHECK_THROWS_WITH(
        read_ascii_grid_file("/no/such/file.asc"),
        contains("cannot read the grid file \"/no/such/file.asc\"") && contains("No such file"));
    CHECK_THROWS_WITH(read_ascii_grid_file("/"), contains("Is a directory"));
    CHECK_THROWS_WITH(read_ascii_grid_header("/no/such/file.asc"), contains("cannot read"));
    CHECK_THROWS_WITH(
        write_ascii_grid_file<float>("/no/such/file.asc", {.size = {1, 1}}, std::vector<float>(1)),
        contains("cannot write the grid file \"/no/such/file.asc\"") &&
            contains("create the folder"));
}

TEST_CASE("a header is read without the cells", "[ascii_grid]") {
    const TemporaryFile file(header + "no cell is looked at, but for ");
    // An unknown word where a key is expected is rejected.
    CHECK_THROWS_WITH(read_ascii_grid_header(file.path()), contains("'no'"));
    const TemporaryFile good(header + "1 2 3" + std::string(10000, ' ') + "and so on");
    CHECK(read_ascii_grid_header(good.path()).size == Size{3, 2});
    CHECK_THROWS(read_ascii_grid_file(good.path()));
}

TEST_CASE("a grid is written in the form that others read", "[ascii_grid]") {
    CHECK(written<float>({{2, 2}, 0.5, -1, Origin::corner, 10, -9999}, {1, 0.1f, -9999, 1e-7f}) ==
          "ncols 2\nnrows 2\nxllcorner 0.5\nyllcorner -1\ncellsize 10\nNODATA_value -9999\n"
          "1 0.1\n-9999 1e-07\n");
    CHECK(written<double>({{1, 1}, 0, 0, Origin::center, 1}, {0.1}) ==
          "ncols 1\nnrows 1\nxllcenter 0\nyllcenter 0\ncellsize 1\n0.1\n");
    CHECK_THROWS_AS(written<double>({.size = {1, 1}}, {NAN}), std::logic_error);
    CHECK_THROWS_AS(written<double>({.size = {1, 2}}, {1}), std::logic_error);
}

TEST_CASE("what was written reads back to the last bit", "[ascii_grid]") {
    AsciiGridHeader header{{50, 40}, 499547.5, 1. / 3, Origin::center, 0.1, -1e30};
    std::vector<double> values(2000);
    std::vector<float> rounded(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = (uniform(1, i) - 0.5) * std::pow(10., static_cast<double>(mix(2, i) % 60) - 30);
        rounded[i] = static_cast<float>(values[i]);
    }
    values[0] = std::numeric_limits<double>::denorm_min();
    values[1] = std::numeric_limits<double>::max();
    values[2] = -0.0;
    rounded[0] = std::numeric_limits<float>::denorm_min();
    rounded[1] = std::numeric_limits<float>::max();
    const AsciiGrid grid = read(written<double>(header, values));
    CHECK(grid.header == header);
    CHECK(grid.values == values);
    CHECK(std::signbit(grid.values[2]));
    const AsciiGrid from_float = read(written<float>(header, rounded));
    for (std::size_t i = 0; i < values.size(); ++i)
        REQUIRE(static_cast<float>(from_float.values[i]) == rounded[i]);
}

TEST_CASE("Etna's maps of 2006 are read", "[ascii_grid]") {
    const AsciiGridHeader header{{517, 378}, 499547.5, 4174982.5, Origin::corner, 10, 0.0};
    const auto sum = [](const AsciiGrid& grid) {
        double sum = 0;
        for (const double value : grid.values) sum += value;
        return sum;
    };
    const auto cells_with_data = [](const AsciiGrid& grid) {
        int count = 0;
        for (std::size_t i = 0; i < grid.values.size(); ++i) count += grid.has_data(i);
        return count;
    };
    const AsciiGrid terrain = read_ascii_grid_file(etna_2006("Morphology"));
    CHECK(terrain.header == header);
    CHECK(read_ascii_grid_header(etna_2006("Morphology")) == header);
    REQUIRE(terrain.values.size() == 517 * 378);
    CHECK(terrain.values[0] == 3298);
    CHECK(terrain.values[1] == 3302.2);
    CHECK(sum(terrain) == Approx(450497578).epsilon(1e-8));
    CHECK(*std::max_element(terrain.values.begin(), terrain.values.end()) == 3372.3);
    CHECK(cells_with_data(terrain) == 517 * 378);

    const AsciiGrid vents = read_ascii_grid_file(etna_2006("Vents"));
    CHECK(vents.header == header);
    CHECK(cells_with_data(vents) == 2);
    CHECK(read_ascii_grid_file(etna_2006("RealEvent")).header == header);

    const AsciiGrid again = read(written<double>(terrain.header, terrain.values));
    CHECK(again.header == terrain.header);
    CHECK(again.values == terrain.values);
}

}  // namespace camber::ascii_grid_test
