// Page of a scaling analysis, and the text table that it uses.
#include <sstream>
#include <stdexcept>

#include "harness/cli/common/files.hpp"
#include "harness/cli/scale/page.hpp"
#include "tests/analysis/scaling/published_series.hpp"
#include "tests/catch.hpp"

namespace page_test {

using namespace camber;

TEST_CASE("a text table is as wide as its texts", "[text-table]") {
    TextTable table({"name", "x"});
    CHECK(table.empty());
    table.add({"a", "10"});
    table.add({"longer", ""});
    CHECK(table.plain() ==
          "name     x\n"
          "a       10\n"
          "longer\n");
    CHECK(table.markdown() ==
          "| name | x |\n"
          "|---|---:|\n"
          "| a | 10 |\n"
          "| longer |  |\n");
    CHECK_THROWS_AS(table.add({"one"}), std::logic_error);
}

TEST_CASE("units are counted in words", "[scaling]") {
    CHECK(unit_words(1, scaling::Unit::thread) == "1 thread");
    CHECK(unit_words(2, scaling::Unit::thread) == "2 threads");
    CHECK(unit_words(8, scaling::Unit::sm) == "8 SMs");
    CHECK(unit_words(1, scaling::Unit::gpu) == "1 GPU");
}

TEST_CASE("the page of a strong series", "[scaling]") {
    scaling::Series series = gpu_series(table_6_1);
    series.predicted_serial_share = 0.11;
    series.points[5].share_of_copy = 0.25;
    series.points[1].places = {1234.0, 2.5e4, 1.125};
    const std::string page = scaling_page(scaling::analyse(series));
    CHECK_THAT(page, contains("flow/rows, 1000x1000, 6 GPUs, strong scaling over GPUs\n"));
    CHECK_THAT(page, contains("14377.000 s"));
    CHECK_THAT(page, contains("1.802 !"));  // the measured value exceeds the prediction at p = 2
    CHECK_THAT(page, contains("3.195   53.2 %  0.1756"));
    CHECK_THAT(page, contains("0.0235 +- 0.0014"));
    CHECK_THAT(page, contains("25.0 %"));
    CHECK_THAT(page, contains("e grows: each additional GPU costs"));
    CHECK_THAT(page, contains("that shortens the time: 6."));
    CHECK_THAT(page, contains("p  exposed transfer  wait at barriers  imbalance\n"
                              "2           1.23 us          25.00 us      1.125\n"));
    // Projections beyond six units by Amdahl's fit and by the three-term fit, whose term c makes
    // its value lower.
    CHECK_THAT(
        page,
        contains("p, extrapolated  E by the fitted serial part  E by the fitted cost per unit\n"));
    CHECK_THAT(page, contains("\n8 "));
    CHECK_THAT(page, contains("\n16 "));
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK(line.size() <= 100);
        CHECK((line.empty() || line.back() != ' '));
    }
}

TEST_CASE("the pages of a short series and of a weak one", "[scaling]") {
    scaling::Series series = gpu_series(Times{100, 55});
    series.unit = scaling::Unit::sm;
    series.unit_size = 8;
    series.points[0].units = 8;
    series.points[1].units = 16;
    const std::string page = scaling_page(scaling::analyse(series));
    CHECK_THAT(page, contains("p = 1 is 8 SMs\n"));
    CHECK_THAT(page, contains("show no trend"));
    CHECK(page.find("extrapolated") == std::string::npos);  // one machine has no more units
    CHECK(page.find("exposed") == std::string::npos);
    series.mode = scaling::Mode::weak;
    const std::string weak = scaling_page(scaling::analyse(series));
    CHECK_THAT(weak, contains("1000x1000 per unit"));
    CHECK_THAT(weak, contains("scaled S"));
    CHECK_THAT(weak, contains("rises with p"));
}

}  // namespace page_test
