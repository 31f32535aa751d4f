// Water for groups of devices, and the reference's states of it.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/groups/group.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/variants/particles/sph/start.hpp"
#include "variants/particles/sph/fields.hpp"
#include "variants/particles/sph/slice_partition.hpp"

namespace camber::sph::group_test {

using sph_test::Start;

inline GroupChoice choice_of(std::vector<int> weights, const Exchange& exchange = {}) {
    GroupChoice choice;
    choice.devices.assign(weights.size(), 0);
    choice.division.weights = std::move(weights);
    choice.exchange = exchange;
    return choice;
}
inline GroupChoice choice_of(int places, const Exchange& exchange = {}) {
    return choice_of(std::vector<int>(static_cast<std::size_t>(places), 1), exchange);
}

inline const Variant& variant_named(const std::string& name,
                                    ElementType cell = ElementType::float32) {
    const auto& variants = registry().variants();
    return *std::ranges::find_if(variants, [&](const Variant& variant) {
        return variant.info.name() == "sph/" + name && variant.info.cell == cell;
    });
}
inline const Variant& usual() {
    return variant_named("neighbour_list/float4/read_only/b128");
}

inline std::unique_ptr<Execution> on_places(Queue& lead, const Start& start,
                                            const GroupChoice& choice,
                                            const Variant& variant = usual()) {
    return variant.group_factories.at(Backend::simt)(lead, start.problem, choice);
}

using UsualForm = Form<InterleavedList, QuadFields, Read::read_only>;
using UsualSlices = SlicePartition<UsualForm>;
// Particles that such slices divide, with such an exchange.
template <class Slices>
std::unique_ptr<Execution> in_slices(Queue& lead, const Start& start, const GroupChoice& choice,
                                     const GroupExchange& exchange) {
    return divide<Slices>(std::make_unique<Group>(lead, choice.devices), exchange, start.problem,
                          128, choice.division);
}

// States after 0, 1, ... iterations.
inline std::vector<State> history(const Start& start, int iterations) {
    std::vector<State> states{start.state};
    for (int i = 0; i < iterations; ++i) {
        State next = states.back();
        camber::advance(start.workload, next, {.parameters = start.problem.parameters, .number = i},
                        1);
        states.push_back(std::move(next));
    }
    return states;
}

inline bool are_same(const State& a, const State& b) {
    return std::ranges::all_of(a.fields, [&](const HostField& field) {
        return std::ranges::equal(field.bytes(), b.field(field.name()).bytes());
    });
}

// Water that falls and also moves along y, so that it crosses every border between slices.
inline Start stirred(const std::vector<std::pair<const char*, double>>& values,
                     ElementType cell = ElementType::float32) {
    Start start(values, cell);
    const auto kinds = start.state.field(kind_field).cells<std::uint8_t>();
    const auto stir = [&](auto vy, auto vx) {
        for (std::size_t id = 0; id < kinds.size(); ++id) {
            if (kinds[id] != 0) continue;
            vy[id] = id % 3 == 0 ? 3 : -3;
            vx[id] = id % 2 == 0 ? 2 : -2;
        }
    };
    if (cell == ElementType::float32)
        stir(start.state.field("vy").cells<float>(), start.state.field("vx").cells<float>());
    else
        stir(start.state.field("vy").cells<double>(), start.state.field("vx").cells<double>());
    return start;
}

}  // namespace camber::sph::group_test
