// The ranked table: which columns it has.
#include "harness/cli/table.hpp"

#include "tests/catch.hpp"

namespace camber {
namespace {

using Json = nlohmann::ordered_json;

// A timed case of 10^9 cells per second whose algorithm must move 32 bytes per cell.
Json timed(const std::string& variant) {
    return {{"run_name", variant},
            {"real_time", 1000.0},
            {"camber",
             {{"variant", variant},
              {"status", "ok"},
              {"backend", "cuda"},
              {"cache", "hot"},
              {"submission", "stream"},
              {"verification", {{"status", "passed"}}},
              {"derived",
               {{"cells_per_second", 1e9},
                {"application_bandwidth_bytes_per_second", 32e9},
                {"share_of_copy", 0.16},
                {"speedup_vs_baseline", 1.0}}}}}};
}

Json with_steps(const std::string& variant, double bytes, const Json& share) {
    Json json = timed(variant);
    json["camber"]["derived"]["step_bytes_per_cell"] = bytes;
    json["camber"]["derived"]["step_share_of_copy"] = share;
    return json;
}

std::string table_of(const std::vector<Json>& cases) {
    return ranking(
        {{"context", {{"camber", {{"ceilings", Json::object()}}}}}, {"benchmarks", cases}});
}

TEST_CASE("the table shows what steps move where it is not what the algorithm must", "[table]") {
    const std::string text =
        table_of({with_steps("w/fused", 16, 0.08), with_steps("w/two", 32, 0.16),
                  with_steps("w/cpu", 32, nullptr), timed("w/old")});
    CHECK_THAT(text, contains("  of copy    steps   speedup  verified\n"));
    CHECK_THAT(text, contains(" 16.0 %    8.0 %     1.00x  yes\n"));
    CHECK_THAT(text, contains(" 16.0 %   16.0 %     1.00x  yes\n"));
    CHECK_THAT(text, contains(" 16.0 %        -     1.00x  yes\n"));
}

TEST_CASE("the table has no such column where steps move what the algorithm must", "[table]") {
    for (const auto& cases : {std::vector{timed("w/a"), timed("w/b")},
                              std::vector{with_steps("w/a", 32, 0.16), timed("w/b")}}) {
        const std::string text = table_of(cases);
        CHECK_THAT(text, contains("  of copy   speedup  verified\n"));
        CHECK_THAT(text, contains(" 16.0 %     1.00x  yes\n"));
    }
}

}  // namespace
}  // namespace camber
