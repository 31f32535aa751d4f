// `camber inspect` and `camber compare` on compiled code, as users and CI jobs run them.
#include <boost/property_tree/xml_parser.hpp>

#include <sstream>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/results/schema_check.hpp"

namespace inspect_program_test {

namespace {

using namespace camber::cli_test;

const std::string before = (source_folder / "examples/compiled/before.fatbin").string();
const std::string after = (source_folder / "examples/compiled/after.fatbin").string();

Outcome camber_in(const TestFolder& folder, const Arguments& arguments) {
    return run_program(arguments, folder.path());
}

fs::path schema(const std::string& name) {
    return source_folder / "results/schema" / ("camber-" + name + ".schema.json");
}

}  // namespace

TEST_CASE("inspect lists the kernels of every architecture", "[portable][inspect]") {
    const TestFolder folder;
    const Outcome table = camber_in(folder, {"inspect", before});
    CHECK(table.exit_code == 0);
    CHECK(table.err.empty());
    for (const char* expected :
         {"sm_75: 4 kernels", "sm_90a: 4 kernels", "sm_120: 4 kernels", "compute_120: 4 kernels",
          "(anonymous namespace)::blur", "3 cubins, 1 PTX module"})
        CHECK_THAT(table.out, contains(expected));
    const Outcome chosen = camber_in(folder, {"inspect", before, "--kernel", "reverse", "--arch",
                                              "sm_90a", "--mix", "--block", "64"});
    CHECK(chosen.exit_code == 0);
    CHECK_THAT(chosen.out, contains("1 kernel,") && contains("occ 64") &&
                               contains("1 shared_loads") && !contains("blur"));
}

TEST_CASE("an inspection is JSON that the schema describes and compare reads",
          "[portable][inspect]") {
    const TestFolder folder;
    const Outcome json = camber_in(folder, {"inspect", before, "--format", "json"});
    REQUIRE(json.exit_code == 0);
    const Json document = Json::parse(json.out);
    CHECK(camber::schema_violations(document, schema("inspection")).empty());
    CHECK(document["kernels"].size() == 16);
    Json broken = document;
    broken["kernels"][0].erase("hash");
    CHECK_FALSE(camber::schema_violations(broken, schema("inspection")).empty());
    CHECK(camber_in(folder, {"inspect", before, "--format", "json", "--out", "base.json"})
              .exit_code == 0);
    CHECK(text_of(folder / "base.json") == json.out);
    const Outcome same = camber_in(folder, {"compare", "base.json", before});
    CHECK(same.exit_code == 0);
    CHECK_THAT(same.out, contains("16 kernels compared: all unchanged: no measurement needed."));
    write_text(folder / "broken.json", broken.dump());
    const Outcome refused = camber_in(folder, {"compare", "broken.json", before});
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, contains("broken.json: at /kernels/0"));
}

TEST_CASE("compare judges compiled code in every format", "[portable][inspect]") {
    const TestFolder folder;
    const Outcome table = camber_in(folder, {"compare", before, after});
    CHECK(table.exit_code == 1);
    CHECK_THAT(table.out, contains("shared bytes 1024 -> 4096") && contains("local loads 0 -> ") &&
                              contains("REGRESSION"));
    CHECK(camber_in(folder, {"compare", after, before, "--allow", "missing", "--allow", "registers",
                             "--allow", "occupancy"})
              .exit_code == 0);
    const Outcome chosen = camber_in(folder, {"compare", before, after, "--kernel", "scale"});
    CHECK(chosen.exit_code == 0);
    CHECK_THAT(chosen.out, contains("4 kernels compared: all unchanged"));
    const Outcome blur = camber_in(folder, {"compare", before, after, "--kernel", "*blur"});
    CHECK(blur.exit_code == 0);
    CHECK(camber_in(folder, {"compare", before, after, "--kernel", "*blur", "--fail-on-undecided"})
              .exit_code == 1);

    const Outcome json = camber_in(folder, {"compare", before, after, "--format", "json"});
    CHECK(json.exit_code == 1);
    CHECK(camber::schema_violations(Json::parse(json.out), schema("code-comparison")).empty());
    const Outcome junit = camber_in(folder, {"compare", before, after, "--format", "junit"});
    std::istringstream stream(junit.out);
    boost::property_tree::ptree tree;
    boost::property_tree::read_xml(stream, tree);
    CHECK(tree.get<int>("testsuites.<xmlattr>.failures") > 0);
    CHECK(tree.get<int>("testsuites.<xmlattr>.skipped") > 0);
    CHECK_THAT(camber_in(folder, {"compare", before, after, "--format", "markdown"}).out,
               contains("| verdict | arch | kernel | changes |"));
}

TEST_CASE("bad input of inspect ends in one sentence", "[portable][inspect]") {
    const TestFolder folder;
    const auto refused = [&](const Arguments& arguments, const std::string& expected) {
        const Outcome outcome = camber_in(folder, arguments);
        INFO(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, contains(expected));
        CHECK(lines_of(outcome.err).size() == 1);
    };
    write_text(folder / "text", "hello");
    write_text(folder / "cut", text_of(before).substr(0, 3000));
    refused({"inspect", "absent"}, "No such file");
    refused({"inspect", "."}, "Is a directory");
    refused({"inspect", "/dev/null"}, "no regular file");
    refused({"inspect", "text"}, "this is no ELF file");
    refused({"inspect", "cut"}, "\"cut\", offset 0x10: a fat binary of");
    refused({"inspect", before, "--kernel", "blurr"}, "did you mean");
    refused({"inspect", before, "--arch", "sm_80"}, "it has sm_75, sm_90a, sm_120, compute_120");
    refused({"inspect", before, "--block", "2000"}, "a block has 1 to 1024 threads");
    refused({"inspect", before, "--format", "xml"}, "choose from table, json");
    refused({"compare", before, "text"}, "\"text\" is no compiled code");
    refused({"compare", before, "absent"}, "No such file");
    refused({"compare", before, after, "--allow", "gpu"}, "--allow");
    refused({"compare", before, after, "--only", "time"}, "--only is for results files");
    const Outcome nothing =
        camber_in(folder, {"compare", before, after, "--kernel", "scale", "--kernel", "shift"});
    CHECK(nothing.exit_code == 0);
}

}  // namespace inspect_program_test
