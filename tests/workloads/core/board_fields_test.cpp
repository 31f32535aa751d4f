// Descriptions of a workload for kernels from files agree with its states and facts.
#include <algorithm>
#include <cstring>

#include "tests/catch.hpp"
#include "workloads/core/board_fields.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::board_fields_test {

TEST_CASE("the fields of a workload's rules are those of its states", "[candidate]") {
    int with_fields = 0;
    for (const auto& workload : workloads()) {
        for (const ElementType cell : workload->facts().cell_types) {
            const auto fields = board_fields(*workload, cell);
            CAPTURE(workload->name(), info(cell).name);
            if (fields.empty()) continue;
            ++with_fields;
            const State state = workload->initial({.size = {40, 30}, .cell = cell});
            for (const BoardField& field : fields) {
                CAPTURE(field.name);
                REQUIRE(state.has(field.name));
                CHECK(state.field(field.name).element() == field.element);
                CHECK(field.written == workload->writes(field.name));
            }
            CHECK(fields.size() == state.fields.size());
        }
    }
    CHECK(with_fields >= 9);
    CHECK(board_fields(*find_workload("magflow"), ElementType::float64).empty());
}

TEST_CASE("beyond the edge lies what the rules say", "[candidate]") {
    const auto outside = [](const char* workload, const char* name) {
        const auto fields = board_fields(*find_workload(workload), ElementType::float32);
        const auto field = std::ranges::find(fields, name, &BoardField::name);
        float value = 0;
        std::memcpy(&value, field->outside.data(), sizeof value);
        return value;
    };
    CHECK(outside("blur", "image") == 0);
    CHECK(outside("water_flow", "terrain") == 1e30f);
    CHECK(outside("surface_water", "depth") == 0);
    CHECK(outside("surface_water", "infiltration") == 1e30f);
}

TEST_CASE("a blur's weights are those of its sigma", "[candidate]") {
    const Workload& blur = *find_workload("blur");
    ParameterSet set(blur.facts().parameters);
    CHECK(rule_numbers(blur, set).at("weights").at(4) == 0.25);
    set.set("sigma", {100});
    CHECK(rule_numbers(blur, set).at("weights").at(4) == Approx(1.0 / 9).epsilon(0.001));
    CHECK(rule_numbers(*find_workload("dog_image"),
                       ParameterSet(find_workload("dog_image")->facts().parameters))
              .at("wide")
              .size() == 9);
}

}  // namespace camber::board_fields_test
