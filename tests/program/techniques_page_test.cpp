// docs/techniques.md equals the output of `camber list --matrix`.
#include <algorithm>
#include <set>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "workloads/list/workloads.hpp"

namespace techniques_page_test {

namespace {

using namespace camber::cli_test;

}  // namespace

TEST_CASE("the page of techniques is the program's own", "[cli][portable][list]") {
    const TestFolder folder;
    const Outcome outcome = run_program({"list", "--matrix"}, folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    const auto printed = lines_of(outcome.out);
    const auto page = lines_of(text_of(source_folder / "docs/techniques.md"));
    INFO("renew the page: ./camber list --matrix > docs/techniques.md");
    CHECK(printed.size() == page.size());
    for (std::size_t i = 0; i < std::min(printed.size(), page.size()); ++i)
        CHECK(printed[i] == page[i]);
    CHECK(outcome.out.ends_with('\n'));
    CHECK_THAT(outcome.out,
               contains("renew it with `./camber list --matrix > docs/techniques.md`"));
}

TEST_CASE("the page of techniques counts the listed variants", "[cli][portable][list]") {
    const TestFolder folder;
    const auto lines = lines_of(run_program({"list", "--matrix"}, folder.path()).out);
    const auto all = std::ranges::find_if(
        lines, [](const std::string& line) { return line.starts_with("all "); });
    REQUIRE(all != lines.end());
    int counted = 0;
    std::istringstream cells(all->substr(3));
    for (int cell; cells >> cell;) counted += cell;
    std::size_t listed = 0;
    for (const auto& workload : camber::workloads()) {
        std::set<std::string> known;  // techniques of the previous cell types
        for (const camber::ElementType cell : workload->facts().cell_types) {
            std::set<std::string> found;
            for (const std::string& variant : listed_variants(
                     "simt", std::string(workload->name()), std::string(camber::info(cell).name))) {
                const std::size_t start = variant.find('/') + 1;
                const std::string technique =
                    variant.substr(start, variant.find('/', start) - start);
                found.insert(technique);
                listed += known.contains(technique) ? 0 : 1;
            }
            known.merge(found);
        }
    }
    CHECK(counted == static_cast<int>(listed));
}

TEST_CASE("the page of techniques is not one of the lists", "[cli][portable][list]") {
    const TestFolder folder;
    const Outcome outcome = run_program({"list", "variants", "--matrix"}, folder.path());
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, contains("--matrix"));
}

}  // namespace techniques_page_test
