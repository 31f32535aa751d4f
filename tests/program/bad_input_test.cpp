// Rejected input: exit code, and one sentence that names the option, the value and the remedy,
// without any other output.
#include <algorithm>
#include <regex>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace bad_input_test {

namespace {

using namespace camber::cli_test;

constexpr int usage = 2;
constexpr int unavailable = 5;

struct BadInput {
    Arguments arguments;
    int exit_code;
    std::vector<std::string> named;  // required parts of the sentence
};

std::string pattern(const std::string& name) {
    return (source_folder / "workloads/life/patterns" / (name + ".rle")).string();
}

std::string joined(const Arguments& arguments) {
    std::string text = "camber";
    for (const std::string& argument : arguments) text += " '" + argument + "'";
    return text;
}

void check_rejected(const TestFolder& folder, const BadInput& input) {
    const auto entries = folder.entries();
    const Outcome outcome = run_program(input.arguments, folder.path());
    INFO(joined(input.arguments) << "\n" << outcome.err);
    CHECK(outcome.signal == 0);
    CHECK(outcome.exit_code == input.exit_code);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("camber: "));
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK(outcome.err.ends_with('\n'));
    for (const std::string& part : input.named) CHECK_THAT(outcome.err, contains(part));
    CHECK(folder.entries() == entries);
}

void check_rejected(const std::vector<BadInput>& inputs) {
    const TestFolder folder;
    for (const BadInput& input : inputs) check_rejected(folder, input);
}

}  // namespace

TEST_CASE("an impossible size is rejected", "[cli][bad input]") {
    const std::vector<std::string> range{"columns and rows must be between 1 and "};
    const std::vector<std::string> form{"is not COLUMNSxROWS", "for example 1600x1200"};
    std::vector<BadInput> inputs;
    for (const std::string size :
         {"0x5", "5x0", "-1x5", "5x-1", "1000000000x1000000000", "2147483648x1"}) {
        inputs.push_back({{"run", "--size", size}, usage, range});
        inputs.back().named.push_back("size " + size);
        inputs.push_back({{"run", "--size=" + size}, usage, range});
    }
    for (const std::string size : {"abc", "5x", "x5", "x", "5", "5x5x5", "1.5x2", "+5x5", " 5x5",
                                   "5X5", "99999999999999999999x1"}) {
        inputs.push_back({{"run", "--size", size}, usage, form});
        inputs.back().named.push_back("'" + size + "'");
    }
    inputs.push_back({{"run", "--size", ""}, usage, {"--size", "empty"}});
    inputs.push_back({{"run", "--size"}, usage, {"--size", "camber run --help"}});
    inputs.push_back({{"run", "--size", "5x5", "--size", "6x6"}, usage, {"--size"}});
    check_rejected(inputs);
}

TEST_CASE("a division that cannot be is rejected", "[cli][bad input][group]") {
    std::vector<BadInput> inputs;
    const auto add = [&](const Arguments& words, const std::vector<std::string>& named) {
        inputs.push_back(
            {with({"run", "--backend", "simt", "--size", "40x30"}, words), usage, named});
    };
    for (const std::string number : {"0", "-1", "9999", "two"})
        add({"--gpus", number}, {"--gpus", number, "not in range", "1024", "camber run --help"});
    for (const std::string devices : {"0,0,x", "0,0,", ",", "0,-1"})
        add({"--devices", devices}, {"--devices " + devices, "write for example --devices 0,1"});
    for (const std::string weights : {"1,-1", "0,1", "1,", "99999999999,1"})
        add({"--gpus", "2", "--weights", weights},
            {"--weights " + weights, "write for example --weights 1,2"});
    add({"--gpus", "2", "--weights", "multiprocessors"},
        {"--weights multiprocessors counts those of the GPUs of one process: give a number for "
         "each place instead"});
    add({"--gpus", "2", "--weights", "1"}, {"--weights 1 has 1 number for 2 GPUs"});
    add({"--gpus", "2", "--exchange", "nosuch"}, {"exchange 'nosuch' is unknown", "copies"});
    for (const std::string depth : {"0", "65"})
        add({"--gpus", "2", "--halo-depth", depth}, {"--halo-depth", depth, "not in range", "64"});
    for (const std::string edge : {"0", "1", "third", "3x"})
        add({"--gpus", "2", "--edge", edge},
            {"--edge " + edge + " is neither a number from 2 to 1048576 nor sent"});
    add({"--gpus", "2", "--balance", "fair"}, {"--balance", "fair", "{published,improved}"});
    for (const std::string number : {"0", "-3", "often"})
        for (const std::string option : {"--balance-every", "--balance-rows"})
            add({"--gpus", "2", "--balance", "improved", option, number}, {option, number});
    for (const std::string number : {"0", "-1", "x", "1e9"})
        add({"--gpus", "2", "--balance", "published", "--balance-threshold", number},
            {"--balance-threshold", number});
    add({"--gpus", "2", "--balance-threshold", "0.25"},
        {"--balance-threshold 0.25 applies to --balance only: give that, too"});
    add({"--gpus", "2", "--divide-by", "weight"},
        {"--divide-by", "weight", "{work,particles,start}"});
    add({"--gpus", "2", "--divide-by", "start"},
        {"--divide-by start is for particles", "choose --workload sph"});
    add({"--gpus", "2", "--balance-rows", "4"},
        {"--balance-rows 4 applies to --balance only: give that, too"});
    add({"--balance", "improved"}, {"--balance applies to a board that several GPUs divide"});
    add({"--gpus", "2", "--balance", "improved", "--graph"},
        {"--balance improved moves rows while the GPUs work, and a graph is replayed as it is"});
    add({"--gpus", "2", "--start", "one"}, {"--start", "one", "{all,progressive}"});
    add({"--gpus", "2", "--start", "progressive"},
        {"--start progressive goes by a box of cells at work that grows, and no variant of life "
         "has one whose rows GPUs share: leave it out, or choose --workload magflow"});
    add({"--start", "progressive"}, {"--start applies to a board that several GPUs divide"});
    add({"--gpus", "2", "--start-blocks", "4"},
        {"--start-blocks 4 applies to --start progressive only: give that, "
         "too"});
    for (const std::string number : {"0", "-3", "many"})
        add({"--gpus", "2", "--start", "progressive", "--start-blocks", number},
            {"--start-blocks", number});
    const std::vector<std::pair<std::string, std::string>> not_with_start{
        {"--partition", "columns"},
        {"--balance", "improved"},
        {"--halo-depth", "2"},
        {"--exchange", "kernel"},
        {"--exchange", "persistent"}};
    for (const auto& [option, value] : not_with_start)
        add({"--gpus", "2", "--workload", "magflow", "--start", "progressive", option, value},
            {option + " " + value + " does not go with --start progressive: ",
             "leave out one of the two"});
    add({"--gpus", "2", "--workload", "magflow", "--start", "progressive", "--graph"},
        {"--start progressive divides rows anew while the GPUs work, and a graph is replayed as it "
         "is"});
    add({"--gpus", "2", "--exchange", "persistent", "--graph"},
        {"--exchange persistent has one launch for all generations, and a graph is replayed as it "
         "is"});
    add({"--gpus", "2", "--overlap", "maybe"}, {"--overlap", "maybe", "{on,off,both}"});
    add({"--gpus", "2", "--cache", "cold"},
        {"--cache cold is measured on one GPU only: leave out --cache or --gpus"});
    add({"--gpus", "2", "--counters", "memory"},
        {"--counters memory is measured on one GPU only: leave out --counters or --gpus"});
    add({"--rank-timeout", "0"}, {"--rank-timeout", "not in range", "0.1"});
    for (const std::string budget : {"nonsense", "-5s", "0", "nan"})
        add({"--budget", budget}, {"--budget", "'" + budget + "'", "for example 90s, 20m or 1h"});
    check_rejected(inputs);
    check_rejected({{{"run", "--backend", "simt", "--trace", "/dev/full"},
                     unavailable,
                     {"the trace \"/dev/full\"", "choose another path"}}});
}

TEST_CASE("a board beyond the memory is rejected with both numbers", "[cli][bad input]") {
    const TestFolder folder;
    for (const std::string backend : {"simt", "cpu"})
        for (const std::string size : {"3000000x3000000", "30000000x30000000"}) {
            const Arguments arguments{"run", "--backend", backend, "--size", size};
            check_rejected(folder, {arguments, unavailable, {size, "smaller --size"}});
            const std::string sentence = run_program(arguments, folder.path()).err;
            std::smatch numbers;
            REQUIRE(std::regex_search(
                sentence, numbers,
                std::regex(R"(needs (\d+) bytes of memory, but (\d+) are available)")));
            CHECK(std::stoull(numbers[1]) > std::stoull(numbers[2]));
            CHECK(std::stoull(numbers[2]) > 0);
        }
}

TEST_CASE("an unknown name is rejected with the known ones", "[cli][bad input]") {
    check_rejected({
        {{"run", "--workload", "lfe"}, usage, {"workload 'lfe'", "choose life"}},
        {{"run", "--workload", ""}, usage, {"workload ''", "choose life"}},
        {{"run", "--backend", "gpu"}, usage, {"backend 'gpu'", "auto, cuda, simt or cpu"}},
        {{"run", "--backend", "simt", "--counters", "memory"},
         usage,
         {"--counters memory", "needs a GPU", "simt"}},
        {{"run", "--cell", "float"}, usage, {"no float cells", "uint32 or uint8 or bits"}},
        {{"run", "--cell", "int32"}, usage, {"life has no int32 cells", "uint32 or uint8 or bits"}},
        {{"run", "--boundary", "tor"}, usage, {"boundary 'tor'", "dead or torus"}},
        {{"run", "--variant", "sharedtile/16x16"},
         usage,
         {"'sharedtile/16x16'", "did you mean shared_tile/16x16/", "camber list variants"}},
        {{"run", "--variant", "hallo/*"}, usage, {"'hallo/*'", "did you mean halo/*"}},
        {{"run", "--variant", "life/golbal/16x16"},
         usage,
         {"'life/golbal/16x16'", "did you mean global/16x16"}},
        {{"run", "--variant", "zzzz*"}, usage, {"'zzzz*'", "camber list variants"}},
        {{"run", "--variant", ""}, usage, {"''", "camber list variants"}},
        // A matching glob does not excuse one without matches.
        {{"run", "--variant", "global/*", "--variant", "nothing"}, usage, {"'nothing'"}},
        {{"run", "--backend", "cpu", "--variant", "global/16x16"},
         usage,
         {"backend cpu", "'global/16x16'"}},
        {{"list", "variant"}, usage, {"variant", "workloads,variants,steps,backends"}},
    });
}

TEST_CASE("a number out of range is rejected", "[cli][bad input]") {
    check_rejected({
        {{"run", "--generations", "0"}, usage, {"--generations", "0 not in range"}},
        {{"run", "--generations", "-1"}, usage, {"--generations", "-1 not in range"}},
        {{"run", "--generations", "abc"}, usage, {"--generations", "abc"}},
        {{"run", "--generations", "99999999999"}, usage, {"--generations", "99999999999"}},
        {{"run", "--density", "2"}, usage, {"density 2", "0 to 1"}},
        {{"run", "--density", "-0.1"}, usage, {"density -0.1", "0 to 1"}},
        {{"run", "--density", "nan"}, usage, {"density nan", "0 to 1"}},
        {{"run", "--density", "half"}, usage, {"--density", "half"}},
        {{"run", "--seed", "-1"},
         usage,
         {"--seed: '-1' is no whole number from 0 to 184467440737"}},
        {{"run", "--seed", "18446744073709551616"}, usage, {"--seed", "18446744073709551616"}},
        {{"check", "--seed", "18446744073709551616"}, usage, {"--seed", "18446744073709551616"}},
        {{"model", "--seed", "1.5"}, usage, {"--seed", "1.5"}},
        {{"compare", "--seed", "-1", "a", "b"}, usage, {"--seed: '-1' is no whole number"}},
        {{"run", "--order-seed", "18446744073709551616"}, usage, {"--order-seed"}},
        {{"run", "--sample-seconds", "nan"}, usage, {"--sample-seconds: 'nan' is no number from"}},
        {{"run", "--sample-seconds", "61"}, usage, {"--sample-seconds", "61"}},
        {{"model", "--arch", "sm_999"}, usage, {"'sm_999'", "no GPU has"}},
        {{"reproduce", "topa-1", "--size", "0x3"}, usage, {"size 0x3 is impossible"}},
        {{"reproduce", "topa-1", "--size", "3x3"}, usage, {"--size", "nothing is measured"}},
        {{"reproduce", "--predict"}, usage, {"--predict needs a TABLE"}},
        {{"run", "--seed", "one"}, usage, {"--seed", "one"}},
        {{"run", "--device", "-1"}, usage, {"--device", "-1"}},
        {{"run", "--threads", "0"}, usage, {"--threads", "0 not in range"}},
    });
}

TEST_CASE("options that contradict each other are rejected", "[cli][bad input]") {
    const std::string glider = pattern("glider");
    const std::string eruption = (source_folder / "examples/eruption").string();
    const Arguments blur{"run", "--workload", "blur", "--size", "9x9"};
    const auto with = [&](Arguments more) {
        Arguments arguments = blur;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    };
    check_rejected({
        {with({"--param", "sigma=1", "--param", "sigma=2"}), usage, {"'sigma'", "given twice"}},
        {with({"--param", "sigma=1", "--param", "weights=1,1,1,1,1,1,1,1,1"}),
         usage,
         {"sigma and weights", "leave out one"}},
        {{"run", "--pattern", glider, "--seed", "3"}, usage, {"--seed", glider, "leave out"}},
        {{"run", "--pattern", glider, "--density", "0.3"}, usage, {"--density", glider}},
        {{"run", "--workload", "sciara_fv2", "--input", eruption, "--seed", "3"},
         usage,
         {"--seed", "add lava with --density"}},
    });
}

TEST_CASE("a pattern that cannot be placed is rejected", "[cli][bad input]") {
    const std::string glider = pattern("glider");
    const std::vector<std::string> form{"is not COLUMN,ROW", "--at 10,20"};
    check_rejected({
        {{"run", "--at", "1,1"}, usage, {"--at", "--input"}},
        {{"run", "--pattern", glider, "--at", "1"}, usage, form},
        {{"run", "--pattern", glider, "--at", "1,2,3"}, usage, form},
        {{"run", "--pattern", glider, "--at", "a,b"}, usage, form},
        {{"run", "--pattern", glider, "--at", ""}, usage, {"--at", "empty"}},
        {{"run", "--pattern", glider, "--size", "2x2"},
         usage,
         {"glider.rle", "3x3", "2x2", "larger --size"}},
        {{"run", "--pattern", pattern("gosper_glider_gun"), "--size", "30x30"}, usage, {"30x30"}},
        {{"run", "--pattern", glider, "--size", "9x9", "--at", "7,0"}, usage, {"at 7,0"}},
        {{"run", "--pattern", glider, "--size", "9x9", "--at", "0,7"}, usage, {"at 0,7"}},
        {{"run", "--pattern", glider, "--size", "9x9", "--at", "-1,0"}, usage, {"at -1,0"}},
        {{"run", "--pattern", glider, "--size", "9x9", "--at", "9223372036854775807,0"},
         usage,
         {"at 9223372036854775807,0"}},
        {{"run", "--pattern", glider, "--size", "9x9", "--at", "0,9223372036854775806"},
         usage,
         {"at 0,9223372036854775806"}},
    });
}

TEST_CASE("a pattern file that cannot be read is rejected with place and reason",
          "[cli][bad input]") {
    const TestFolder folder;
    write_text(folder / "state.rle", "x = 3, y = 3\nbob$q!\n");
    write_text(folder / "header.rle", "bob$2bo$3o!\n");
    write_text(folder / "rule.rle", "x = 3, y = 3, rule = B39/S23\nbob$2bo$3o!\n");
    write_text(folder / "wide.rle", "x = 3, y = 3\nbob$4o$3o!\n");
    write_text(folder / "huge.rle", "x = 99999999999999999999, y = 3\no!\n");
    write_text(folder / "empty.rle", "");
    write_text(folder / "bytes.rle", std::string("\0\xff\x01", 3));
    const auto rejected = [&](const std::string& file, std::vector<std::string> named) {
        check_rejected(folder, {{"run", "--pattern", file}, usage, std::move(named)});
    };
    rejected("state.rle", {"state.rle:2:5:", "'q'", "multi-state"});
    rejected("header.rle", {"header.rle:1:1:", "header"});
    rejected("rule.rle", {"rule.rle:1:22:", "B39/S23", "nine neighbours"});
    rejected("wide.rle", {"wide.rle:2:"});
    rejected("huge.rle", {"huge.rle:1:5:", "too large"});
    rejected("empty.rle", {"empty.rle:1:1:", "end of the file"});
    rejected("bytes.rle", {"bytes.rle:1:1:", "0x00"});
    rejected("absent.rle", {"\"absent.rle\"", "No such file", "check its path"});
    rejected(".", {"\".\"", "directory"});
    rejected("/proc/self/mem", {"/proc/self/mem", "Input/output error"});
    rejected("", {"--input", "empty"});
}

TEST_CASE("an output file that cannot be written is rejected before the run", "[cli][bad input]") {
    const TestFolder folder;
    fs::create_directory(folder / "folder");
    write_text(folder / "file", "text");
    // With a board that would take long if it were started.
    const auto rejected = [&](const Arguments& outputs, std::vector<std::string> named,
                              int exit_code = unavailable) {
        Arguments arguments{"run", "--backend", "simt", "--size", "2000x2000"};
        arguments.insert(arguments.end(), outputs.begin(), outputs.end());
        check_rejected(folder, {arguments, exit_code, std::move(named)});
    };
    rejected({"--out", "absent/r.json"}, {"\"absent/r.json\"", "create the folder"});
    rejected({"--out", "folder"}, {"\"folder\"", "directory", "file in that folder"});
    rejected({"--out", "file/r.json"}, {"Not a directory"});
    rejected({"--out", "/dev/full"}, {"/dev/full", "choose another path"});
    rejected({"--out", ""}, {"--out", "empty"}, usage);
    rejected({"--save", "absent/b.rle"}, {"\"absent/b.rle\"", "No such file", "create the folder"});
    rejected({"--save", "folder"}, {"\"folder\"", "directory", "file in that folder"});
    rejected({"--save", "file/b.rle"}, {"\"file/b.rle\"", "Not a directory"});
    rejected({"--save", ""}, {"--save", "empty"}, usage);
    rejected({"--save", "./one", "--out", "one"}, {"--out", "--save", "same file", "choose two"},
             usage);
    for (const std::string workload :
         {"blur", "gaussian", "dog", "dog_image", "extrema", "extrema_stack"})
        rejected({"--workload", workload, "--save", "out.jpg"},
                 {"out.jpg", "suffix .jpg", ".pgm or .png"}, usage);
    rejected({"--workload", "blur", "--save", "absent/out.png"},
             {"\"absent/out.png\"", "No such file", "create the folder"});
    rejected({"--out", "-"}, {"--out", "'-' is no file"}, usage);
    rejected({"--save", "-"}, {"--save", "'-' is no file"}, usage);
    CHECK(text_of(folder / "file") == "text");
    CHECK(fs::is_empty(folder / "folder"));
}

TEST_CASE("the check of an output file leaves it as it is", "[cli][bad input]") {
    const TestFolder folder;
    write_text(folder / "board.rle", "old board");
    write_text(folder / "results.json", "old results");
    const auto fails_later = [&](const std::string& board, const std::string& results) {
        check_rejected(folder,
                       {{"run", "--pattern", "absent.rle", "--save", board, "--out", results},
                        usage,
                        {"absent.rle"}});
    };
    fails_later("board.rle", "results.json");
    fails_later("new.rle", "new.json");
    CHECK(text_of(folder / "board.rle") == "old board");
    CHECK(text_of(folder / "results.json") == "old results");
}

TEST_CASE("cuda without a GPU is refused with the alternatives", "[cli][bad input]") {
    check_rejected({
        {{"run", "--backend", "cuda"}, unavailable, {"--backend simt or cpu"}},
        {{"run", "--backend", "cuda", "--device", "7"}, unavailable, {"--backend simt or cpu"}},
    });
}

TEST_CASE("a command line that means nothing is rejected with a hint to --help",
          "[cli][bad input]") {
    check_rejected({
        {{}, usage, {"no command", "profile or ", "camber --help"}},
        {{"bogus"}, usage, {"'bogus'", "profile or ", "camber --help"}},
        {{"--bogus"}, usage, {"'--bogus'", "camber --help"}},
        {{"run", "--bogus"}, usage, {"'--bogus'", "camber run --help"}},
        {{"run", "--sise", "5x5"}, usage, {"'--sise'", "camber run --help"}},
        {{"run", "extra"}, usage, {"'extra'", "camber run --help"}},
        {{"list", "workloads", "extra"}, usage, {"extra", "camber list --help"}},
        {{"list", "bogus"}, usage, {"bogus", "camber list --help"}},
        {{"run", "--variant"}, usage, {"--variant", "camber run --help"}},
    });
}

TEST_CASE("a wrong flag of Google Benchmark is rejected", "[cli][bad input]") {
    check_rejected({
        {{"run", "--benchmark_bogus=1"}, usage, {"--benchmark_bogus=1", "Google Benchmark"}},
        {{"run", "--benchmark_format=csv"}, usage, {"--benchmark_format=csv", "camber report"}},
        {{"run", "--benchmark_out=x.json"}, usage, {"--benchmark_out=x.json", "--out"}},
        {{"run", "--benchmark_filter"}, usage, {"--benchmark_filter"}},
        {{"run", "--benchmark_filter=zzz", "--quick"},
         usage,
         {"--benchmark_filter", "life/global/16x16/"}},
        {{"run", "--benchmark_filter=(", "--quick"}, usage, {"--benchmark_filter", "("}},
        {{"run", "--benchmark_repetitions=abc"}, usage, {"--benchmark_repetitions=abc"}},
        {{"run", "--benchmark_repetitions=0"}, usage, {"--benchmark_repetitions=0"}},
        {{"run", "--benchmark_repetitions=-3"}, usage, {"--benchmark_repetitions=-3"}},
    });
}

}  // namespace bad_input_test
