// Emission rates and vents: values read, text written, and messages about invalid input.
#include "workloads/lava/emission.hpp"

#include <sstream>
#include <stdexcept>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"

namespace camber::lava::emission_test {
namespace {

EmissionRates read(const std::string& text) {
    return read_emission_rates(text, "rates.txt");
}

template <class Action>
std::string complaint(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "none";
}

const std::string two_vents =
    "[TIME]\r\n86400\r\n\r\n[VENT_ID]\r\n1\r\n\r\n[EMISSION_RATE]\r\n1.5\r\n2\r\n0\r\n"
    "[VENT_ID]\r\n9\r\n[EMISSION_RATE]\r\n.25\r\n\r\n[END]\r\n";

}  // namespace

TEST_CASE("emission rates are read", "[lava]") {
    const EmissionRates rates = read(two_vents);
    CHECK(rates == EmissionRates{86400, {{1, {1.5, 2, 0}}, {9, {0.25}}}});
    CHECK(rates.slots() == 3);
    CHECK(rates.index_of(9) == 1);
    CHECK_THROWS_AS(rates.index_of(2), std::logic_error);
    // [END] may be missing, and a list may be empty.
    CHECK(read("[TIME] 60 [VENT_ID] 3 [EMISSION_RATE]") == EmissionRates{60, {{3, {}}}});
    std::ostringstream out;
    write_emission_rates(out, rates);
    CHECK(read(out.str()) == rates);
}

TEST_CASE("a rate holds from the start of its slot to that of the next", "[lava]") {
    const EmissionRates rates = read(two_vents);
    CHECK(rates.at(0, 0) == 1.5);
    CHECK(rates.at(0, 86399.9) == 1.5);
    CHECK(rates.at(0, 86400) == 2);
    CHECK(rates.at(0, 3 * 86400) == 0);
    CHECK(rates.at(0, 1e300) == 0);
    CHECK(rates.at(1, 86399) == 0.25);
    CHECK(rates.at(1, 86400) == 0);
}

TEST_CASE("what is no emission rate is said, and where", "[lava]") {
    const std::pair<std::string, std::vector<std::string>> files[] = {
        {"", {"rates.txt:1:1: ", "[TIME]", "end of the file"}},
        {"86400", {"rates.txt:1:1: ", "'86400'", "[TIME]"}},
        {"[TIME] 0", {"rates.txt:1:8: ", "positive", "'0'"}},
        {"[TIME] soon", {"'soon'"}},
        {"[TIME] 60", {"no vent"}},
        {"[TIME] 60\n[END]", {"rates.txt:2:1: ", "no vent"}},
        {"[TIME] 60 1 2", {"'1'", "[VENT_ID]"}},
        {"[TIME] 60 [VENT_ID] 0", {"a vent's id", "'0'"}},
        {"[TIME] 60 [VENT_ID] 1.5", {"whole number", "'1.5'"}},
        {"[TIME] 60 [VENT_ID] 1 5", {"'5'", "[EMISSION_RATE]"}},
        {"[TIME] 60 [VENT_ID] 1\n[EMISSION_RATE] 1 -2", {"rates.txt:2:19: ", "'-2'"}},
        {"[TIME] 60 [VENT_ID] 1 [EMISSION_RATE] 1,2", {"'1,2'"}},
        {"[TIME] 60 [VENT_ID] 1 [EMISSION_RATE] 1 [VENT_ID] 1", {"vent 1 is given twice"}},
        {"[TIME] 60 [VENT_ID] 1 [EMISSION_RATE] 1 [STOP]", {"'[STOP]'", "[VENT_ID]"}},
        {"[TIME] 60 [VENT_ID] 1 [EMISSION_RATE] 1 [END] 2", {"'2'", "after [END]"}},
    };
    for (const auto& [text, parts] : files) {
        CAPTURE(text);
        const std::string said = complaint([&] { read(text); });
        for (const std::string& part : parts) CHECK_THAT(said, contains(part));
    }
}

TEST_CASE("vents are the cells of a raster that have an id", "[lava]") {
    CHECK(vents_in({0, 0, 3, -9999, 1, 0}, {3, 2}, -9999, "vents") ==
          std::vector<VentCell>{{3, 0, 2}, {1, 1, 1}});
    CHECK(vents_in({0, 0}, {2, 1}, 0, "vents").empty());
    for (const double id : {-1.0, 0.5, 1e10})
        CHECK_THAT(complaint([&] {
                       vents_in({0, id}, {2, 1}, -9999, "vents.asc");
                   }),
                   contains("vents.asc") && contains("row 0, column 1"));
}

TEST_CASE("vents may be a list", "[lava]") {
    const auto list = [](const std::string& text) {
        return read_vent_list(text, "vents.txt", {4, 3});
    };
    CHECK(list("1 2 3\r\n7 0 0\r\n") == std::vector<VentCell>{{1, 2, 3}, {7, 0, 0}});
    CHECK(list("").empty());
    for (const auto& [text, part] : {std::pair{"1 3 0", "vents.txt:1:3: a vent's row"},
                                     {"1 0 4", "vents.txt:1:5: a vent's column"},
                                     {"1 -1 0", "'-1'"},
                                     {"0 1 1", "a vent's id"},
                                     {"1 2", "the end of the file"},
                                     {"1 2 3 2 2 3", "two vents lie in row 2, column 3"}})
        CHECK_THAT(complaint([&, text = text] { list(text); }), contains(part));
}

TEST_CASE("vents and rates belong together", "[lava]") {
    const EmissionRates rates = read(two_vents);
    CHECK_NOTHROW(check_vents({{1, 0, 0}, {9, 0, 1}, {1, 5, 5}}, rates));
    CHECK_THAT(complaint([&] {
                   check_vents({{1, 0, 0}}, rates);
               }),
               contains("vent 9, which lies nowhere"));
    CHECK_THAT(complaint([&] {
                   check_vents({{1, 0, 0}, {9, 0, 0}, {2, 4, 6}}, rates);
               }),
               contains("vent 2 in row 4, column 6 has no emission rates"));
    EmissionRates many{60, {}};
    for (int id = 1; id <= 256; ++id) many.vents.push_back({id, {}});
    CHECK_THAT(complaint([&] { check_vents({}, many); }), contains("256 vents"));
}

}  // namespace camber::lava::emission_test
