// Page of techniques for test registries.
#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "harness/cli/list/listings.hpp"
#include "tests/catch.hpp"
#include "tests/kept_text.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::technique_matrix_test {

namespace {

void add(Registry& registry, const std::string& workload, const std::string& technique,
         const std::string& path, ElementType cell = ElementType::float32,
         Backend backend = Backend::simt) {
    Variant variant;
    variant.info.workload = workload;
    variant.info.cell = cell;
    variant.info.technique = {kept(technique), kept("how " + technique + " works"), "Author 2011"};
    variant.info.shape.path = path;
    variant.factories[backend] = {};
    registry.add(std::move(variant));
}

void add_composer(Registry& registry, const std::string& workload,
                  const std::vector<std::string>& choices,
                  const std::vector<std::string_view>& techniques,
                  Backend backend = Backend::simt) {
    registry.add(
        Composer{workload, ElementType::float32, backend, {{"step", choices, techniques}}, {}});
}

// Line of the table that begins with `label`.
std::string line(const std::string& page, const std::string& label) {
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(label + " ")) return line;
    return "";
}

// Cells of a technique's row; the first is its name. Cells end where their headings end.
std::vector<std::string> row(const std::string& page, const std::string& technique) {
    const std::string headings = line(page, "technique");
    const std::string found = line(page, technique);
    if (found.empty()) return {};
    std::vector<std::string> cells{technique};
    std::size_t begin = headings.find_first_of(' ');
    while (begin < headings.size()) {
        const std::size_t end =
            std::min(headings.find(' ', headings.find_first_not_of(' ', begin)), headings.size());
        const std::string cell =
            begin < found.size() ? found.substr(begin, end - begin) : std::string();
        const auto first = cell.find_first_not_of(' ');
        cells.push_back(first == std::string::npos ? "" : cell.substr(first));
        begin = end;
    }
    return cells;
}

// Column index of a workload.
std::size_t column(const std::string& page, const std::string& workload) {
    const auto names = row(page, "technique");
    const auto found = std::ranges::find(names, workload);
    REQUIRE(found != names.end());
    return static_cast<std::size_t>(found - names.begin());
}

// A row of the page with these cells in the columns of these workloads, and `other` in all others.
std::vector<std::string> expected(const std::string& page, const std::string& label,
                                  const std::map<std::string, std::string>& cells,
                                  const std::string& other = "") {
    std::vector<std::string> row(workloads().size() + 1, other);
    row.front() = label;
    for (const auto& [workload, cell] : cells) row[column(page, workload)] = cell;
    return row;
}

TEST_CASE("the page counts variants of the default cell type, in order of registration",
          "[matrix]") {
    Registry registry;
    add(registry, "blur", "beta", "16x16");
    add(registry, "life", "beta", "16x16", ElementType::uint32);
    add(registry, "life", "beta", "64x4", ElementType::uint32);
    add(registry, "life", "beta", "64x4", ElementType::uint8);
    add(registry, "life", "alpha", "64x4", ElementType::uint32);
    add(registry, "life", "reference", "serial", ElementType::uint32, Backend::cpu);
    const std::string page = technique_matrix(registry);
    std::vector<std::string> names{"technique"};
    for (const auto& workload : workloads()) names.emplace_back(workload->name());
    CHECK(row(page, "technique") == names);
    CHECK(row(page, "all") == expected(page, "all", {{"life", "3"}, {"blur", "1"}}, "0"));
    CHECK(page.find("`beta`") < page.find("`alpha`"));
    CHECK(page.find("reference") == std::string::npos);
    CHECK_THAT(page, contains("\n- life, blur: `beta`\n"));
    CHECK_THAT(page, contains("\n- life: `alpha`\n"));
    CHECK(page.find("Reasons for excluding") == std::string::npos);
}

TEST_CASE("techniques of more than three workloads have a row", "[matrix]") {
    Registry registry;
    for (const char* workload : {"blur", "gaussian", "dog", "extrema"})
        add(registry, workload, "alpha", "16x16");
    for (const char* workload : {"blur", "gaussian", "dog"})
        add(registry, workload, "beta", "16x16");
    const std::string page = technique_matrix(registry);
    CHECK(row(page, "alpha") ==
          expected(page, "alpha",
                   {{"blur", "yes"}, {"gaussian", "yes"}, {"dog", "yes"}, {"extrema", "yes"}}));
    CHECK_THAT(page, contains("- `alpha`: how alpha works\n"));
    CHECK(row(page, "beta").empty());
    CHECK_THAT(page, contains("\n- blur, gaussian, dog: `beta`\n"));
}

TEST_CASE("a technique that the default cell type lacks is counted of the first type that has it",
          "[matrix]") {
    Registry registry;
    add(registry, "life", "halo", "16x16", ElementType::uint32);
    add(registry, "life", "byte_sums", "32x4", ElementType::uint8);
    add(registry, "life", "byte_sums", "64x4", ElementType::uint8);
    const std::string page = technique_matrix(registry);
    CHECK(row(page, "all")[1] == "3");
    CHECK_THAT(page, contains("\n- life: `halo`, `byte_sums`\n"));
}

TEST_CASE("the page says why a technique was left out, each reason once", "[matrix]") {
    Registry registry;
    add(registry, "life", "alpha", "16x16", ElementType::uint32);
    add(registry, "life", "beta", "16x16", ElementType::uint32);
    registry.leave_out("blur", "alpha", "does this");
    registry.leave_out("dog", "alpha", "does that");
    registry.leave_out("extrema", "beta", "does this");
    const std::string page = technique_matrix(registry);
    CHECK(row(page, "alpha") ==
          expected(page, "alpha", {{"life", "yes"}, {"blur", "a"}, {"dog", "b"}}));
    CHECK(row(page, "beta") == expected(page, "beta", {{"life", "yes"}, {"extrema", "a"}}));
    CHECK_THAT(page, contains("\n- **a**: it does this.\n- **b**: it does that.\n"));
}

TEST_CASE("the page counts techniques that only single steps have", "[matrix]") {
    Registry registry;
    add(registry, "water_flow", "halo", "64x4");
    for (const Backend backend : {Backend::simt, Backend::cuda})
        add_composer(registry, "water_flow", {"halo/64x4/align128", "spread/16x16", "spread/8x8"},
                     {"halo", "spread", "spread"}, backend);
    const std::string page = technique_matrix(registry);
    const std::size_t water_flow = column(page, "water_flow");
    CHECK(row(page, "all").at(water_flow) == "1");
    CHECK_THAT(page, contains("\n- water_flow: `halo`, `spread`\n"));
}

TEST_CASE("the page is the same where the device has the kernels too", "[matrix]") {
    Registry host;
    Registry both;
    for (Registry* registry : {&host, &both}) add(*registry, "blur", "halo", "64x4");
    add(both, "blur", "halo", "64x4", ElementType::float32, Backend::cuda);
    CHECK(technique_matrix(host) == technique_matrix(both));
}

}  // namespace
}  // namespace camber::technique_matrix_test
