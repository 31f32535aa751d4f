// Eruption folders in both public forms: values read, and messages about missing data.
#include <algorithm>
#include <numeric>
#include <sstream>

#include "harness/base/error.hpp"
#include "tests/workloads/core/real_eruptions.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "workloads/lava/event.hpp"

namespace camber::lava::event_test {

namespace {

namespace fs = std::filesystem;

template <class Action>
std::string complaint(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
        return error.what();
    }
    return "none";
}

std::string without(std::string text, const std::string& part) {
    return text.erase(text.find(part), part.size());
}

const std::map<std::string, double> etna_2006{{"clock", 120},
                                              {"t_sol", 1143},
                                              {"t_vent", 1360},
                                              {"r_sol", 0.5},
                                              {"r_vent", 0.95},
                                              {"hc_sol", 40},
                                              {"hc_vent", 1.5},
                                              {"cooling", 2.8},
                                              {"density", 2600},
                                              {"emissivity", 0.9},
                                              {"stefan_boltzmann", 5.68e-8},
                                              {"heat_capacity", 1150}};

const std::map<std::string, double> etna_2001{{"clock", 60},
                                              {"t_sol", 1143},
                                              {"t_vent", 1360},
                                              {"r_sol", 0.065},
                                              {"r_vent", 0.9},
                                              {"hc_sol", 50},
                                              {"hc_vent", 0.8},
                                              {"cooling", 9.4},
                                              {"density", 2600},
                                              {"emissivity", 0.9},
                                              {"stefan_boltzmann", 5.68e-8},
                                              {"heat_capacity", 1150},
                                              {"cell_side", 10}};

}  // namespace

TEST_CASE("configurations of both forms are read", "[lava]") {
    const Configuration numbered =
        read_configuration(numbered_configuration, "a.cfg", Form::numbered);
    CHECK(numbered.parameters == etna_2006);
    CHECK_FALSE(numbered.size);
    const Configuration plain = read_configuration(plain_configuration, "b.cfg", Form::plain);
    CHECK(plain.parameters == etna_2001);
    CHECK(plain.size == Size{4, 3});
    CHECK(read_configuration(without(plain_configuration, "nsteps 15000\n"), "b.cfg", Form::plain)
              .parameters == etna_2001);
    std::ostringstream out;
    write_configuration(out, etna_2006);
    CHECK(read_configuration(out.str(), "c.cfg", Form::numbered).parameters == etna_2006);
    CHECK(configured_parameters(Form::numbered).size() == 12);
    CHECK(configured_parameters(Form::plain).size() == 13);
}

TEST_CASE("what is no configuration is said, and where", "[lava]") {
    const auto said = [](const std::string& text, Form form = Form::plain) {
        return complaint([&] { read_configuration(text, "a.cfg", form); });
    };
    CHECK_THAT(said(plain_configuration + "Pmomentum 3\n"),
               contains("a.cfg:17:1: 'Pmomentum' is no key") && contains("Pclock"));
    CHECK_THAT(said(without(plain_configuration, "Pcool 9.4\n")),
               contains("ends without Pcool") && contains("\"Pcool NUMBER\""));
    CHECK_THAT(said(plain_configuration + "Pcv 1\n"), contains("Pcv is given twice"));
    CHECK_THAT(said("Pclock fast\n"), contains("a.cfg:1:8: Pclock needs a finite number"));
    CHECK_THAT(said("ncols 2.5\n"), contains("ncols needs a whole number"));
    CHECK_THAT(said("Pclock"), contains("the end of the file"));
    CHECK_THAT(said(""), contains("ends without ncols"));
    // Keys of the other form are unknown.
    CHECK_THAT(said(numbered_configuration), contains("no key"));
    CHECK_THAT(said(plain_configuration, Form::numbered), contains("'nsteps' is no key"));
    std::string proportional = numbered_configuration;
    proportional.replace(proportional.find("MIN"), 3, "PROP");
    CHECK_THAT(said(proportional, Form::numbered), contains("'PROP' is not implemented"));
    CHECK_THAT(said(without(numbered_configuration, "algorithm MIN       \r\n"), Form::numbered),
               contains("\"algorithm MIN\""));
}

TEST_CASE("a numbered eruption is read, whatever its rasters end in", "[lava]") {
    for (const char* ending : {"stt", "asc"}) {
        const TestFolder folder;
        write_numbered_event(folder, ending);
        CHECK(event_size(folder.path()) == Size{4, 3});
        for (const fs::path& path :
             {folder.path(), folder / "", folder / "test_000000000000.cfg"}) {
            const Event event = read_event(path);
            CHECK(event.prefix == "test");
            CHECK(event.map ==
                  AsciiGridHeader{{4, 3}, 500.5, 4000.5, AsciiGridHeader::Origin::corner, 10, 0.0});
            std::vector<double> altitude(12);
            std::iota(altitude.begin(), altitude.end(), 101);
            CHECK(event.altitude == altitude);
            CHECK(event.vents == std::vector<VentCell>{{7, 1, 2}});
            CHECK(event.rates == EmissionRates{3600, {{7, {1.5, 2}}}});
            CHECK(event.parameters.at("cell_side") == 10);
            CHECK(event.parameters.at("cooling") == 2.8);
            CHECK(event.thickness.empty());
            CHECK(event.temperature.empty());
            CHECK(event.solidified.empty());
        }
    }
}

TEST_CASE("an eruption may start with lava", "[lava]") {
    const TestFolder folder;
    write_numbered_event(folder);
    const std::string cells = "0 0 0 0 0 1.5 2 0 0 0 0 0";
    write_text(folder / "test_000000000000_Thickness.stt", raster_header + cells);
    write_text(folder / "test_000000000000_Temperature.asc",
               raster_header + "0 0 0 0 0 1200 1300 0 0 0 0 0");
    write_text(folder / "test_000000000000_SolidifiedLavaThickness.stt", raster_header + cells);
    const Event event = read_event(folder.path());
    CHECK(event.thickness == std::vector<double>{0, 0, 0, 0, 0, 1.5, 2, 0, 0, 0, 0, 0});
    CHECK(event.temperature[6] == 1300);
    CHECK(event.solidified == event.thickness);
}

TEST_CASE("a plain eruption is read", "[lava]") {
    const TestFolder folder;
    write_plain_event(folder);
    CHECK(event_size(folder.path()) == Size{4, 3});
    for (const fs::path& path : {folder.path(), folder / "", folder / "PARAMETERS.cfg"}) {
        const Event event = read_event(path);
        CHECK(event.prefix == folder.path().filename());
        CHECK(event.map ==
              AsciiGridHeader{{4, 3}, 0, 0, AsciiGridHeader::Origin::corner, 10, -9999});
        CHECK(event.altitude[0] == 101);
        CHECK(event.altitude[3] == -9999);
        CHECK(event.vents == std::vector<VentCell>{{7, 1, 1}});
        CHECK(event.parameters == etna_2001);
    }
    // Vents as a list instead of a raster.
    fs::remove(folder / "VENTS.stt");
    write_text(folder / "VENTS.txt", "7 2 0\n");
    CHECK(read_event(folder.path()).vents == std::vector<VentCell>{{7, 2, 0}});
}

TEST_CASE("what an eruption lacks is said", "[lava]") {
    const auto said = [](const fs::path& path) { return complaint([&] { read_event(path); }); };
    CHECK_THAT(said("/no/such/folder"), contains("/no/such/folder") && contains("no folder"));
    const TestFolder folder;
    CHECK_THAT(said(folder.path()), contains("neither PARAMETERS.cfg nor NAME_000000000000.cfg"));
    write_numbered_event(folder);
    const fs::path stem = folder / "test_000000000000";
    const auto file = [&](const char* name) { return fs::path(stem.string() + name); };
    CHECK_THAT(said(file("_Vents.stt")), contains("is no folder of an eruption"));

    const auto replaced = [&](const char* name, const std::string& text) {
        const std::string before = text_of(file(name));
        write_text(file(name), text);
        const std::string sentence = said(folder.path());
        write_text(file(name), before);
        return sentence;
    };
    CHECK_THAT(replaced("_Vents.stt", raster_header + "0 0 0 0 0 0 0 0 0 0 0"),
               contains("after 11 values"));
    CHECK_THAT(replaced("_Vents.stt", raster_header + "0 0 0 0 0 x 0 0 0 0 0 0"),
               contains(":7:11: 'x' is no finite number"));
    CHECK_THAT(replaced("_Vents.stt", raster_header + "0 0 0 0 0 8 0 0 0 0 0 0"),
               contains("_Vents.stt and ") &&
                   contains("_EmissionRate.txt: vent 8 in row 1, column 1 has no emission rates"));
    CHECK_THAT(replaced("_Vents.stt", raster_header + "0 0 0 0 0 0 0 0 0 0 0 0"),
               contains("vent 7, which lies nowhere"));
    std::string other = raster_header + "0 0 0 0 0 7 0 0 0 0 0 0";
    CHECK_THAT(replaced("_Vents.stt", "ncols 3\n" + other.substr(other.find("nrows"))),
               contains("too many"));
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = other;
        return text.replace(text.find(from), from.size(), to);
    };
    CHECK_THAT(replaced("_Vents.stt", with("ncols 4\r\nnrows 3", "ncols 3\r\nnrows 4")),
               contains("has 3x4 cells, the ground 4x3"));
    CHECK_THAT(replaced("_Vents.stt", with("cellsize 10", "cellsize 5")),
               contains("has cells of side 5, the ground of 10"));
    CHECK_THAT(replaced("_Vents.stt", with("500.5", "510.5")),
               contains("begins at (510.5, 4000.5), the ground at (500.5, 4000.5)"));
    CHECK(replaced("_Vents.stt", with("500.5", "509")) == "none");

    write_text(file("_Vents.asc"), other);
    CHECK_THAT(said(folder.path()),
               contains("_Vents.stt and test_000000000000_Vents.asc") && contains("keep one"));
    fs::remove(file("_Vents.asc"));
    write_text(folder / "test_000000000007.cfg", numbered_configuration);
    CHECK_THAT(said(folder.path()), contains("has 2 configurations") &&
                                        contains("test_000000000000.cfg, test_000000000007.cfg"));
    CHECK_THAT(said(folder / "test_000000000007.cfg"),
               contains("has no test_000000000007_Morphology (.stt or .asc)"));
    fs::remove(folder / "test_000000000007.cfg");
    for (const char* name : {"_Morphology.stt", "_Vents.stt", "_EmissionRate.txt"}) {
        fs::rename(file(name), file("_away"));
        CHECK_THAT(said(folder.path()), contains("has no test_000000000000_"));
        fs::rename(file("_away"), file(name));
    }
    CHECK(said(folder.path()) == "none");
}

TEST_CASE("Etna's eruption of 2006 is read as it is", "[lava]") {
    const fs::path folder = real_eruption("etna2006");
    CHECK(event_size(folder) == Size{517, 378});
    const Event event = read_event(folder);
    CHECK(event.prefix == "2006");
    CHECK(
        event.map ==
        AsciiGridHeader{{517, 378}, 499547.5, 4174982.5, AsciiGridHeader::Origin::corner, 10, 0.0});
    CHECK(std::ranges::max(event.altitude) == 3372.3);
    CHECK(std::ranges::min(event.altitude) == 1575.0);
    CHECK(event.vents == std::vector<VentCell>{{1, 114, 71}, {2, 114, 77}});
    CHECK(event.altitude[114 * 517 + 71] == 3061.9);
    CHECK(event.altitude[114 * 517 + 77] == 3028.6);
    REQUIRE(event.rates.vents.size() == 2);
    CHECK(event.rates.vents[0].rates == event.rates.vents[1].rates);
    CHECK(event.rates.slots() == 15);
    CHECK(event.rates.slot_length == 86400);
    CHECK(std::accumulate(event.rates.vents[0].rates.begin(), event.rates.vents[0].rates.end(),
                          0.0) == Approx(27.200000001).epsilon(1e-12));
    for (const auto& [name, value] : etna_2006) CHECK(event.parameters.at(name) == value);
}

TEST_CASE("Etna's eruption of 2001 is read as it is", "[lava]") {
    const fs::path folder = real_eruption("etna2001");
    CHECK(event_size(folder) == Size{382, 819});
    const Event event = read_event(folder / "");
    CHECK(event.prefix == "etna2001");
    CHECK(event.vents == std::vector<VentCell>{{1, 81, 204}});
    CHECK(event.altitude[81 * 382 + 204] == 2098.19);
    CHECK(std::ranges::max(event.altitude) == 2477.14);
    for (int row = 0; row < 819; ++row) REQUIRE(event.altitude[row * 382 + 381] == -9999);
    double lowest = 1e9;
    for (const double z : event.altitude)
        if (z != -9999) lowest = std::min(lowest, z);
    CHECK(lowest == 926.88);
    CHECK(event.rates == EmissionRates{86400, {{1, std::vector<double>(30, 0.5)}}});
    for (const auto& [name, value] : etna_2001) CHECK(event.parameters.at(name) == value);
}

}  // namespace camber::lava::event_test
