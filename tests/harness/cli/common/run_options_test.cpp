#include "harness/cli/common/run_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "tests/catch.hpp"

namespace camber::run_options_test {
namespace {

using Words = std::vector<std::string>;

RunOptions parsed(Words words) {
    CLI::App app;
    RunOptions options;
    options.add_to(app, words);
    std::ranges::reverse(words);
    app.parse(words);
    return options;
}

// Unusual values for all options that determine the cases and their measurement.
const std::map<std::string, std::string> unusual{{"workload", "blur"},
                                                 {"backend", "cpu"},
                                                 {"cell", "uint8"},
                                                 {"size", "64x32"},
                                                 {"boundary", "torus"},
                                                 {"input", "file"},
                                                 {"at", "3,4"},
                                                 {"tile", "2x3"},
                                                 {"seed", "7"},
                                                 {"density", "0.25"},
                                                 {"param", "a=1,2"},
                                                 {"generations", "12"},
                                                 {"from-start", ""},
                                                 {"intervals", "4"},
                                                 {"begin-at", "100"},
                                                 {"states", "5"},
                                                 {"states-in", "folder"},
                                                 {"whole", "halo/*"},
                                                 {"reference-generations", "6"},
                                                 {"graph", ""},
                                                 {"cache", "both"},
                                                 {"counters", "memory"},
                                                 {"rounds", "3"},
                                                 {"processes", "4"},
                                                 {"threads", "5"},
                                                 {"device", "1"},
                                                 {"sample-seconds", "0.25"},
                                                 {"ceilings", "fresh"},
                                                 {"quick", ""},
                                                 {"variant", "halo/*"},
                                                 {"leave-out-hopeless", ""},
                                                 {"keep", "halo/*"},
                                                 {"compose", "a=b/64x4"},
                                                 {"refine", "2"},
                                                 {"ground", "plane"},
                                                 {"gpus", "3"},
                                                 {"devices", "1,0,1"},
                                                 {"exchange", "stores"},
                                                 {"overlap", "both"},
                                                 {"halo-depth", "2"},
                                                 {"weights", "1,2,1"},
                                                 {"allocation", "whole"},
                                                 {"edge", "8"},
                                                 {"candidate", "a.cu"},
                                                 {"set", "out=zeros"},
                                                 {"define", "ROWS=4"},
                                                 {"include", "folder"},
                                                 {"timeout", "7"},
                                                 {"rule", "B36/S23"},
                                                 {"sweep", "ROWS=2,4"},
                                                 {"balance", "improved"},
                                                 {"balance-every", "5"},
                                                 {"balance-rows", "4"},
                                                 {"balance-threshold", "0.25"},
                                                 {"divide-by", "particles"},
                                                 {"divide-along", "x"},
                                                 {"partition", "columns"},
                                                 {"border-buffers", "single"},
                                                 {"host-wait", "busy"},
                                                 {"minimum", "lagged"},
                                                 {"start", "progressive"},
                                                 {"start-blocks", "4"}};

// Options that determine where results are written and when a run ends, or that are not passed to
// other processes.
const Words others{"ranks",   "rank-timeout", "trace", "out",        "save",
                   "budget",  "resume",       "sort",  "order-seed", "process-index",
                   "dry-run", "all-rows",     "help",  "help-all"};

TEST_CASE("options written as words are read again", "[run_options]") {
    for (const Words& workload : {Words{}, Words{"--workload", "magflow"}}) {
        CLI::App app;
        RunOptions options;
        options.add_to(app, workload);
        for (const CLI::Option* option : app.get_options()) {
            const std::string name = option->get_lnames().front();
            if (std::ranges::find(others, name) != others.end()) continue;
            if (name == "workload" && !workload.empty()) continue;
            INFO("--" << name << ": words_of() has to write it, and this test a value for it");
            REQUIRE(unusual.contains(name));
            Words words = workload;
            words.push_back("--" + name);
            if (!unusual.at(name).empty()) words.push_back(unusual.at(name));
            CHECK(words_of(parsed(words)) == words);
        }
    }
}

TEST_CASE("a command has the options of the workload that it names", "[run_options]") {
    const auto has = [](const Words& words, const char* option) {
        CLI::App app;
        RunOptions options;
        options.add_to(app, words);
        return app.get_option_no_throw(option) != nullptr;
    };
    CHECK(has({}, "--rule"));
    CHECK_FALSE(has({}, "--tile"));
    CHECK_FALSE(has({"run", "--workload", "dog"}, "--rule"));
    CHECK(has({"run", "--tile", "2x2", "--workload", "magflow"}, "--tile"));
    CHECK(has({"run", "--workload=magflow"}, "--ground"));
    CHECK(has({"completion", "words", "--", "run", "--workload", "=", "magflow"}, "--refine"));
    CHECK_FALSE(has({"run", "--workload", "unknown"}, "--rule"));
    CHECK_THROWS_WITH(parsed({"--workload", "magflow", "--tile", "2x0"}),
                      "--tile 2x0 is not COLUMNSxROWS: write for example --tile 8x11");
}

TEST_CASE("usual options need no words", "[run_options]") {
    CHECK(words_of(parsed({})).empty());
    const Words several{"--param", "a=1", "--param", "b=2", "--variant", "x", "--variant", "y"};
    CHECK(words_of(parsed(several)) == several);
}

}  // namespace
}  // namespace camber::run_options_test
