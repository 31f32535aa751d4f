// Techniques found in a user's file.
#include "harness/own/technique/technique_variants.hpp"

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "tests/catch.hpp"

namespace camber::technique_file_test {
namespace {

const std::filesystem::path techniques =
    std::filesystem::path(CAMBER_SOURCE_DIR) / "variants/techniques";

std::string rejected(const std::string& text) {
    try {
        technique_from("own.hpp", text);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "";
}

using Words = std::vector<std::string>;

// Files beside the techniques: lists of them, a part that the techniques of two workloads share,
// and a technique with sources of its own.
const std::set<std::string> lists_or_parts{"any_radius.hpp", "constant_stage.hpp", "in_place.hpp",
                                           "techniques.hpp"};

}  // namespace

TEST_CASE("every technique of camber is a technique's file", "[candidate][technique]") {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(techniques)) {
        const std::string file = entry.path().filename().string();
        if (lists_or_parts.count(file) != 0) continue;
        CAPTURE(file);
        CHECK(is_technique_file(entry.path()));
        const TechniqueFile read = read_technique(entry.path());
        CHECK_FALSE(read.structs.empty());
        CHECK(read.names.size() >= read.structs.size());
        ++count;
    }
    CHECK(count > 15);
    const TechniqueFile global = read_technique(techniques / "global.hpp");
    CHECK(global.structs == Words{"Global", "RowOnX"});
    CHECK(global.names == Words{"global", "transposed"});
    CHECK(global.kernels == Words{"global_kernel", "row_on_x_kernel"});
    CHECK(read_technique(techniques / "packed.hpp").names == Words{"packed", "two_element_packed"});
    CHECK(read_technique(techniques / "row_stream.hpp").kernels ==
          Words{"row_stream_kernel", "linked_row_stream_kernel", "staying_row_stream_kernel"});
}

TEST_CASE("several techniques of a file are found, templates and comments are not",
          "[candidate][technique]") {
    const TechniqueFile file = technique_from("own.hpp", R"(
// struct Old { static void add(Catalogue<Rule>& catalogue); };
struct One {
    static constexpr TechniqueInfo info{"one \"1\"", "", ""};
    template <class Rule>
    static void add( Catalogue <Rule>& catalogue) {
        if (true) { add(catalogue, 1); }
    }
    struct Inner { int x; };
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue, int) {}
};
template <int N>
struct Any {
    template <class Rule> static void add(Catalogue<Rule>& catalogue) {}
};
class Two final {
  public:
    static constexpr TechniqueInfo own_info {
        "two", "", ""};
    template <class Rule> static void add(Catalogue<Rule>&) {}
};
)");
    CHECK(file.structs == Words{"One", "Two"});
    REQUIRE(file.names.size() == 2);
    CHECK(file.names[1] == "two");
}

TEST_CASE("a file without a technique is refused", "[candidate][technique]") {
    CHECK_THAT(rejected("struct Shape {};\n"),
               contains("own.hpp has no technique: give a struct in it a function template"));
    CHECK_THAT(rejected("struct Own {\n    template <class Rule>\n"
                        "    static void add(Catalogue<Rule>& catalogue) {}\n};\n"),
               contains("own.hpp has a technique without a name: give its struct a member static "
                        "constexpr TechniqueInfo info{\"name\", ...}"));
    CHECK_THROWS_WITH(read_technique("/nowhere/own.hpp"), contains("/nowhere/own.hpp"));
}

TEST_CASE("the program has every function that a module's CUDA runtime is wrapped by",
          "[candidate][technique]") {
    const std::filesystem::path root = CAMBER_SOURCE_DIR;
    const std::string module =
        read_file(root / "harness/own/technique/technique_variants.cpp", "source", "text");
    const std::string runtime =
        read_file(root / "harness/machine/cuda/runtime_of_modules.cpp", "source", "text");
    const std::regex wrapped(R"re("((?:__)?cuda[A-Z]\w+)")re");
    int count = 0;
    for (auto name = std::sregex_iterator(module.begin(), module.end(), wrapped);
         name != std::sregex_iterator(); ++name, ++count) {
        CAPTURE(name->str(1));
        CHECK_THAT(runtime, contains("__wrap_" + name->str(1) + "("));
    }
    CHECK(count == 10);
}

}  // namespace camber::technique_file_test
