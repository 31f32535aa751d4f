#include "workloads/list/board_fields.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "workloads/blur/rule.hpp"
#include "workloads/dog/rule.hpp"
#include "workloads/extrema/extrema.hpp"
#include "workloads/extrema/rule.hpp"
#include "workloads/larger_than_life/rule.hpp"
#include "workloads/life/rule.hpp"
#include "workloads/real_cells.hpp"
#include "workloads/surface_water/rules.hpp"
#include "workloads/water_flow/rules.hpp"

namespace camber {

namespace {

// Adds what a rule reads and writes to the fields that are known already.
template <class Rule>
void add_fields_of(std::vector<BoardField>& fields) {
    const auto named = [&](const char* name, ElementType element) -> BoardField& {
        const auto found = std::ranges::find(fields, name, &BoardField::name);
        if (found != fields.end()) return *found;
        return fields.emplace_back(BoardField{name, element, {}, false, false});
    };
    Rule::Inputs::for_each([&]<class Tag>(Tag) {
        const typename Tag::Type outside = Tag::outside();
        BoardField& field = named(Tag::field, element_of<typename Tag::Type>());
        std::memcpy(field.outside.data(), &outside, sizeof outside);
        field.read = true;
    });
    Rule::Outputs::for_each([&]<class Tag>(Tag) {
        named(Tag::field, element_of<typename Tag::Type>()).written = true;
    });
}

template <class... Rules>
std::vector<BoardField> fields_of_rules() {
    std::vector<BoardField> fields;
    (add_fields_of<Rules>(fields), ...);
    return fields;
}

template <std::size_t n>
std::vector<double> numbers(const float (&values)[n]) {
    return {std::begin(values), std::end(values)};
}

}  // namespace

std::vector<BoardField> board_fields(const Workload& workload, ElementType cell) {
    if (const auto* const own = dynamic_cast<const HasBoardFields*>(&workload))
        return own->fields();
    const std::string_view name = workload.name();
    if (name == "life" && cell == ElementType::uint32)
        return fields_of_rules<Life<std::uint32_t>>();
    if (name == "life") {
        std::vector<BoardField> fields = fields_of_rules<Life<std::uint8_t>>();
        for (BoardField& field : fields) field.element = cell;  // a byte of any type
        return fields;
    }
    if (name == "larger_than_life") return fields_of_rules<LargerThanLife>();
    if (name == "blur") return fields_of_rules<Blur>();
    if (name == "dog") return fields_of_rules<Difference>();
    if (name == "dog_image") return fields_of_rules<FusedDog>();
    if (name == "extrema") return fields_of_rules<Extrema>();
    if (name == "extrema_stack") return fields_of_rules<ExtremaStack<stack_layers>>();
    if (name == "surface_water")
        return with_real_type(cell, []<class R>(R) {
            return fields_of_rules<surface_water::Rain<R>, surface_water::Infiltration<R>,
                                   surface_water::Flow<R>>();
        });
    if (name == "water_flow")
        return with_real_type(
            cell, []<class R>(R) { return fields_of_rules<water_flow::WaterFlowStep<R>>(); });
    return {};
}

std::map<std::string, std::vector<double>, std::less<>> rule_numbers(const Workload& workload,
                                                                     const ParameterSet& set) {
    auto all = set.all();
    if (workload.name() == "larger_than_life") {
        const auto rule = LargerThanLife::parameters(set);
        const auto ends = [](Interval interval) {
            return std::vector<double>{1.0 * interval.least, 1.0 * interval.most};
        };
        all["radius"] = {1.0 * rule.radius};
        all["birth"] = ends(rule.birth);
        all["survival"] = ends(rule.survival);
    }
    if (workload.name() == "blur") all["weights"] = numbers(Blur::parameters(set).weights);
    if (workload.name() == "dog_image") {
        const FusedDog::Parameters parameters = FusedDog::parameters(set);
        all["wide"] = numbers(parameters.wide);
        all["narrow"] = numbers(parameters.narrow);
    }
    return all;
}

}  // namespace camber
